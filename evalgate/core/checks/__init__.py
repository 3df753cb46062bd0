"""One check of a recorded run a file: the case in, findings out."""
