"""Measures what share of planted faults the audit finds, by class, and its findings on the same files without
them.

`python tests/audit/recall.py 200` prints the table of docs/method/audit.md.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path

from assay.results.audit import Finding, audit
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


if __name__ == "__main__":
    each = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for make in CLASSES:
        one = measure(make, range(each))
        title = (make.__doc__ or "").strip().rstrip(".")
        print(f"| {title} | {one.planted} | {100 * one.found / one.planted:.0f} % | {one.false_alarms} |")
        if one.missed:
            print("missed", one.missed[:20], file=sys.stderr)
