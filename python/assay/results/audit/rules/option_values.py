"""The rule that settings are ones that their program takes: suffixes of sizes, options of another test."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

_WITH_BYTES = re.compile(r"\d+(?:\.\d+)?\s*[kKMGTPE]i?[bB]")
_SUFFIX = re.compile(r"\d+[kKMGTPE]")
_OF_TESTS = {"file-": ("oltp", "select", "update", "insert", "point", "bulk"), "oltp-": ("fileio",)}
"""Beginnings of sysbench's options, each with the tests that have none of them."""


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("variable", "value"):
        if sheet.has("attribute"):
            continue
        right = [row["value"] for _, row in sheet.rows if _SUFFIX.fullmatch(row["value"].strip())]
        for line, row in sheet.rows:
            if _WITH_BYTES.fullmatch(row["value"].strip()) and row.get("active", "yes") == "yes":
                yield _finding(
                    sheet,
                    line,
                    row["variable"],
                    "value",
                    row["value"],
                    row["value"].strip()[:-1].rstrip("i"),
                    f"the server takes K, M, G after a size, and refuses {row['value']}",
                    f"{len(right)} other sizes, such as {right[0]}, are written so" if right else "",
                )
    for sheet in material.with_columns("workload", "setting", "value"):
        for line, row in sheet.rows:
            setting, workload = row["setting"].replace("_", "-").lower(), row["workload"].lower()
            for beginning, tests in _OF_TESTS.items():
                if setting.startswith(beginning) and workload.startswith(tests):
                    yield _finding(
                        sheet,
                        line,
                        f"{row['workload']}, {row['setting']}",
                        "setting",
                        row["setting"],
                        "an option of this test",
                        f"sysbench's {workload} has no option {row['setting']}",
                        f"options that begin with {beginning} are of another test",
                    )


def _finding(
    sheet: Sheet, line: int, row: str, column: str, printed: str, expected: str, sign: str, second: str
) -> Finding:
    return sheet.finding(
        RULE.name,
        "warning" if second else "note",
        "high" if second else "low",
        row,
        column,
        line,
        printed,
        expected,
        sign,
        second,
    )


RULE = Rule(
    "option-values",
    "settings that their program does not take",
    _check,
    kind="settings",
    must="settings are ones that their program takes: `8G`, not `8GB`; no option of another test",
)
