"""Rewrites the engine's hints, which speak of jobs and the environment, in the words of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from assay.base.errors import AssayError, ConnectError

_LOGIN = "check user and password: set $ASSAY_PASSWORD or $MYSQL_PWD, or add --ask-password"
_ON_ERROR = "--on-error count goes on after such errors, and counts them"


@contextmanager
def hints_of_the_command_line(password_from: str | None) -> Iterator[None]:
    """Rewrites hints of errors raised in the block. `password_from`: the hint for a password that is neither
    prompted for nor from the environment.
    """
    try:
        yield
    except AssayError as error:
        hint = error.hint or ""
        if isinstance(error, ConnectError) and "password" in hint:
            error.hint = password_from or _LOGIN
        elif "errors.other" in hint:
            error.hint = _ON_ERROR
        elif "prepare --resume" in hint:
            error.hint = f"{hint}; assay bench WORKLOAD cleanup drops them"
        raise
