"""The rule that facts of one host, stated twice, agree: versions in two attributes of one kind."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator

from assay.results.audit.model import Finding, Material
from assay.results.audit.rules.rule import Rule

_VERSION = re.compile(r"\d+(?:\.\d+){1,3}")


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("attribute", "value"):
        facts: dict[tuple[str, str, str], list[tuple[int, str, str]]] = defaultdict(list)
        for line, row in sheet.rows:
            stem = row["attribute"].split("_")[0]
            facts[row.get("study", ""), row.get("host", row.get("variable", "")), stem].append(
                (line, row["attribute"], row["value"])
            )
        for (_, host, stem), found in facts.items():
            for (_, name, value), (line, other, again) in itertools.pairwise(found):
                if (
                    _VERSION.sub("#", value) == _VERSION.sub("#", again)
                    and value != again
                    and "#" in _VERSION.sub("#", value)
                ):
                    served = [text for text in _versions(material) if text in again or text in value]
                    yield sheet.finding(
                        RULE.name,
                        "error",
                        "high",
                        host or stem,
                        other,
                        line,
                        again,
                        value,
                        f"{name} says {value}, {other} says {again}",
                        "both name the same programs of one host"
                        + (f"; results name {served[0]}" if served else ""),
                    )


def _versions(material: Material) -> list[str]:
    return sorted({cell.level("server") for cell in material.cells if cell.level("server")})


RULE = Rule(
    "facts",
    "one host's facts, stated twice with two values",
    _check,
    kind="words",
    must="one host's facts are the same wherever they are stated",
)
