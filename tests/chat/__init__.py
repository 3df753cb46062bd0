"""A model to order: a server that speaks chat-completions, and repositories that are run against it."""
