"""The rule that a conclusion repeats the figures that were stated before it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from assay.results.audit.figure import Figure, in_prose, parse_figure
from assay.results.audit.model import Finding, Material
from assay.results.audit.rules.rule import Rule

_CONCLUSION = re.compile(r"\b(?:conclusion|summary|abstract|overall|in all|结论|总结)", re.IGNORECASE)
_ROUND = 0.05
_LEAST = 2


@dataclass(frozen=True)
class _Stated:
    line: int
    figure: Figure
    unit: str
    condition: str


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("quantity", "value", "unit"):
        stated: dict[tuple[str, str, str], list[_Stated]] = defaultdict(list)
        for line, row in sheet.rows:
            figure = parse_figure(row["value"])
            if figure is not None:
                said = _Stated(line, in_prose(figure), row["unit"], row.get("condition", ""))
                stated[row.get("study", ""), row["quantity"], row["unit"]].append(said)
        for (_, quantity, unit), some in stated.items():
            before = [one for one in some if not _CONCLUSION.search(one.condition)]
            if len(before) < _LEAST:
                continue
            low = min(one.figure.low for one in before) * (1 - _ROUND)
            high = max(one.figure.high for one in before) * (1 + _ROUND)
            for one in some:
                if one not in before and not (one.figure.high >= low and one.figure.low <= high):
                    texts = ", ".join(dict.fromkeys(said.figure.text for said in before))
                    yield sheet.finding(
                        RULE.name,
                        "warning",
                        "high",
                        quantity,
                        "value",
                        one.line,
                        f"{one.figure.text} {unit}".strip(),
                        texts,
                        f"the conclusion says {one.figure.text}, the text before it {texts}",
                        f"lines {', '.join(str(said.line) for said in before)} say otherwise",
                    )


RULE = Rule(
    "conclusions",
    "conclusions against the figures stated before them",
    _check,
    kind="words",
    must="a conclusion repeats the figures that were stated before it",
)
