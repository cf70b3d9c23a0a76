"""Keeps drawn charts as files, named by a hash of what was drawn: a chart of the same records is drawn once.

The folder is one that only this account writes. A results folder is none: pictures stand in pages as markup,
and results come from anywhere.
"""

from __future__ import annotations

from pathlib import Path

from assay.base.file_cache import FileCache, name_of
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.render import drawn_by, specification, to_svg

MOST_BYTES = 256 << 20
"""How much the folder may hold."""

_END = "</svg>"


def kept_svg(chart: Chart, folder: Path | None) -> str:
    """Returns the SVG of a chart from the folder, or draws it and keeps it there. Without a folder, or where
    it cannot be written, it is drawn.
    """
    if folder is None:
        return to_svg(chart)
    files, name = FileCache(folder, MOST_BYTES), f"{name_of(drawn_by(), specification(chart))}.svg"
    found = (files.read(name) or b"").decode(errors="replace")
    if found.rstrip().endswith(_END):
        return found
    made = to_svg(chart)
    files.write(name, made.encode(errors="surrogateescape"))
    return made
