"""Measures what share of planted faults the audit finds, by class, and its findings on the same files without
them.

`python tests/audit/recall.py 200` writes the tables of docs/method/audit.md.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path

from assay.results.audit import RULES, Finding, audit
from classes_of_faults import CLASSES
from fault_cases import Case, Files


@dataclass
class Recall:
    """Faults of one class: how many were planted, found as often as planted, and findings without them."""

    planted: int = 0
    found: int = 0
    false_alarms: int = 0
    missed: tuple[int, ...] = ()  # seeds


def measure(make: Callable[[random.Random], Case], seeds: range) -> Recall:
    """Plants one fault of a class for each seed."""
    result = Recall()
    for seed in seeds:
        case = make(random.Random(seed))
        named = [
            one
            for one in findings(case.faulty)
            if one.rule in case.rule.split("|") and _names(one, case.must)
        ]
        result.planted += 1
        result.found += len(named) >= case.least
        result.missed += (seed,) if len(named) < case.least else ()
        result.false_alarms += len(findings(case.clean))
    return result


def findings(files: Files) -> tuple[Finding, ...]:
    """Audits these files alone."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        return audit([Path(folder) / name for name in files]).findings


def _names(finding: Finding, must: str) -> bool:
    return any(must in str(field) for field in astuple(finding))


PAGE = Path(__file__).parents[2] / "docs" / "method" / "audit.md"
_GROUNDS = {
    "arithmetic": "sums, products and counts",
    "physics": "what no machine can do",
    "shape": "the course along the load",
    "copies": "figures in two places",
    "words": "text against figures, and against text",
    "settings": "settings",
    "conditions": "how it was measured",
}


def table_of_rules() -> str:
    """Returns the table of rules, in the order of their grounds."""
    rows = [
        f"| {ground} | `{rule.name}` | {rule.must} |\n"
        for kind, ground in _GROUNDS.items()
        for rule in RULES
        if rule.kind == kind
    ]
    return "| ground | rule | what must be so |\n|---|---|---|\n" + "".join(rows)


def table_of_recall(each: int) -> str:
    """Returns the table of planted faults by class, with as many faults of each."""
    rows = []
    for make in CLASSES:
        one = measure(make, range(each))
        title = (make.__doc__ or "").strip().rstrip(".").replace("\n   ", "")
        share = f"{100 * one.found / one.planted:.0f} %"
        rows.append(f"| {title} | {one.planted} | {share} | {one.false_alarms} |\n")
        if one.missed:
            print(make.__name__, "missed", one.missed[:20], file=sys.stderr)
    return "| planted fault | planted | found | findings without it |\n|---|---|---|---|\n" + "".join(rows)


def with_table(page: str, table: str) -> str:
    """Returns a page in which the table with this head has these rows."""
    head = re.escape(table.splitlines()[0])
    return re.sub(rf"{head}\n(?:\|.*\n)*", lambda _: table, page)


if __name__ == "__main__":
    each = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_table(with_table(page, table_of_rules()), table_of_recall(each)), encoding="utf-8")
