"""Names of the errors that servers answer with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache


def error_name(code: int) -> str:
    """Returns the name of a server's error, LOCK_DEADLOCK for 1213, or "" where none is known."""
    return _names().get(code, "")


@cache
def _names() -> Mapping[int, str]:
    from pymysql.constants import ER  # with it comes the whole client, which nobody needs who saw no error

    return {code: name for name, code in vars(ER).items() if isinstance(code, int)}
