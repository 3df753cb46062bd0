"""The gate on GitHub: what it stands on, where results are found, what is decided, what is said."""
