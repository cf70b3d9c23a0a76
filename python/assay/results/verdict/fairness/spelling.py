"""Normalises values that servers write in several ways, so that equal text means an equal effect."""

from __future__ import annotations

import re

_ON = {"on", "1", "true", "yes"}
_OFF = {"off", "0", "false", "no"}
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")
# `utf8` as a name of its own or before a collation's; not the first letters of utf8mb4.
_UTF8 = re.compile(r"utf8(?=_|$)")
# It rules GRANT alone, and MySQL 8 has dropped the flag because it always does so.
_NO_MATTER = {"NO_AUTO_CREATE_USER"}


def switch(text: str) -> str:
    """Returns `on` or `off`; a third value (`demand`, `fast`) in lower case."""
    low = text.strip().lower()
    return "on" if low in _ON else "off" if low in _OFF else low


def size(text: str) -> str:
    """Returns bytes in the largest unit that loses nothing: 100663296 is `96 MiB`. Text that is no whole
    number is returned unchanged.
    """
    if not text.isdecimal():
        return text
    count, unit = int(text), 0
    while count and count % 1024 == 0 and unit < len(_UNITS) - 1:
        count, unit = count // 1024, unit + 1
    return f"{count} {_UNITS[unit]}"


def character_set(text: str) -> str:
    """Returns a character set or collation; `utf8` becomes `utf8mb3`, whose only name it was before MySQL 8
    and MariaDB 10.6.
    """
    return _UTF8.sub("utf8mb3", text.lower())


def isolation(text: str) -> str:
    """Returns an isolation level as `REPEATABLE-READ`; statements write it with a blank, variables with a
    hyphen.
    """
    return text.strip().upper().replace(" ", "-")


def modes(text: str) -> str:
    """Returns the flags of an SQL mode in order; `none` when it has none that affects a statement."""
    flags = {flag.strip().upper() for flag in text.split(",")} - _NO_MATTER - {""}
    return ", ".join(sorted(flags)) or "none"
