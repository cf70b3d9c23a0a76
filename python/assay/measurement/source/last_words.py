"""What a server left when it went away: how it ended, and the end of its log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from assay.base.errors import AssayError, ConnectError, ServerLost

_LOG_LINES = 15
_COMPLAINS = "[ERROR]"
_NO_SPACE = re.compile(
    r"No space left on device|(?:OS error|[Ee]rrcode|errno|error number|system error):? 28\b"
)


class Ending(Protocol):
    """A server that may end."""

    def how_it_ended(self) -> str | None:
        """Returns a clause that says how it ended; None while it lives."""

    def log_tail(self, lines: int) -> str:
        """Returns the end of its log."""


def with_last_words(error: AssayError, server: Ending) -> AssayError:
    """Returns the error with what the server's log says of it, and how the server ended if it did: the end of
    the log of one that is gone; of one that has answered only lines that complain.
    """
    lost = isinstance(error, ServerLost | ConnectError)
    end = server.how_it_ended() if lost else None
    message = error.message if end is None else f"{error.message}; {end}"
    log, hint = server.log_tail(_LOG_LINES), error.hint
    if not lost:
        log = "\n".join(line for line in log.splitlines() if _COMPLAINS in line)
    if lost and hint is None and _NO_SPACE.search(log):
        hint = "make room on the disk of the server's data"
    return type(error)(message, hint=hint, detail=log or error.detail, code=error.code)


@contextmanager
def last_words(server: Ending) -> Iterator[None]:
    """Adds the server's last words to an error of the block that says that it is gone."""
    try:
        yield
    except (ServerLost, ConnectError) as error:
        raise with_last_words(error, server) from error
