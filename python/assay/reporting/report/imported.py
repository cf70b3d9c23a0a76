"""Says of imported results which tool measured them, and what is unknown."""

from __future__ import annotations

from assay.base.numbers import number
from assay.base.printable import line
from assay.reporting.report.material import MAIN, Material
from assay.results.stats import around


def opening(material: Material) -> list[str]:
    """Returns the sentences at the top of the page: whose figures these are, and at which loads."""
    words, results = material.words, material.results
    count = len(results.treatments)
    treatments = words("summary.compared-one") if count == 1 else words("summary.compared-many", count=count)
    loads = words.listed(number(load) for load in results.loads)
    said = [
        words("imported.opening", tools=_tools(material)),
        words(
            "imported.compared",
            treatments=treatments.strip(),
            loads=words(f"summary.loads-{results.load_kind}", loads=loads),
            blocks=results.blocks_planned,
        ),
    ]
    if count > 1:
        said.append(words("summary.baseline", baseline=results.treatments[0]))
    return said


def unknown(material: Material) -> str:
    """Returns the sentence that lists what no imported file says."""
    rows = material.rows(f"SELECT DISTINCT what FROM {MAIN}.unknown ORDER BY what")
    listed = (material.words.get(f"unknown.{row['what']}", line(row["what"], 80)) for row in rows)
    return material.words("imported.unknown", what=material.words.listed(listed))


def method(material: Material) -> list[str]:
    """Returns the paragraphs on what stands in place of a method of measurement."""
    words, region = material.words, around(1.0, material.study.verdict.known_margin)
    return [
        words("imported.figures", tools=_tools(material)),
        words("imported.repeats"),
        words("method.comparison", region=f"{number(region.low, 4)} – {number(region.high, 4)}"),
    ]


def _tools(material: Material) -> str:
    rows = material.rows(f"SELECT DISTINCT imported FROM {MAIN}.runs ORDER BY imported")
    return material.words.listed(row["imported"] for row in rows)
