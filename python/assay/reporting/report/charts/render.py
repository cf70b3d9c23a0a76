"""Renders chart specifications to SVG and PNG by vl-convert: Vega as a library, without a browser or network,
in a process of its own.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from functools import cache, lru_cache
from importlib.metadata import version

from assay.base.printable import visible
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.drawing import Drawings
from assay.reporting.report.charts.style import CONFIG
from assay.reporting.report.escaping import in_csv

VEGA_LITE = "6.4"
PNG_SCALE = 2.0
_DRAWING = Drawings(VEGA_LITE, PNG_SCALE)
_FONT = re.compile(r' font-family="[^"]*"')
_USUAL = re.compile(
    r' (?:aria-hidden="true"|pointer-events="none"|opacity="1"|font-weight="normal"|text-anchor="start"'
    r'|stroke-width="1"|stroke-miterlimit="10")'
)
_EMPTY = re.compile(r'<path class="(?:fore|back)ground" d="(?:M0,0h0v0h0Z)?"(?: display="none")?/>')


def specification(chart: Chart) -> str:
    """Returns the whole Vega-Lite document of a chart."""
    schema = "https://vega.github.io/schema/vega-lite/v6.json"
    padding = {"left": 6, "top": 8, "right": 14, "bottom": 6}
    return json.dumps(
        {"$schema": schema, "config": CONFIG, "padding": padding, "autosize": "pad", **chart.spec}
    )


@cache
def drawn_by() -> str:
    """Returns the versions of what draws: other versions may draw another picture of the same document."""
    return f"{version('vl-convert-python')} {VEGA_LITE}"


def to_svg(chart: Chart) -> str:
    """Returns a stand-alone SVG document."""
    return _drawn(specification(chart))


@lru_cache(maxsize=64)
def _drawn(document: str) -> str:
    """Returns the SVG of a Vega-Lite document. Drawing takes a tenth of a second, so results are cached by
    document.
    """
    return visible(_DRAWING.draw("svg", document).decode())


def to_png(chart: Chart) -> bytes:
    """Returns a PNG at twice the screen's resolution."""
    return _DRAWING.draw("png", specification(chart))


def inline(svg: str, name: str) -> str:
    """Returns the SVG in the form that is embedded in the page.

    Ids get the chart's name, since the page holds several charts; the style sheet sets the size. What every
    mark repeats of what is so anyway stands once or not at all: it is half of the bytes.
    """
    fonts = Counter(_FONT.findall(svg)).most_common(1)
    if fonts:
        family = fonts[0][0]
        svg = svg.replace("<svg ", "<svg\n", 1).replace(family, "").replace("<svg\n", f"<svg{family} ", 1)
    svg = _EMPTY.sub("", _USUAL.sub("", svg))
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    # Roles without names would be read out; the figure around has a label.
    svg = re.sub(r' (?:role="graphics-[\w-]+"|aria-roledescription="[^"]*")', "", svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    svg = re.sub(r'(xlink:)?href="#([^"]+)"', rf'\1href="#{name}-\2"', svg)
    return re.sub(r"^<\?xml[^>]*\?>\s*|<!DOCTYPE[^>]*>\s*", "", svg)


def records_csv(chart: Chart) -> str:
    """Returns a chart's records as CSV with full precision."""
    rows = [vars(record) for record in chart.records]
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: in_csv(value) for name, value in row.items()} for row in rows)
    return out.getvalue()
