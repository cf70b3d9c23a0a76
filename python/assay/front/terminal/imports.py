"""Prints the runs that an import added, and what is left over of its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.markup import escape

from assay.base.printable import line
from assay.base.wording import counted
from assay.experiments.adopt import Account, Brought, Import
from assay.front.terminal.tables import figures_table

_SHOWN = 3


def print_imports(found: Import, console: Console) -> None:
    """Prints a row for each run, once what their tool does not say, and what is left over."""
    table = figures_table("file", "tool", "treatment", "load", "block", "figures", left=4)
    for one in found.runs:
        table.add_row(
            *(
                escape(line(text))
                for text in (one.file, f"{one.tool} {one.version}", one.treatment, _load(one))
            ),
            str(one.block),
            str(one.figures),
        )
    console.print(table)
    unknown = dict.fromkeys(what for one in found.runs for what in one.unknown)
    console.print(f"unknown: {', '.join(unknown)}", markup=False)
    print_accounts(found.files, console)


def print_accounts(files: Sequence[Account], console: Console) -> None:
    """Prints what was used of all files together, and of each what is left over."""
    total = counted(sum(one.lines for one in files), "line")
    left = sum(one.left_lines for one in files)
    runs = sum(len(one.left_runs) for one in files)
    console.print(f"left over: {counted(runs, 'run')}, {left} of {total}", markup=False)
    for file in files:
        name = line(file.file)
        for text in _leftovers(file):
            console.print(f"  {name}{text}", markup=False, soft_wrap=True)


def _leftovers(file: Account) -> Iterator[str]:
    """Yields a line for everything that is left over of a file."""
    yield from (f": {how}" for how in file.decoded)
    for run in file.left_runs[:_SHOWN]:
        why = line(run.why.removeprefix(f"{file.file}: "))
        yield f":{run.first}: a run up to line {run.last} is left out: {why}"
    if (more := len(file.left_runs) - _SHOWN) > 0:
        yield f": {counted(more, 'more run')}"
    for one in file.named[:_SHOWN]:
        yield f":{one.number}: not understood: {line(one.text)}"
    if (more := file.left_lines - min(_SHOWN, len(file.named))) > 0:
        bytes_ = f"{file.left_bytes} of {counted(file.bytes, 'byte')}"
        yield f": {counted(more, 'more line')}, {bytes_} in all; --json lists them"


def _load(one: Brought) -> str:
    match one.load.kind:
        case "rate":
            return f"{one.load.value:g}/s"
        case "iodepth":
            return f"depth {one.load.value:g}"
    return f"{one.load.value:g} threads"
