"""The rule that no setting caps the load: a limit below the ladder measures itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.results.audit.figure import parse_figure
from assay.results.audit.model import Finding, Material
from assay.results.audit.reading.words import CONCURRENCY
from assay.results.audit.rules.rule import Rule

_CAPS = {
    "innodb_thread_concurrency": "InnoDB lets so many threads in, the rest of them wait",
    "max_connections": "the server refuses further connections",
    "thread_pool_size": "so many groups of the thread pool run statements",
}
"""Variables that cap how many connections work at a time (MySQL manual, server system variables)."""


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("variable", "value"):
        for line, row in sheet.rows:
            variable = row["variable"].replace("-", "_").lower()
            figure, study = parse_figure(row["value"]), row.get("study", "")
            if (
                variable not in _CAPS
                or figure is None
                or figure.value <= 0
                or row.get("active", "yes") != "yes"
            ):
                continue
            top, source = _top(material, study)
            if figure.value >= top:
                continue
            yield sheet.finding(
                RULE.name,
                "warning",
                "medium",
                row["variable"],
                "value",
                line,
                row["value"],
                f"0, or at least {top:g}",
                f"{variable} is {row['value']} ({_CAPS[variable]}), and the load goes to {top:g} ({source})",
                _knee(material, study, figure.value) or f"{source} has loads above it",
            )


def _top(material: Material, study: str) -> tuple[float, str]:
    """Returns the highest concurrency in a study's tables, settings and charts, and where it stands."""
    found = [
        (cell.rung, cell.file)
        for cell in material.cells
        if cell.study == study and cell.axis in CONCURRENCY - {"iodepth"} and cell.rung is not None
    ]
    for sheet in material.with_columns("x_axis", "x_ladder"):
        for _, row in sheet.rows:
            if row.get("study", "") == study and re.search("thread|connection|client", row["x_axis"]):
                found += [(float(one), sheet.file) for one in re.findall(r"\d+", row["x_ladder"])]
    for sheet in material.with_columns("setting", "value"):
        for _, row in sheet.rows:
            if row.get("study", "") == study and re.search("thread|connection|client", row["setting"]):
                found += [(float(one), sheet.file) for one in re.findall(r"\d+", row["value"])]
    return max(found, default=(0.0, ""))


def _knee(material: Material, study: str, limit: float) -> str:
    """Returns the claim that performance changes at this very load."""
    for sheet in material.with_columns("claim", "hypothesis"):
        for _, row in sheet.rows:
            text = row["hypothesis"]
            if row.get("study", "") == study and re.search(
                rf"threads?\s*[<>=]+\s*{limit:g}\b|\b{limit:g} threads", text
            ):
                return f"{row['claim']} says of this load: {text}"
    return ""


RULE = Rule(
    "limits",
    "settings that cap the load below the load points that were measured",
    _check,
    kind="settings",
    must="no setting (`innodb_thread_concurrency`, `max_connections`) is below the load",
)
