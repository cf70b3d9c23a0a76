"""Names of databases and tables in statements, and as files."""

from __future__ import annotations


def quoted_name(*names: str) -> str:
    """Returns a name as a statement has it, in backticks; of several names the last, qualified by the others
    before it.
    """
    return ".".join(f"`{name.replace('`', '``')}`" for name in names)


def file_name(name: str) -> str | None:
    """Returns the name that files of a database or a table have; None of a name with letters beyond ASCII.

    Source: MySQL manual, "Mapping of Identifiers to File Names".
    """
    if not name.isascii():
        return None
    return "".join(one if one.isalnum() or one == "_" else f"@{ord(one):04x}" for one in name)
