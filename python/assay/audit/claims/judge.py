"""Compares statements with printed figures: how many comparisons there are, which fail, and by how much."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from assay.audit.claims.reader import Best, Course, Level, Order, Relation, Statement
from assay.audit.figure import in_prose, parse_figure
from assay.audit.metrics import SECONDS, role_of, seconds
from assay.audit.model import Cell, Material
from assay.audit.selecting import Rungs, Wanted, fits, rungs_of, vocabulary, wanted

_RATES = ("tps", "qps", "iops", "bandwidth", "tpmc")
_SAME = 0.05  # "the same" without an interval
_NOT_WORSE = 0.01


@dataclass(frozen=True)
class Miss:
    """One comparison that fails: its place, the printed figures, and the share by which it fails."""

    cell: Cell
    said: str
    by: float
    sign: str = ""  # what else of the tables says so


@dataclass
class Tried:
    """The comparisons made for one statement."""

    asked: int = 0
    misses: list[Miss] = field(default_factory=list)
    least: float | None = None

    def add(self, cell: Cell, said: str, short: float, *, lead: bool = True, sign: str = "") -> None:
        """Adds one comparison; `short` is the share by which it fails, negative where it holds (the lead, for
        an order).
        """
        self.asked += 1
        if short > 0:
            self.misses.append(Miss(cell, said, short, sign))
        elif lead:
            self.least = min(-short, self.least if self.least is not None else -short)


def tried(material: Material, study: str, scope: str, statement: Statement) -> Tried:
    """Compares the statement with every table of the study that has what it names."""
    known = vocabulary(material, study)
    cells = [cell for cell in material.cells if cell.study == study and fits(cell, _scope(known, scope))]
    match statement:
        case Order():
            return _order(cells, known, scope, statement)
        case Level():
            return _level(cells, known, scope, statement)
        case Best():
            return _best(cells, known, statement)
        case Course():
            return _course(cells, known, scope, statement)


def _scope(known: Mapping[str, set[str]], scope: str) -> dict[str, frozenset[str]]:
    found = wanted(known, scope)
    workloads = {
        one
        for one in known.get("workload", ())
        if any(word and one.startswith(word) for word in re.split(r"[ ,;]+", scope))
    }
    return found | ({"workload": frozenset(workloads)} if workloads else {})


def _kinds(*phrases: str) -> tuple[str, ...]:
    text = " ".join(phrases).lower()
    named = [
        kind
        for kind in ("tps", "qps", "iops", "latency", "load", "tpmc")
        if re.search(rf"(?<![a-z]){kind}", text)
    ]
    if "throughput" in text:
        named += ["bandwidth", "iops"]
    if "load_time" in text:
        return ("load_time",)
    return tuple(named) or _RATES


def _is(cell: Cell, kinds: tuple[str, ...], phrase: str = "") -> bool:
    if cell.metric in kinds:
        return True
    role = role_of(cell.metric, cell.unit)
    if role is None or role.kind not in kinds or re.search("job|group|status", cell.metric):
        return False
    if role.kind == "latency" and "avg" not in phrase:
        return role.stat == "max"
    return role.stat == "mean" and role.part in ("", "total")


def _where(scope: str, *phrases: str) -> Rungs:
    return next((found for text in (*phrases, scope) if (found := rungs_of(text))), lambda rung: True)


def _order(cells: list[Cell], known: Mapping[str, set[str]], scope: str, one: Order) -> Tried:
    result = Tried()
    for first, second in _pairs(cells, known, _where(scope, one.context, one.right), one, scope):
        said = f"{first.metric} {first.figure.text} against {second.figure.text}"
        short = _short(one.relation, first.value / second.value)
        result.add(first, said, short, lead=one.relation in (">", "<"))
    return result


def _pairs(
    cells: list[Cell], known: Mapping[str, set[str]], rungs: Rungs, one: Order, scope: str
) -> Iterator[tuple[Cell, Cell]]:
    """Yields pairs of cells that differ in one factor only, with the levels of the left and the right
    phrase.
    """
    if _unknown_measure(one.left):
        return
    left, right = wanted(known, one.left), wanted(known, one.right)
    if (bare := re.fullmatch(r"\w*\((\d+)\)", one.right)) and len(left) == 1:
        name = next(iter(left))
        right = {name: frozenset({bare[1]})} if bare[1] in known[name] else {}
    factors = {name for name in left.keys() & right.keys() if left[name] != right[name]}
    if len(factors) != 1 or left.keys() != right.keys():
        return
    kinds = _kinds(one.left, one.right, scope)
    sides: list[dict[tuple[object, ...], list[Cell]]] = []
    for levels in (left, right):
        found: dict[tuple[object, ...], list[Cell]] = defaultdict(list)
        for cell in cells:
            if fits(cell, levels) and _is(cell, kinds, one.left) and (cell.rung is None or rungs(cell.rung)):
                rest = tuple(level for level in cell.levels if level[0] not in factors)
                found[cell.file, cell.table, cell.metric, rest, cell.rung].append(cell)
        sides.append(found)
    for key, own in sides[0].items():
        for first in own:
            yield from (
                (first, second) for second in sides[1].get(key, []) if min(first.value, second.value) > 0
            )


def _unknown_measure(phrase: str) -> bool:
    """Returns whether a term such as `recovery_time(5.5)` names a measure that no table has."""
    return "(" in phrase and _kinds(phrase.partition("(")[0]) == _RATES and not phrase.startswith("(")


def _short(relation: Relation, ratio: float) -> float:
    match relation:
        case ">":
            return 1 - ratio if ratio != 1 else 1e-9
        case "<":
            return ratio - 1 if ratio != 1 else 1e-9
        case ">=":
            return 1 - ratio - _NOT_WORSE
        case "<=":
            return ratio - 1 - _NOT_WORSE
        case "~" | "=":
            return abs(ratio - 1) - _SAME


def _level(cells: list[Cell], known: Mapping[str, set[str]], scope: str, one: Level) -> Tried:
    result = Tried()
    levels, kinds = wanted(known, one.phrase), _kinds(one.phrase)
    rungs = _where(scope, one.context, one.phrase)
    if "/" in one.phrase:
        return _ratio(cells, known, scope, one)
    if kinds == _RATES or "highest" in one.phrase:
        return result
    for cell in cells:
        if (
            fits(cell, levels)
            and _is(cell, kinds, one.phrase)
            and levels
            and (cell.rung is None or rungs(cell.rung))
        ):
            value = seconds(cell.value, cell.unit) / SECONDS[one.unit] if one.unit in SECONDS else cell.value
            said = f"{cell.metric} {cell.figure.text} {cell.unit} against {one.value:g} {one.unit}".rstrip()
            if value > 0 and one.value > 0:
                result.add(cell, said, _short(one.relation, value / one.value) - _rounding(one), lead=False)
    return result


def _rounding(one: Level) -> float:
    """Returns the rounding of a stated figure as a share: half of its second digit, where it says "about"."""
    figure = parse_figure(f"{one.value:g}")
    return in_prose(figure).step / 2 / one.value if figure and one.relation == "~" else 0.0


def _ratio(cells: list[Cell], known: Mapping[str, set[str]], scope: str, one: Level) -> Tried:
    """Compares a stated factor, as in `qps(indexed)/qps(unindexed) ~ 1000`, with every pair of the tables."""
    result = Tried()
    above, _, under = one.phrase.partition("/")
    if one.value <= 0:
        return result
    pairs = _pairs(cells, known, _where(scope, one.context), Order(above, ">", under, ""), scope)
    for first, second in pairs:
        ratio = first.value / second.value
        said = (
            f"{first.metric} {first.figure.text} / {second.figure.text} = {ratio:.4g} against {one.value:g}"
        )
        result.add(first, said, _short(one.relation, ratio / one.value) - _rounding(one), lead=False)
    return result


def _best(cells: list[Cell], known: Mapping[str, set[str]], one: Best) -> Tried:
    result = Tried()
    names = [name for name, levels in known.items() if set(one.levels) <= levels]
    named = [name for name in names if name in one.context or len(one.levels) > 1]
    factor = next(iter(named), None)
    if factor is None:
        return result
    groups: dict[tuple[object, ...], dict[str, Cell]] = defaultdict(dict)
    for cell in cells:
        if cell.level(factor) and _is(cell, _kinds(one.context)):
            rest = tuple(level for level in cell.levels if level[0] != factor)
            key = (cell.file, cell.table, cell.metric, rest, None if one.overall else cell.rung)
            held = groups[key].get(cell.level(factor))
            if held is None or held.value < cell.value:
                groups[key][cell.level(factor)] = cell
    for found in groups.values():
        if one.best in found and len(found) > 1:
            own = found[one.best]
            level, top = max(
                ((k, v) for k, v in found.items() if k != one.best), key=lambda item: item[1].value
            )
            said = f"{own.metric} {own.figure.text}; {factor}={level} has {top.figure.text}"
            result.add(own, said, top.value / own.value - 1)
    return result


def _course(cells: list[Cell], known: Mapping[str, set[str]], scope: str, one: Course) -> Tried:
    result = Tried()
    levels = wanted(known, one.phrase)
    for curve in _curves(cells, levels, _kinds(one.phrase), one.phrase):
        ladder = sorted(curve)
        if one.does == "collapses" and one.threads in curve:
            place = ladder.index(one.threads)
            before, here = (curve[ladder[max(place - 1, 0)]], curve[one.threads])
            later = [
                rung
                for low, rung in zip(ladder[place:], ladder[place + 1 :], strict=False)
                if curve[rung].value < 0.95 * curve[low].value
            ]
            said = f"{here.metric} {before.figure.text} at the rung before, {here.figure.text} here"
            sign = f"it falls from {later[0]:g}" if later else ""
            result.add(here, said, here.value / before.value - 0.95, lead=False, sign=sign)
            continue
        for low, rung in itertools.pairwise(ladder):
            first, second = curve[low], curve[rung]
            if first.value > 0:
                step = second.value / first.value - 1
                said = f"{second.metric} {first.figure.text} at {low:g}, {second.figure.text} at {rung:g}"
                result.add(second, said, -step if one.does == "rises" else step)
    return result


def _curves(
    cells: list[Cell], levels: Wanted, kinds: tuple[str, ...], phrase: str
) -> Iterator[dict[float, Cell]]:
    found: dict[tuple[object, ...], dict[float, Cell]] = defaultdict(dict)
    for cell in cells:
        if cell.rung is not None and fits(cell, levels) and _is(cell, kinds, phrase):
            found[cell.series][cell.rung] = cell
    yield from (curve for curve in found.values() if len(curve) >= 3)
