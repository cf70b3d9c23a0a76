"""The rule that levels which are compared were measured on one machine."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

_RATES = ("tps", "qps", "iops", "bandwidth", "latency")
_TOO_COMMON = re.compile(r"[\d.]*|on|off|yes|no|all|none|true|false|.")


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("host", "attribute", "value"):
        studies: dict[str, dict[str, list[tuple[int, str]]]] = defaultdict(lambda: defaultdict(list))
        for line, row in sheet.rows:
            if row["host"]:
                studies[row.get("study", "")][row["host"]].append((line, row["value"].lower()))
        for study, hosts in studies.items():
            if len(hosts) > 1:
                yield from _of_study(material, sheet, study, hosts)


def _of_study(
    material: Material, sheet: Sheet, study: str, hosts: dict[str, list[tuple[int, str]]]
) -> Iterator[Finding]:
    """Yields a finding for each factor with levels that only one of the machines has."""
    levels: dict[str, dict[str, Cell]] = defaultdict(dict)
    for cell in material.cells:
        role = role_of(cell.metric, cell.unit)
        if cell.study == study and role is not None and role.kind in _RATES:
            for factor, level in cell.levels:
                levels[factor].setdefault(level, cell)
    for factor, cells in levels.items():
        places = {level: found for level in cells if (found := _hosts_with(level, hosts))}
        apart = [
            (one, other)
            for one, other in combinations(places, 2)
            if not places[one].keys() & places[other].keys() and cells[one].table == cells[other].table
        ]
        if not apart:
            continue
        one, other = apart[0]
        here, there = next(iter(places[one])), next(iter(places[other]))
        yield Finding(
            RULE.name,
            "warning",
            "high",
            cells[one].file,
            cells[one].table,
            f"{factor}={one} / {other}",
            factor,
            cells[one].line,
            f"{one} on {here}, {other} on {there}",
            "all levels on one machine",
            f"{sheet.file} has {one} on {here} and {other} on {there}: the machines differ with the level",
            f"line {places[one][here]} and line {places[other][there]} say so",
        )


def _hosts_with(level: str, hosts: dict[str, list[tuple[int, str]]]) -> dict[str, int]:
    """Returns the machines whose facts name a level, each with the line of the fact."""
    if _TOO_COMMON.fullmatch(level.lower()):
        return {}
    word = re.compile(rf"(?<![\w+.-]){re.escape(level.lower())}(?![\w+-])")
    return {
        host: line for host, facts in hosts.items() for line, text in reversed(facts) if word.search(text)
    }


RULE = Rule(
    "hosts",
    "levels that are compared, and were measured on different machines",
    _check,
    kind="conditions",
    must="levels that are compared were measured on one machine",
)
