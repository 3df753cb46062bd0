"""Pure decisions: arguments in, value out."""
