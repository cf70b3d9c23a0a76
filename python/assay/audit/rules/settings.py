"""The rule that compared servers have equal settings in force."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from assay.audit.model import Finding, Material, Sheet
from assay.audit.rules.rule import Rule

_WHERE = re.compile(r"dir$|socket|port|^log$|pid|user|ledir|password|server_id|_file$|slow")
_FALSE, _TRUE = {"0", "no", "off", "false"}, {"1", "yes", "on", "true"}

Settings = dict[str, tuple[int, str]]


def _check(material: Material) -> Iterator[Finding]:
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
        here, there = settings.get(variable), others.get(variable)
        if here and there and _meant(here[1]) == _meant(there[1]):
            continue
        if here and there and "log_group" in variable:
            continue
        found = here or there
        assert found is not None
        missing = "not set"
        yield Finding(
            RULE.name,
            "warning" if both else "note",
            "medium" if both else "low",
            sheet.file,
            sheet.file.rsplit(".", 1)[0],
            variable,
            f"{name} / {other_name}",
            found[0],
            f"{here[1] if here else missing} / {there[1] if there else missing}",
            "the same on both",
            f"{variable} is {here[1] if here else missing} on {name}"
            f" and {there[1] if there else missing} on {other_name}",
            both,
        )


def _meant(value: str) -> str:
    text = value.lower()
    return "off" if text in _FALSE else "on" if text in _TRUE else text


RULE = Rule("settings", "settings in force on one of two servers that are compared", _check)
