"""The kinds of error, one for each thing that a person can do next.

Each class has an exit code; docs/reference/exit-codes.md lists them.
"""

from __future__ import annotations


class AssayError(Exception):
    """Base class of all errors that a person can act on.

    `message` says what is wrong and where, `hint` what to do about it, `detail` shows evidence (log lines),
    `code` is the server's number for it where a server said it.
    """

    exit_code = 1

    def __init__(
        self, message: str, *, hint: str | None = None, detail: str | None = None, code: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.detail = detail
        self.code = code


class InputError(AssayError):
    """A file, an option or an argument is wrong."""

    exit_code = 2


class ConnectError(AssayError):
    """No connection to the server, or no login."""

    exit_code = 3


class ServerError(AssayError):
    """The server refused a statement or a setting, or would not start."""

    exit_code = 4


class ServerLost(AssayError):
    """The server went away while it was needed."""

    exit_code = 5


class HostError(AssayError):
    """This machine lacks something: a tool, disk space, a port, a permission."""

    exit_code = 6


class GeneratorLost(AssayError):
    """A generator of a fleet went away while it carried out its share: the run does not count, and the study
    goes on.

    Its share is never given to the others: theirs would not be the load that was asked for.
    """

    exit_code = 6


class ConflictError(AssayError):
    """Another thing is in the way: other results in the folder, or another study that measures on this
    machine.
    """

    exit_code = 7


class DataError(AssayError):
    """Data that was read back differs from what was written: the storage lost it or changed it."""

    exit_code = 8


class GateFailed(AssayError):
    """A claim that a gate requires is refuted: the change makes something worse."""

    exit_code = 9


class GateUndecided(AssayError):
    """A claim that a gate requires is neither shown nor refuted, and the gate does not allow that."""

    exit_code = 10


class GateUnjudged(AssayError):
    """A claim that a gate requires cannot be judged: data are missing, too few or not trustworthy."""

    exit_code = 11


class Interrupted(AssayError):
    """A person pressed Ctrl-C or sent SIGTERM; what was measured is kept."""

    exit_code = 130
