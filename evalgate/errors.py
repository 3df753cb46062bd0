"""The exceptions for "cannot go on", each with its exit code."""


class EvalgateError(Exception):
    """Anything evalgate says instead of a result; `exit_code` becomes the process's."""

    exit_code = 70


class OutputError(EvalgateError):
    """What was decided cannot be shown; the text says why. It blocks, since nobody has seen the verdict."""

    exit_code = 5


class UsageError(EvalgateError):
    """The arguments are wrong; the text says what, and what to write instead."""

    exit_code = 2
