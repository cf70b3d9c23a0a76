"""Prints the runs that an import added."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from assay.adopt import Brought
from assay.printable import line
from assay.terminal.tables import figures_table


def print_imports(found: Sequence[Brought], console: Console) -> None:
    """Prints a row for each run, and once what their tool does not say."""
    table = figures_table("file", "tool", "treatment", "load", "block", "figures", left=4)
    for one in found:
        table.add_row(
            *(
                escape(line(text))
                for text in (one.file, f"{one.tool} {one.version}", one.treatment, _load(one))
            ),
            str(one.block),
            str(one.figures),
        )
    console.print(table)
    unknown = dict.fromkeys(what for one in found for what in one.unknown)
    console.print(f"unknown: {', '.join(unknown)}", markup=False)


def _load(one: Brought) -> str:
    match one.load.kind:
        case "rate":
            return f"{one.load.value:g}/s"
        case "iodepth":
            return f"depth {one.load.value:g}"
    return f"{one.load.value:g} threads"
