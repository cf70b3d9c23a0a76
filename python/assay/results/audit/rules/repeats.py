"""The rule that differences rest on repeated runs, and that their spread is published."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from assay.results.audit.claims import printed_claims
from assay.results.audit.figure import parse_figure
from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule
from assay.results.audit.statements import Statement, by_study, is_repeated

_VARIATION = re.compile(
    r"statistical(?:ly)?\s+(?:variation|signific\w+|noise|error)"
    r"|within (?:the )?(?:noise|variation|error|variance)"
    r"|error bars?|统计误差|误差范围|statistisch\w* (?:schwankung|signifikan)",
    re.IGNORECASE,
)
_ORDER = re.compile(r"[<>~]|\b(?:faster|slower|higher|lower|more|less|better|worse|falls|rises)\b")
_SPREAD = re.compile(r"stdev|stddev|std\b|deviation|variance|\bcv\b|interval|±|\bci\b|runs?_?(?:min|max)")
_RATES = ("tps", "qps", "iops", "bandwidth", "tpmc")
_SMALL = 0.05
_VALLEY = 0.02
_LEAST_CLAIMS = 3


def _check(material: Material) -> Iterator[Finding]:
    facts, settings = by_study(material, "fact"), by_study(material, "setting")
    for study, claims in by_study(material, "claim").items():
        if not study:
            continue
        repeated, spread = is_repeated(material, study), _prints_spread(material, study)
        if not repeated and not spread:
            yield from _variation(claims)
            if study in facts:
                yield from _single_runs(material, study, claims)
            yield from _valleys(material, study, claims)
        if repeated and not spread:
            yield from _no_spread(settings.get(study, []), claims)


def _prints_spread(material: Material, study: str) -> bool:
    return any(
        _SPREAD.search(cell.metric.lower())
        for cell in material.cells
        if cell.study == study and "latency" not in cell.metric and "per_job" not in cell.metric
    )


def _variation(claims: list[Statement]) -> Iterator[Finding]:
    """Yields findings for claims about a variation that nobody measured."""
    for one in claims:
        if found := _VARIATION.search(one.text):
            yield one.finding(
                RULE.name,
                expected="repeated runs, and their spread",
                sign=f"it says {found[0]!r}, and the study has no repeated runs to know a variation from",
                second="no file of the study states repeats, a deviation or an interval",
            )


def _single_runs(material: Material, study: str, claims: list[Statement]) -> Iterator[Finding]:
    """Yields one finding a study of which many claims compare single runs."""
    of_order = [one for one in claims if _ORDER.search(one.text)]
    if len(of_order) < _LEAST_CLAIMS:
        return
    small = [
        (one.least, one.claim)
        for one in printed_claims(material)
        if one.study == study and one.least is not None and one.least < _SMALL
    ]
    has_tables = any(cell.study == study for cell in material.cells)
    rests = f"{min(small)[1]} rests on {100 * min(small)[0]:.1f} %" if small else ""
    second = rests or (
        "" if has_tables else f"{len(of_order)} claims compare figures of which none is printed"
    )
    first = of_order[0]
    names = ", ".join(one.name for one in of_order[:8])
    yield replace(
        first.finding(
            RULE.name,
            expected="repeated runs, and their spread",
            sign=f"{len(of_order)} claims compare runs ({names} …), and no file says that any was repeated",
            second=second,
            row=study,
            printed="single runs",
        ),
        column="hypothesis",
    )


def _no_spread(settings: list[Statement], claims: list[Statement]) -> Iterator[Finding]:
    """Yields findings for studies that made several runs and print their means alone."""
    stated = next((one for one in settings if one.name.lower() in ("repeats", "runs", "repetitions")), None)
    if stated is not None and len(claims) >= _LEAST_CLAIMS:
        yield stated.finding(
            RULE.name,
            expected="the least and the greatest run, or a deviation",
            sign=f"figures are of {stated.text} runs, and no table has their spread",
            second=f"{len(claims)} claims compare the means",
        )


def _valleys(material: Material, study: str, claims: list[Statement]) -> Iterator[Finding]:
    """Yields findings for claims about a setting whose single runs fall and rise again with it."""
    text = " ".join(one.text.lower() for one in claims)
    for (factor, _), cells in _sweeps(material, study).items():
        ordered = [cells[size] for size in sorted(cells)]
        for before, here, after in zip(ordered, ordered[1:], ordered[2:], strict=False):
            below = 1 - here.value / min(before.value, after.value)
            words = [word for word in factor.lower().split("_") if len(word) > 4]
            if below > _VALLEY and words and words[-1] in text:
                yield at(
                    here,
                    RULE.name,
                    "warning",
                    "low",
                    expected="figures that go one way, or repeated runs",
                    sign=f"{here.figure.text} at {factor}={here.level(factor)} lies {100 * below:.1f} % below"
                    f" both neighbours, {before.figure.text} and {after.figure.text}: no order of the levels",
                    second_sign="each level is one run, and claims rest on their order",
                )


def reversal(material: Material, study: str) -> float:
    """Returns the largest share by which single runs of a study fall and rise again along one setting: that
    much is noise, or no order.
    """
    found = [0.0]
    for cells in _sweeps(material, study).values():
        ordered = [cells[size].value for size in sorted(cells)]
        for before, here, after in zip(ordered, ordered[1:], ordered[2:], strict=False):
            found.append(1 - here / min(before, after) if min(before, after) > 0 else 0.0)
    return max(found)


def _sweeps(material: Material, study: str) -> dict[tuple[str, str], dict[float, Cell]]:
    """Returns rates without a load point by the number that one factor alone varies."""
    tables: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for cell in material.cells:
        role = role_of(cell.metric, cell.unit)
        if cell.study == study and cell.rung is None and role and role.kind in _RATES and role.stat == "mean":
            tables[cell.table, cell.metric].append(cell)
    found: dict[tuple[str, str], dict[float, Cell]] = {}
    for (table, metric), cells in tables.items():
        varied = [
            name
            for name, _ in cells[0].levels
            if len({cell.level(name) for cell in cells}) == len(cells) >= 3
            and all(parse_figure(cell.level(name)) for cell in cells)
        ]
        if len(varied) == 1:
            sizes = {figure.value: cell for cell in cells if (figure := parse_figure(cell.level(varied[0])))}
            found[varied[0], f"{table} {metric}"] = sizes
    return found


RULE = Rule(
    "repeats",
    "differences that rest on single runs, or on means without their spread",
    _check,
    kind="conditions",
    must="claims that compare figures rest on repeated runs, and the spread of repeated runs is "
    "printed; single runs do not fall and rise again along a setting",
)
