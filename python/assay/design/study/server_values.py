"""Compares values of server variables: the one that was asked for and the one that a server reports, since
servers and people write one value in several ways.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from assay.design.study.values import Scalar

SUFFIX = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6}
_SIZE = re.compile(r"(-?\d+)([kmgtpe]?)", re.IGNORECASE)
_UTF8 = re.compile(r"utf8(_[a-z0-9_]+)?")
_UCA = re.compile(r"(?:[a-z0-9]+_)?(uca1400_[a-z0-9_]+)")
_OFFSET = re.compile(r"([+-])(\d):(\d\d)")
_ISOLATIONS = {"read uncommitted", "read committed", "repeatable read"}
_YES = {"on", "1", "true", "yes"}
_NO = {"off", "0", "false", "no"}
# sql_mode names that stand for a list: the server reports the list and the name.
_COMBINED_MODES = {
    "ansi",
    "db2",
    "maxdb",
    "mssql",
    "mysql323",
    "mysql40",
    "oracle",
    "postgresql",
    "traditional",
}


def option_text(value: Scalar) -> str:
    """Returns the value as an options file writes it."""
    if isinstance(value, bool):
        return "ON" if value else "OFF"
    return str(value)


def number(text: str) -> Decimal | None:
    """Returns the number in a text such as `16M`, `0.75` or `1e3`; None for other text."""
    size = _SIZE.fullmatch(text)
    if size:
        return Decimal(int(size[1]) * 1024 ** int(SUFFIX[size[2].lower()]))
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def same_value(asked: Scalar, actual: str) -> bool:
    """Returns whether `actual`, as a server shows it, is the value that was `asked`: the one rule for all who
    compare values of server variables.
    """
    want, have = option_text(asked).strip(), actual.strip()
    if want.lower() == have.lower() or _spelled(want) == _spelled(have):
        return True
    if have.lower() in _YES | _NO and want.lower() in _YES | _NO:
        return (want.lower() in _YES) == (have.lower() in _YES)
    left, right = number(want), number(have)
    if left is not None and right is not None:
        # Floats come back with a fixed number of decimals.
        return left == right or abs(left - right) <= Decimal("1e-6") * abs(left)
    if "/" in want and "/" in have:
        return want.rstrip("/") == have.rstrip("/")
    return _same_set(want.lower(), have.lower())


def _spelled(text: str) -> str:
    """Returns a value by the name that all its synonyms share.

    `utf8` was the only name of utf8mb3 before MySQL 8 and MariaDB 10.6, of its collations, too; a statement
    writes an isolation level with a blank; the collations of Unicode 14 have a short name on MariaDB; a time
    zone may be written with one digit for the hour.
    """
    low = text.lower()
    if found := _UTF8.fullmatch(low):
        return f"utf8mb3{found[1] or ''}"
    if found := _UCA.fullmatch(low):
        return found[1]
    if found := _OFFSET.fullmatch(low):
        return f"{found[1]}0{found[2]}:{found[3]}"
    return low.replace(" ", "-") if low.replace("-", " ") in _ISOLATIONS else low


def _same_set(want: str, have: str) -> bool:
    """Returns whether two lists agree in any order; `flag=on` lists and combined modes may name a part of
    what the server shows.
    """
    wanted = {item.strip() for item in want.split(",") if item.strip()}
    present = {item.strip() for item in have.split(",") if item.strip()}
    if wanted == present:
        return True
    partial = all("=" in item for item in wanted) or bool(wanted & _COMBINED_MODES)
    return bool(wanted) and partial and wanted <= present
