"""What can go wrong. Each error says what, where, and what to do.

Those about a file or a formula have the attributes `file`, `line` and `column`, as far as they are known; those about what is
not known have a `reason`, in a word.
"""


class StarsetError(Exception):
    """Any error of starset."""

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        reason: str | None = None,
    ) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column
        self.reason = reason


class ReadError(StarsetError, ValueError):
    """A file is no model, or no saved set."""


class NoSuchFile(ReadError, FileNotFoundError):
    """There is no such file."""


class FormulaError(StarsetError, ValueError):
    """A text is no formula about the model."""


class NoSuchName(StarsetError, LookupError):
    """Nothing in the model has this name."""


class MisuseError(StarsetError, ValueError):
    """What was asked makes no sense, or asks too much."""


class NoWorkflow(StarsetError, ValueError):
    """The net is no workflow net, of which soundness could be asked."""


class Unknown(StarsetError, RuntimeError):
    """An answer is not known, and why."""


class OutOfTime(Unknown, TimeoutError):
    """The time was not enough."""


class OutOfMemory(Unknown, MemoryError):
    """The memory was not enough."""


class NoCertificate(StarsetError, RuntimeError):
    """There is no certificate of this verdict."""


class SelfCheckError(StarsetError, RuntimeError):
    """A result does not pass its own check. Please report it: it is an error of starset."""
