"""One file a verb: gather, decide, publish."""
