"""One report, several renderings; a renderer decides nothing."""
