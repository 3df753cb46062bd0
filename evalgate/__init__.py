"""evalgate: stop a change from being promoted when evaluation results got worse."""

__version__ = "0.1.0"
