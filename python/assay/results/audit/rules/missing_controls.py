"""The rule that a comparison has both sides: each server of it, and a series along what a claim is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from assay.results.audit.model import Finding, Material
from assay.results.audit.reading.words import axis_of
from assay.results.audit.rules.rule import Rule
from assay.results.audit.statements import Statement, by_study

_ALONG = re.compile(
    r"\b(?P<measure>\w+)\((?P<factor>[a-z_]+)\)\s+(?:saturates?|peaks?|levels? off|collapses?|has a knee)"
)
_SERVER = re.compile(r"[A-Za-z]*[ ]?\d+\.\d+")
_LEAST = 3


def _check(material: Material) -> Iterator[Finding]:
    for charts in by_study(material, "chart").values():
        yield from _one_server(charts)
    options = by_study(material, "option")
    for study, claims in by_study(material, "claim").items():
        for claim in claims:
            if found := _ALONG.search(claim.text):
                yield from _no_series(material, claim, found, options.get(study, []))


def _servers(chart: Statement) -> frozenset[str]:
    """Returns the servers that a chart's series name, by the number of their version."""
    named = [
        re.findall(r"\d+\.\d+", found[0]) for one in chart.text.split(";") if (found := _SERVER.search(one))
    ]
    return frozenset(one[0] for one in named if one)


def _one_server(charts: list[Statement]) -> Iterator[Finding]:
    """Yields findings for charts of one of the servers that the other charts compare."""
    compared = Counter(servers for one in charts if len(servers := _servers(one)) >= 2)
    if not compared:
        return
    all_ = compared.most_common(1)[0][0]
    for one in charts:
        servers = _servers(one)
        if len(servers) == 1 and servers < all_:
            others = ", ".join(sorted(all_ - servers))
            yield replace(
                one.finding(
                    RULE.name,
                    expected=f"a series of {others}",
                    sign=f"the chart has {one.text}, and nothing of {others}",
                    second=f"{compared[all_]} charts of the study compare {', '.join(sorted(all_))}",
                    row=one.name,
                ),
                column="series",
            )


def _no_series(
    material: Material, claim: Statement, found: re.Match[str], options: list[Statement]
) -> Iterator[Finding]:
    """Yields findings for claims about a course along something that no table varies."""
    factor = found["factor"]
    set_to = {one.text for one in options if one.name.lower() == factor}
    if not axis_of(factor) and not set_to:
        return
    levels = {cell.level(factor) for cell in material.cells if cell.study == claim.study} - {""}
    rungs = {
        cell.rung for cell in material.cells if cell.study == claim.study and cell.axis == axis_of(factor)
    }
    if len(levels) >= _LEAST or (axis_of(factor) and len(rungs) >= _LEAST):
        return
    known = ", ".join(sorted(set_to | levels)) or "none"
    yield replace(
        claim.finding(
            RULE.name,
            expected=f"figures at several values of {factor}",
            sign=f"the claim is about {found['measure']} along {factor}, and no table varies {factor}",
            second=f"all that the study measured has {factor} {known}" if set_to else "no file has it",
        ),
        column="hypothesis",
    )


RULE = Rule(
    "missing-controls",
    "comparisons without their other side, claims without their series",
    _check,
    kind="conditions",
    must="charts have each server that is compared; a claim about a course has a table along it",
)
