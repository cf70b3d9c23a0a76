"""Lays out panels of treatments: side by side, of two factors in rows and columns, many in several rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.reporting.report.charts import style
from assay.reporting.report.charts.chart import Spec
from assay.reporting.report.material import Material
from assay.reporting.report.treatment_labels import Labels, columns, labels_of

BETWEEN_ROWS = 18
MOST_LINES = 3
"""The largest number of lines of a title that names its factors."""


@dataclass(frozen=True)
class Facet:
    """The place of a treatment's panel. `title` is empty where the study has one treatment. The first panel
    of a row has the vertical axis, and the first of the last row the title of the horizontal one. `header`
    names the factors of all titles, above the very first of them.
    """

    treatment: str
    title: Sequence[str]
    width: int
    row: int
    is_first: bool
    is_corner: bool
    header: str = ""

    def titled(self, layers: Sequence[Spec]) -> list[Spec]:
        """Returns the layers of the panel with its title."""
        return [*layers, *headed(self.title, self.header)] if self.title else list(layers)


def facets_of(material: Material, treatments: Sequence[str], between: int) -> list[Facet]:
    """Returns the places of the panels of these treatments, `between` pixels apart."""
    labels = labels_of(material)
    is_whole = list(treatments) == list(labels.of)
    in_row = labels.columns if is_whole else columns(len(treatments))
    width = (style.WIDTH - between * (in_row - 1)) // in_row
    titles, header = titles_of(labels, treatments, width)
    last_row = (len(treatments) - 1) // in_row
    return [
        Facet(
            one,
            title if len(material.results.treatments) > 1 else (),
            width,
            number // in_row,
            number % in_row == 0,
            number == last_row * in_row,
            header if number == 0 else "",
        )
        for number, (one, title) in enumerate(zip(treatments, titles, strict=True))
    ]


def titles_of(labels: Labels, treatments: Sequence[str], width: int) -> tuple[list[list[str]], str]:
    """Returns the titles of panels of this width in lines, and the names of the factors where titles with
    these would be too high.
    """
    titles = style.title_lines([labels.keyed[one] for one in treatments], width)
    if labels.header and max(map(len, titles)) > MOST_LINES:
        return style.title_lines([labels.of[one] for one in treatments], width), labels.header
    return titles, ""


def headed(title: Sequence[str], header: str) -> list[Spec]:
    """Returns the layers of a title, and of the header above it."""
    layers = [style.written(title)]
    if header:
        above = -10 - style.LINE * len(title)
        layers.append(style.written([header], y=above, colour=style.MUTED, weight="normal", size=11))
    return layers


def beside(facets: Sequence[Facet], panels: Sequence[Spec], between: int) -> Spec:
    """Returns the panels at their places."""
    rows: list[list[Spec]] = [[] for _ in range(facets[-1].row + 1)]
    for facet, panel in zip(facets, panels, strict=True):
        rows[facet.row].append(panel)
    specs: list[Spec] = [{"hconcat": row, "spacing": between, "bounds": "flush"} for row in rows]
    return specs[0] if len(specs) == 1 else {"vconcat": specs, "spacing": BETWEEN_ROWS}
