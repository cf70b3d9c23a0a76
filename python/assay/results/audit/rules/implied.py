"""The rule that shares and differences in prose imply one figure: 22 % less, which are 5,500, make 25,000.

Two such pairs of one study that name the same thing must imply the same of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.base.numbers import number
from assay.results.audit.figure import Figure, in_prose, parse_figure
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

_NEAR = 0.03
Bounds = tuple[float, float]


@dataclass(frozen=True)
class _Said:
    line: int
    name: str
    figure: Figure
    unit: str
    condition: str


@dataclass(frozen=True)
class _Implied:
    """What a share and its difference make of one thing; two bounds where the base of the share is open."""

    said: _Said
    difference: _Said
    name: str
    bounds: tuple[Bounds, ...]

    def agrees(self, other: _Implied) -> bool:
        return any(
            low <= high_other * (1 + _NEAR) and low_other <= high * (1 + _NEAR)
            for low, high in self.bounds
            for low_other, high_other in other.bounds
        )

    @property
    def in_words(self) -> str:
        return f"{self.said.figure.text} % and a difference of {self.difference.figure.text}"

    @property
    def value(self) -> str:
        return " or ".join(number((low + high) / 2) for low, high in self.bounds)


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("quantity", "value", "unit"):
        groups: dict[str, dict[str, list[_Said]]] = defaultdict(lambda: defaultdict(list))
        for line, row in sheet.rows:
            figure = parse_figure(row["value"])
            if figure is not None:
                said = _Said(line, row["quantity"], in_prose(figure), row["unit"], row.get("condition", ""))
                groups[row.get("study", "")][row.get("source_line", "")].append(said)
        for sentences in groups.values():
            names = {
                name
                for group in sentences.values()
                for said in group
                if (found := re.fullmatch(r"(\w+?)_below_(\w+)", said.name))
                for name in found.groups()
            }
            implied = [one for group in sentences.values() for one in _of_sentence(group, names)]
            contradictions = list(_contradictions(sheet, implied))
            yield from contradictions
            if contradictions:
                yield from (one for group in sentences.values() if (one := _of_other_base(sheet, group)))


def _of_sentence(group: Sequence[_Said], names: set[str]) -> Iterator[_Implied]:
    """Yields what the pairs of a sentence imply: `x_below_y` with `y_minus_x`, an advantage with its
    difference.
    """
    for said in group:
        if said.unit != "%" or not 0 < said.figure.value < 100:
            continue
        low, high = said.figure.low / 100, (said.figure.value + said.figure.step / 2) / 100
        if found := re.fullmatch(r"(\w+?)_below_(\w+)", said.name):
            lower, upper = found.groups()
            other = next((one for one in group if one.name == f"{upper}_minus_{lower}"), None)
            if other is not None:
                base = _base(other, low, high)
                yield _Implied(said, other, upper, (base,))
                yield _Implied(said, other, lower, (_less(base, other),))
        elif re.search(r"advantage|lead|gain|share", said.name):
            other = next((one for one in group if one.name == "difference"), None)
            if other is not None:
                base = _base(other, low, high)
                more = (base[0] + other.figure.value, base[1] + other.figure.value)
                words = re.split(r"\W+", said.condition.lower())
                for name in names & set(words):
                    yield _Implied(said, other, name, (base, more, _less(base, other)))


def _of_other_base(sheet: Sheet, group: Sequence[_Said]) -> Finding | None:
    """Returns a finding where shares "below" agree with each other only as shares of the lower figure."""
    lower: dict[str, list[Bounds]] = defaultdict(list)
    upper: dict[str, list[Bounds]] = defaultdict(list)
    shares = []
    for said in group:
        found = re.fullmatch(r"(\w+?)_below_(\w+)", said.name)
        minus = f"{found[2]}_minus_{found[1]}" if found else ""
        other = next((one for one in group if one.name == minus), None)
        if found is None or other is None or said.unit != "%" or not 0 < said.figure.value < 100:
            continue
        shares.append(said)
        base = _base(other, said.figure.low / 100, (said.figure.value + said.figure.step / 2) / 100)
        more = (base[0] + other.figure.value, base[1] + other.figure.value)
        for names, low, high in ((lower, base, more), (upper, _less(base, other), base)):
            names[found[1]].append(low)
            names[found[2]].append(high)
    if len(shares) < 3 or _agree(upper) or not _agree(lower):
        return None
    first = shares[0]
    return sheet.finding(
        RULE.name,
        "warning",
        "medium",
        ", ".join(said.name for said in shares),
        "value",
        first.line,
        ", ".join(f"{said.figure.text} %" for said in shares),
        "shares of the higher figure, or the word above",
        "the shares are said to be of the higher figure, and fit the differences only as those of the lower",
        f"taken so, all {len(shares)} of them make one figure of each thing, within {100 * _NEAR:.0f} %",
    )


def _agree(names: dict[str, list[Bounds]]) -> bool:
    return all(
        low <= other_high * (1 + _NEAR) and other_low <= high * (1 + _NEAR)
        for bounds in names.values()
        for low, high in bounds
        for other_low, other_high in bounds
    )


def _base(difference: _Said, low: float, high: float) -> Bounds:
    half = difference.figure.step / 2
    return (difference.figure.value - half) / high, (difference.figure.value + half) / low


def _less(base: Bounds, difference: _Said) -> Bounds:
    return base[0] - difference.figure.value, base[1] - difference.figure.value


def _contradictions(sheet: Sheet, implied: Sequence[_Implied]) -> Iterator[Finding]:
    """Yields a finding for each pair of figures that implies something else than the first pair about it."""
    first: dict[str, _Implied] = {}
    told: set[int] = set()
    for one in sorted(implied, key=lambda one: (len(one.bounds), one.said.line)):
        known = first.setdefault(one.name, one)
        if one is known or one.agrees(known) or one.said.line in told:
            continue
        told.add(one.said.line)
        yield sheet.finding(
            RULE.name,
            "error",
            "medium",
            one.said.name,
            "value",
            one.said.line,
            f"{one.said.figure.text} %, {one.difference.figure.text} {one.difference.unit}",
            f"figures that make {one.name} {known.value}",
            f"{one.in_words} make {one.name} {one.value}",
            f"{known.in_words} make it {known.value} (line {known.said.line})",
        )


RULE = Rule(
    "implied",
    "shares and differences in prose that imply one figure",
    _check,
    kind="words",
    must="a share and its difference make one figure of a thing, the same as any other share of it",
)
