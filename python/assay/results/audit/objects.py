"""Turns an audit into plain objects, for JSON; the reference of the audit describes them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from assay.results.audit.auditing import Audit
from assay.results.audit.claims import PrintedClaim
from assay.results.audit.model import Finding

VERSION = 1
_PARTS = ("table", "column", "cell", "line")


def as_object(audit: Audit) -> dict[str, Any]:
    """Returns the whole audit: what was read, findings, notes, and the tables' answers to claims."""
    return {
        "version": VERSION,
        "tables": audit.tables,
        "figures": audit.figures,
        "left_over": {part: sum(one.part == part for one in audit.left) for part in _PARTS},
        "decoded": list(audit.decoded),
        "left": [asdict(one) for one in audit.left],
        "findings": [_finding(one) for one in audit.findings],
        "notes": [_finding(one) for one in audit.notes],
        "claims": [_claim(one) for one in audit.claims],
    }


def _finding(one: Finding) -> dict[str, Any]:
    known = asdict(one)
    return known | {"second_sign": one.second_sign or None, "line": one.line or None}


def _claim(one: PrintedClaim) -> dict[str, Any]:
    return {
        "claim": one.claim,
        "file": one.file,
        "line": one.line,
        "study": one.study,
        "text": one.text,
        "outcome": one.outcome,
        "said": one.said,
        "comparisons": one.asked,
        "misses": [
            {
                "table": miss.cell.table,
                "row": miss.cell.row,
                "column": miss.cell.metric,
                "said": miss.said,
                "by": miss.by,
            }
            for miss in one.misses
        ],
    }
