"""Prints nested facts as indented lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from assay.front.terminal import console


def print_tree(facts: Mapping[str, object]) -> None:
    """Prints one line for each fact on standard output; lists of plain values on one line."""
    out = console()
    for line, style in _lines(facts, 0):
        out.print(Text(line, style=style))


def _lines(facts: Mapping[str, object], depth: int) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    indent = "  " * depth
    for name, value in facts.items():
        below = _mapping(value)
        if below is None:
            lines.append((f"{indent}{name}: {_plain(value)}", ""))
        else:
            lines.append((f"{indent}{name}", "bold" if depth == 0 else ""))
            lines += _lines(below, depth + 1)
    return lines


def _mapping(value: object) -> Mapping[str, object] | None:
    """Returns a table unchanged, a list of tables by position; None for a plain value."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        return {str(position): item for position, item in enumerate(value)}
    return None


def _plain(value: object) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(str(item) for item in value) or "none"
    return str(value)
