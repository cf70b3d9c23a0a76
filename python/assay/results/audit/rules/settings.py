"""The rule that compared servers have equal settings in force."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

_WHERE = re.compile(r"dir$|socket|port|^log$|pid|user|ledir|password|server_id|_file$|slow")
_FALSE, _TRUE = {"0", "no", "off", "false"}, {"1", "yes", "on", "true"}

_SHARED_SECTIONS = ("mysqld", "client", "mysql", "mysqladmin", "mysqld_safe", "mysqldump", "server", "")

_NEEDS = {"query_cache_type": ("query_cache_size", "0")}
"""Variables, each with the one that switches them off and its value."""

Settings = dict[str, tuple[int, str]]


def _check(material: Material) -> Iterator[Finding]:
    yield from _of_runs(material)
    yield from _of_sections(material)
    for sheet in material.with_columns("server", "variable", "value"):
        servers: dict[str, Settings] = defaultdict(dict)
        for line, row in sheet.rows:
            if row.get("active", "yes") == "yes" and row.get("section", "mysqld").startswith("mysqld"):
                servers[row["server"]][row["variable"]] = (line, row["value"])
        compared = {cell.level("server") for cell in material.cells}
        for one, other in combinations(servers, 2):
            both = (
                f"results of both are compared in {_where(material, one)}" if {one, other} <= compared else ""
            )
            yield from _differences(sheet, (one, servers[one]), (other, servers[other]), both)


def _where(material: Material, server: str) -> str:
    return next(cell.file for cell in material.cells if cell.level("server") == server)


def _differences(
    sheet: Sheet, one: tuple[str, Settings], other: tuple[str, Settings], both: str
) -> Iterator[Finding]:
    name, settings = one
    other_name, others = other
    for variable in sorted({*settings, *others}, key=lambda text: (settings.get(text) or others[text])[0]):
        if _WHERE.search(variable) and not variable.startswith("innodb"):
            continue
        if any(_is_without_effect(variable, of) for of in (settings, others)):
            continue
        here, there = settings.get(variable), others.get(variable)
        if here and there and _meant(here[1]) == _meant(there[1]):
            continue
        if here and there and "log_group" in variable:
            continue
        found = here or there
        assert found is not None
        missing = "not set"
        yield sheet.finding(
            RULE.name,
            "warning" if both else "note",
            "medium" if both else "low",
            variable,
            f"{name} / {other_name}",
            found[0],
            f"{here[1] if here else missing} / {there[1] if there else missing}",
            "the same on both",
            f"{variable} is {here[1] if here else missing} on {name}"
            f" and {there[1] if there else missing} on {other_name}",
            both,
        )


def _is_without_effect(variable: str, settings: Settings) -> bool:
    """Returns whether another setting of a server makes one meaningless."""
    switch, off = _NEEDS.get(variable, ("", ""))
    return switch in settings and settings[switch][1] == off


def _of_sections(material: Material) -> Iterator[Finding]:
    """Yields findings for settings that only one of several servers has, each in a section of its own."""
    for sheet in material.with_columns("section", "variable", "value"):
        if sheet.has("server"):
            continue
        sections: dict[str, Settings] = defaultdict(dict)
        for line, row in sheet.rows:
            if row["section"] not in _SHARED_SECTIONS and row.get("active", "yes") == "yes":
                sections[row["section"]][row["variable"]] = (line, row["value"])
        for one, other in combinations(sections, 2):
            both = "the sections are of the servers that one study compares"
            yield from _differences(sheet, (one, sections[one]), (other, sections[other]), both)


def _of_runs(material: Material) -> Iterator[Finding]:
    """Yields findings for parameters in words that differ between the runs of two servers."""
    for sheet in material.with_columns("server", "metric", "result"):
        servers: dict[str, Settings] = defaultdict(dict)
        for line, row in sheet.rows:
            if row.get("unit", "") == "text":
                servers[row["server"]][row["metric"]] = (line, row["result"])
        for one, other in combinations(servers, 2):
            for name in servers[one].keys() & servers[other].keys():
                here, there = servers[one][name], servers[other][name]
                if here[1] != there[1]:
                    printed = f"{here[1] or 'nothing'} / {there[1] or 'nothing'}"
                    yield sheet.finding(
                        RULE.name,
                        "warning",
                        "medium",
                        name,
                        f"{one} / {other}",
                        here[0],
                        printed,
                        "the same on both",
                        f"{name} is {printed}: the runs were not made alike",
                        f"results of both are compared in {sheet.file}",
                    )


def _meant(value: str) -> str:
    text = value.lower()
    return "off" if text in _FALSE else "on" if text in _TRUE else text


RULE = Rule(
    "settings",
    "settings in force on one of two servers that are compared",
    _check,
    kind="settings",
    must="servers that are compared have the same settings",
)
