"""Compares the value that a server reports with the one that was asked for, since servers write one value in
several ways.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from assay.folder import Scalar

_SUFFIX = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6}
_SIZE = re.compile(r"(-?\d+)([kmgtpe]?)", re.IGNORECASE)
# What people write and option parsers cut short, refuse, or read as something else.
_WRONG_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgtpe]?)(i?b|bytes?)?", re.IGNORECASE)
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
        return Decimal(int(size[1]) * 1024 ** int(_SUFFIX[size[2].lower()]))
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def same(asked: Scalar, actual: str) -> bool:
    """Returns whether `actual`, as the server shows it, is the value that was `asked`."""
    want, have = option_text(asked).strip(), actual.strip()
    if want.lower() == have.lower():
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


def unit_mistake(asked: Scalar) -> str | None:
    """Returns the correct form of a size such as `2GB`, `2 G` or `1.5G`; None when the size is correct."""
    text = option_text(asked).strip()
    found = _WRONG_SIZE.fullmatch(text)
    if not found or number(text) is not None:
        return None
    amount, letter = Decimal(found[1]), found[2].lower()
    if amount == amount.to_integral_value():
        return f"{amount:.0f}{letter.upper()}"
    smaller = {power: name for name, power in _SUFFIX.items()}
    power = _SUFFIX[letter]
    while amount != amount.to_integral_value() and power > 0:
        amount, power = amount * 1024, power - 1
    return f"{amount:.0f}{smaller[power].upper()}"
