"""Finds sizes that are written in a way that servers do not read."""

from __future__ import annotations

import re
from decimal import Decimal

from assay.design.folder import Scalar
from assay.design.study import SUFFIX, number, option_text

# What people write and option parsers cut short, refuse, or read as something else.
_WRONG_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgtpe]?)(i?b|bytes?)?", re.IGNORECASE)


def unit_mistake(asked: Scalar) -> str | None:
    """Returns the correct form of a size such as `2GB`, `2 G` or `1.5G`; None when the size is correct."""
    text = option_text(asked).strip()
    found = _WRONG_SIZE.fullmatch(text)
    if not found or number(text) is not None:
        return None
    amount, letter = Decimal(found[1]), found[2].lower()
    if amount == amount.to_integral_value():
        return f"{amount:.0f}{letter.upper()}"
    smaller = {power: name for name, power in SUFFIX.items()}
    power = SUFFIX[letter]
    while amount != amount.to_integral_value() and power > 0:
        amount, power = amount * 1024, power - 1
    return f"{amount:.0f}{smaller[power].upper()}"
