"""Reads `[[gate]]` tables into rules, with claims that refer to the study's own factors and measures."""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.study.checks.cross_check import resolve, unused_margin
from assay.design.study.checks.hypotheses import claim_problems, placed, read_at
from assay.design.study.checks.problems import Problem
from assay.design.study.claims import Claim, ComparisonClaim, parse_claim
from assay.design.study.model.design import Design
from assay.design.study.model.factor import Factor
from assay.design.study.model.file import StudyFile
from assay.design.study.model.gate import GateRule, GateTable
from assay.design.study.model.load import Load


def read_gates(
    file: StudyFile, load: Load, design: Design, factors: tuple[Factor, ...], *, measured: bool
) -> tuple[tuple[GateRule, ...], list[Problem]]:
    """Returns the gates, and the problems with them. `measured`: see `read_hypotheses`."""
    rules: list[GateRule] = []
    problems = list(_ids(file))
    for number, table in enumerate(file.gate):
        here = ("gate", number)
        try:
            at, complaints = read_at(table.at, load)
        except ValueError as error:
            problems.append(Problem((*here, "at"), str(error)))
            continue
        problems += [Problem((*here, *where), sentence) for where, sentence in complaints]
        try:
            claim = resolve(placed(parse_claim(table.claim), at, "gate"), factors)
        except ValueError as error:
            problems.append(Problem((*here, "claim"), str(error)))
            continue
        found = claim_problems(claim, file, load, design, factors, measured=measured)
        problems += [Problem((*here, "claim"), sentence) for sentence in found]
        if not measured and (sentence := _margin_problem(claim, table)):
            problems.append(Problem((*here, "margin"), sentence))
        rules.append(table.with_claim(claim))
    return tuple(rules), problems


def _ids(file: StudyFile) -> Iterator[Problem]:
    ids = [table.id for table in file.gate if table.id is not None]
    for number, table in enumerate(file.gate):
        if table.id is not None and ids.count(table.id) > 1:
            yield Problem(("gate", number, "id"), f'"{table.id}" is the id of {ids.count(table.id)} gates')


def _margin_problem(claim: Claim, table: GateTable) -> str | None:
    """Returns the sentence about a margin that has no effect, or that is missing where only a margin can make
    the claim true.
    """
    if table.margin:
        return None if claim.uses_margin else unused_margin()
    links = [link for part in claim.parts if isinstance(part, ComparisonClaim) for link in part.links]
    if any(link.relation == "~" and link.by is None for link in links):
        return "must be above 0 for ~: without a margin no interval is ever within it; write margin = 0.02"
    return None
