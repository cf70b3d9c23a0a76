"""Carries out one audit: applies every rule to what was read, and sorts the findings, worst first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.results.audit.claims import PrintedClaim, printed_claims
from assay.results.audit.model import Finding, LeftOver, Material
from assay.results.audit.reading import read_material
from assay.results.audit.rules import RULES, Rule

_RANK = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class Audit:
    """What an audit found, worst first. `claims` are those that the tables can answer, `left` is what of the
    files was not read.
    """

    findings: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    claims: tuple[PrintedClaim, ...]
    tables: int
    figures: int
    left: tuple[LeftOver, ...] = ()
    decoded: tuple[str, ...] = ()


def audit(paths: Sequence[Path]) -> Audit:
    """Audits files and results folders together. Raises InputError when they hold no table."""
    return audit_of(read_material(paths))


def audit_of(material: Material, rules: Iterable[Rule] = RULES) -> Audit:
    """Audits material that was read already."""
    said = {rule: tuple(dict.fromkeys(rule.check(material))) for rule in rules}
    rows = {
        (one.rule, one.file, place)
        for found in said.values()
        for one in found
        if one.severity != "note"
        for place in _places(one)
    }
    found = sorted(
        {
            one: None
            for rule in said
            for one in said[rule]
            if not any((other, one.file, place) in rows for other in rule.unless for place in _places(one))
        },
        key=lambda one: (_RANK[one.severity], one.file, one.line, one.rule, one.column),
    )
    return Audit(
        tuple(one for one in found if one.severity != "note"),
        tuple(one for one in found if one.severity == "note"),
        tuple(printed_claims(material)),
        len(material.tables) + len(material.unnamed),
        len(material.cells) + sum(material.unnamed),
        material.left,
        material.decoded,
    )


def _places(one: Finding) -> tuple[str | int, ...]:
    """Returns the row of a finding, and its line: rows of one line have different names in a wide table."""
    return (one.row, one.line) if one.line else (one.row,)
