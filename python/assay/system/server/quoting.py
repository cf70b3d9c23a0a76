"""Quotes names in statements."""

from __future__ import annotations


def quoted_name(*names: str) -> str:
    """Returns a name as a statement has it, in backticks; of several names the last, qualified by the others
    before it.
    """
    return ".".join(f"`{name.replace('`', '``')}`" for name in names)
