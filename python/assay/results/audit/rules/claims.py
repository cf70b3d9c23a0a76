"""The rule that claims in words hold in the printed tables, and do not rest on single runs."""

from __future__ import annotations

from collections.abc import Iterator

from assay.results.audit.claims import PrintedClaim, printed_claims
from assay.results.audit.model import Finding, Material
from assay.results.audit.rules.repeats import reversal
from assay.results.audit.rules.rule import Rule

_SMALL = 0.05
"""Difference below which single runs decide nothing: starts of one server on one machine differ by 5 to 10 %
(docs/method/statistics.md).
"""


def _check(material: Material) -> Iterator[Finding]:
    for found in printed_claims(material):
        if found.misses:
            yield _misses(found)
        elif found.least is not None and found.least < _SMALL and _single(material, found.study):
            yield _alone(found, reversal(material, found.study))


def _misses(found: PrintedClaim) -> Finding:
    worst = max(found.misses, key=lambda miss: miss.by)
    many = [miss for miss in found.misses if miss.by > 0.01]
    second = worst.sign
    if len(found.misses) >= 2 and many:
        second = f"{len(found.misses)} comparisons fail, {len(many)} of them by more than 1 %"
    places = "; ".join(
        dict.fromkeys(f"{miss.cell.table} {miss.cell.row}: {miss.said}" for miss in found.misses[:4])
    )
    return Finding(
        RULE.name,
        "warning" if second else "note",
        "medium" if second else "low",
        found.file,
        _stem(found.file),
        found.claim,
        "hypothesis",
        found.line,
        found.text,
        worst.said,
        f"{found.said}: {places}",
        second,
    )


def _alone(found: PrintedClaim, noise: float) -> Finding:
    within = found.least is not None and found.least <= noise
    return Finding(
        RULE.name,
        "warning" if within else "note",
        "low",
        found.file,
        _stem(found.file),
        found.claim,
        "hypothesis",
        found.line,
        found.text,
        "repeated runs",
        f"{found.said}; no table states repeated runs",
        f"single runs of the study fall and rise again by {100 * noise:.1f} % along one setting"
        if within
        else "",
    )


def _stem(file: str) -> str:
    return file.rsplit(".", 1)[0]


def _single(material: Material, study: str) -> bool:
    for sheet in material.with_columns("setting", "value"):
        if any(
            row.get("study", "") == study and row["setting"] in ("repeats", "runs", "blocks")
            for _, row in sheet.rows
        ):
            return False
    return material.repeats.get(study, 1) < 2


RULE = Rule(
    "claims",
    "claims in words against the tables; conclusions from single runs",
    _check,
    kind="words",
    must="claims in words, and sentences around tables, hold in the tables, without intervals; small "
    "differences of single runs are noted",
)
