"""The rule that a run whose own check failed gives no result."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.results.audit.metrics import is_server_rate
from assay.results.audit.model import Cell, Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

_FAILED = re.compile(
    r"\[?\s*(?:NG|FAIL|FAILED|FAILURE|NOT OK|NOT PASSED|未通过|不合格|不通过)\s*\]?\.?", re.IGNORECASE
)
_PASSED = re.compile(r"\[?\s*(?:OK|PASS|PASSED|通过|合格)\s*\]?\.?", re.IGNORECASE)
_NAMES = ("server", "version", "engine", "system", "treatment")


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.sheets:
        passed = sum(bool(_PASSED.fullmatch(text)) for _, row in sheet.rows for text in row.values())
        for line, row in sheet.rows:
            for column, text in row.items():
                if _FAILED.fullmatch(text) and passed:
                    yield _finding(material, sheet, line, column, passed)


def _finding(material: Material, sheet: Sheet, line: int, column: str, passed: int) -> Finding:
    row = dict(sheet.rows)[line]
    named = {name: row[name] for name in _NAMES if row.get(name)}
    rates = [cell for cell in material.cells if cell.file == sheet.file and _is_result(cell, named, line)]
    result = f"{rates[0].metric} {rates[0].figure.text} of this run is printed as a result" if rates else ""
    names = [
        f"{name}={value}"
        for name, value in row.items()
        if value and name not in ("study", "source_line", "metric", "unit", column) and not value.isdigit()
    ]
    return Finding(
        RULE.name,
        "warning",
        "high",
        sheet.file,
        row.get("table") or sheet.name,
        ", ".join(names),
        row.get("metric") or column,
        line,
        row[column],
        "a run whose checks pass",
        f"a check of this run failed: {row[column]}",
        result or f"{passed} other checks passed",
    )


def _is_result(cell: Cell, named: dict[str, str], line: int) -> bool:
    is_rate = cell.metric.lower() in ("tpmc", "tpm", "nopm") or is_server_rate(cell.metric, cell.unit)
    of_row = all(cell.level(name) == value for name, value in named.items()) if named else cell.line == line
    return is_rate and of_row


RULE = Rule(
    "failed-checks",
    "runs whose own checks failed",
    _check,
    kind="conditions",
    must="a run that is printed as a result passed its own checks",
)
