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


class TerminatedError(BaseException):
    """The system asked the process to end (SIGTERM); like KeyboardInterrupt it passes whatever handles mere errors."""


class GitHubError(EvalgateError):
    """GitHub did not give what was asked; nothing is proven then, so this blocks like UNVERIFIED.

    `kind` is "permission" (the text names the missing one), "absent" (404, deleted meanwhile), "gone" (410, expired),
    "unavailable" (no answer within the time) or "unexpected" (an answer of another shape).
    """

    exit_code = 3

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        super().__init__(text)
