"""The rule that a count which a tool prints twice is one count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule

_AGAIN = re.compile(r"(?:^|_)sum(?=_|$)")


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        pairs: list[tuple[Cell, Cell]] = []
        for row in table.rows.values():
            for name, again in row.items():
                once = _AGAIN.sub("", name).strip("_")
                if once != name and once in row:
                    pairs.append((row[once], again))
        off = [(one, again) for one, again in pairs if one.value != again.value]
        same = [one for one, again in pairs if one.value == again.value and one.value]
        if not off or len(same) < 3:
            continue
        one, again = max(off, key=lambda pair: abs(pair[1].value - pair[0].value))
        yield replace(
            at(
                again,
                RULE.name,
                "warning",
                "medium",
                expected=one.figure.text,
                sign=f"{one.metric} is {one.figure.text}, {again.metric} {again.figure.text}:"
                f" {len(off)} counts are printed with two values",
                second_sign=f"{len(same)} others are the same in both",
            )
        )


RULE = Rule(
    "two-counts",
    "counts that are printed twice, with two values",
    _check,
    kind="arithmetic",
    must="a count that a tool prints twice has one value",
)
