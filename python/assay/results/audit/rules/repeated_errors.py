"""The rule that no text, claim or setting repeats a figure that an identity contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.results.audit.figure import in_prose, parse_figure
from assay.results.audit.metrics import role_of
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.rules import processors, queries, whole_and_parts
from assay.results.audit.rules.rule import Rule

_IDENTITIES = (whole_and_parts.RULE, queries.RULE)
_DIGITS = 4  # of a figure that is no coincidence
_CAPACITY = re.compile(r"io_?capacity")


def _check(material: Material) -> Iterator[Finding]:
    for rule in _IDENTITIES:
        for error in rule.check(material):
            wrong, right = parse_figure(error.printed), parse_figure(error.expected)
            if error.severity != "error" or wrong is None or right is None or wrong.digits < _DIGITS:
                continue
            study = next(
                (cell.study for cell in material.cells if (cell.file, cell.line) == (error.file, error.line)),
                "",
            )
            yield from _in_claims(material, error, study)
            yield from _in_settings(material, error, study, wrong.value, right.value)
    yield from _in_claims_of_cores(material)


def _in_claims_of_cores(material: Material) -> Iterator[Finding]:
    """Yields findings for claims that name a number of cores which the machine of their study lacks."""
    for error in processors.RULE.check(material):
        if error.severity != "error" or not error.printed.isdigit():
            continue
        count = re.compile(
            rf"\b{error.printed}\b(?:\s*(?:=|is|are|,)?\s*(?:the )?(?:number of )?(?:core|cpu|processor))"
        )
        studies = {
            row.get("study", "")
            for sheet in material.with_columns("attribute", "value")
            for line, row in sheet.rows
            if (sheet.file, line) == (error.file, error.line)
        }
        for sheet in material.with_columns("claim", "hypothesis"):
            for line, row in sheet.rows:
                if row.get("study", "") in studies and count.search(row["hypothesis"]):
                    yield _finding(sheet, line, row["claim"], "hypothesis", row["hypothesis"], error)


def _in_claims(material: Material, error: Finding, study: str) -> Iterator[Finding]:
    figure = re.compile(rf"(?<![\d.]){re.escape(error.printed)}(?![\d.]*\d)")
    for sheet in material.with_columns("claim", "hypothesis"):
        for line, row in sheet.rows:
            if row.get("study", "") == study and figure.search(row["hypothesis"]):
                yield _finding(sheet, line, row["claim"], "hypothesis", row["hypothesis"], error)


def _in_settings(
    material: Material, error: Finding, study: str, wrong: float, right: float
) -> Iterator[Finding]:
    """Yields findings for capacities that round a wrong number of I/O operations, and not the right one."""
    role = role_of(error.column)
    if role is None or role.kind != "iops":
        return
    for sheet in material.with_columns("variable", "value"):
        for line, row in sheet.rows:
            figure = parse_figure(row["value"])
            if figure is None or row.get("study", "") != study or not _CAPACITY.search(row["variable"]):
                continue
            rounded = in_prose(figure)
            low, high = rounded.value - rounded.step / 2, rounded.value + rounded.step / 2
            if low <= wrong <= high and not low <= right <= high:
                yield _finding(sheet, line, row["variable"], "value", row["value"], error)


def _finding(sheet: Sheet, line: int, row: str, column: str, printed: str, error: Finding) -> Finding:
    return sheet.finding(
        RULE.name,
        "warning",
        "high",
        row,
        column,
        line,
        printed,
        error.expected,
        f"rests on {error.printed} ({error.file}, {error.row}), where {error.expected} is right",
        error.sign,
    )


RULE = Rule(
    "repeated-errors",
    "claims and settings that rest on a figure which is wrong",
    _check,
    kind="words",
    must="no claim and no setting rests on a figure that an identity, or the processor's model, contradicts",
)
