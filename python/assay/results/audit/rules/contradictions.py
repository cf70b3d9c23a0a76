"""The rule that the claims of one study do not contradict each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations

from assay.results.audit.model import Finding, Material
from assay.results.audit.rules.rule import Rule
from assay.results.audit.statements import UNKNOWN, Statement, by_study

_CALLS = re.compile(r"(\w+)\(([^()=]+)\)\s*(>|<|~)(?!=)\s*(\w+)\(([^()=]+)\)")
_NAMES = re.compile(r"^([A-Z]\w+[\w .-]*?)\s*(>|<|~)\s*([A-Z]\w+[\w .-]*)$")
_NO_EFFECT = re.compile(
    r"spread of \w+ over (?P<f>\w+)\b.*\bsmall"
    r"|(?P<g>\w+) (?:has|have) (?:no|~ ?0) effect|independent of (?P<h>\w+)"
)
_EFFECT = re.compile(
    r"(\w+)\((?:[^()]*,\s*)?(\w+)=([\w.%]+)\)\s*[<>](?!=)\s*\1\((?:[^()]*,\s*)?\2=([\w.%]+)\)"
)


@dataclass(frozen=True)
class _Order:
    """What a claim says of two things: `sign` is >, < or ~; `measure` is empty where it means all."""

    claim: Statement
    measure: str
    first: str
    sign: str
    other: str


def _check(material: Material) -> Iterator[Finding]:
    for claims in by_study(material, "claim").values():
        orders = [one for claim in claims if (one := _order(claim))]
        yield from _against_equal(orders)
        yield from _effects(material, claims)


def _order(claim: Statement) -> _Order | None:
    if found := _CALLS.search(claim.text):
        measure, first, sign, again, other = found.groups()
        return _Order(claim, measure, _bare(first), sign, _bare(other)) if measure == again else None
    if found := _NAMES.match(claim.text.strip()):
        return _Order(claim, "", _bare(found[1]), found[2], _bare(found[3]))
    return None


def _bare(name: str) -> str:
    """Returns a name without its version, `MariaDB 10.1` as `mariadb`; a version alone stays."""
    words = name.strip().lower().split()
    return words[0] if words else ""


def _against_equal(orders: list[_Order]) -> Iterator[Finding]:
    """Yields findings for an order over everything beside an equality in a part of it."""
    for whole, part in permutations(orders, 2):
        same = {whole.first, whole.other} == {part.first, part.other}
        if not same or whole.measure or whole.sign == "~" or part.sign != "~":
            continue
        scope, inner = whole.claim.condition.lower(), part.claim.condition.lower()
        if inner.split(",")[0].strip() not in scope:
            continue
        yield replace(
            whole.claim.finding(
                RULE.name,
                expected=f"the same, or less, where {part.claim.name} says so",
                sign=f"{whole.claim.text} for {whole.claim.condition}, and {part.claim.name} says"
                f" {part.claim.text} for {part.claim.condition}",
                second=f"line {part.claim.line} is of a part of what this claim is about",
            ),
            column="hypothesis",
        )


def _effects(material: Material, claims: list[Statement]) -> Iterator[Finding]:
    """Yields findings for a setting that has an effect in one claim and none in another, of loads unknown."""
    for claim in claims:
        found = _EFFECT.search(claim.text)
        if found is None or not _is_of_unknown_load(material, claim.study, found[2]):
            continue
        for other in claims:
            none = _NO_EFFECT.search(other.text)
            factor = next((name for name in none.groups() if name), "") if none else ""
            if factor and factor == found[2]:
                yield replace(
                    claim.finding(
                        RULE.name,
                        expected="the loads of both, which would explain it",
                        sign=f"{claim.text}, and {other.name} says: {other.text}",
                        second=f"the load of the first is not stated, so nothing tells them apart"
                        f" (line {other.line})",
                    ),
                    column="hypothesis",
                )


def _is_of_unknown_load(material: Material, study: str, factor: str) -> bool:
    """Returns whether the figures that vary a factor, by its name or the end of it, do not say their load."""
    return any(
        cell.level("workload").lower() in UNKNOWN and any(name.endswith(factor) for name, _ in cell.levels)
        for cell in material.cells
        if cell.study == study
    )


RULE = Rule(
    "contradictions",
    "claims of one study that contradict each other",
    _check,
    kind="words",
    must="claims of one study do not contradict each other",
)
