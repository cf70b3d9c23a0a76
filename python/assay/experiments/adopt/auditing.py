"""Audits files of any kind: the outputs of tools by their readers, everything else as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.base.decoding import whole_number
from assay.experiments.adopt.reading import ReadFile, read_output
from assay.results.audit import Audit, Cell, Figure, LeftOver, Material, audit_of, parse_figure, read_material


def audit_files(paths: Sequence[Path]) -> Audit:
    """Audits files and results folders together. Raises InputError where no figure is read."""
    outputs = {
        path: found for path in paths if not path.is_dir() and (found := read_output(path)) is not None
    }
    tables = [path for path in paths if path not in outputs]
    material = read_material(tables) if tables else Material((), ())
    cells = [cell for found in outputs.values() for cell in _cells(found)]
    left = [one for found in outputs.values() for one in _left(found)]
    decoded = [f"{path.name}: {how}" for path, found in outputs.items() for how in found.account.decoded]
    return audit_of(
        Material(
            material.sheets,
            (*material.cells, *cells),
            material.repeats,
            (*material.left, *left),
            (*material.decoded, *decoded),
        )
    )


def _cells(file: ReadFile) -> Iterator[Cell]:
    """Yields the figures of a file's results; its results are distinguished by their number."""
    name = file.path.name
    for number, found in enumerate(file.results, start=1):
        levels = (("run", str(number)),) if len(file.results) > 1 else ()
        for one in found.printed.figures:
            printed = parse_figure(one.text) if one.text and not one.how else None
            figure = printed or Figure(one.text or f"{one.value:.6g}", one.value, abs(one.value) * 1e-6)
            yield Cell(
                name,
                whole_number(one.place.removeprefix("line ")) or 0,
                found.tool,
                name,
                one.name,
                one.unit,
                levels,
                found.load.kind if found.load else "",
                found.load.value if found.load else None,
                figure,
            )


def _left(file: ReadFile) -> Iterator[LeftOver]:
    for run in file.account.left_runs:
        yield LeftOver(file.path.name, run.first, "line", "", f"lines {run.first}-{run.last}", run.why)
    for line in file.account.named:
        yield LeftOver(file.path.name, line.number, "line", "", line.text, "not understood")
