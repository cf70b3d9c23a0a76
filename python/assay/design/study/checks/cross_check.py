"""Checks claims and the parts of a study against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.design.study.checks.screen_check import not_of_a_screen
from assay.design.study.claims import (
    Band,
    Claim,
    ClaimPart,
    ComparisonClaim,
    CourseClaim,
    CrossoverClaim,
    Selector,
)
from assay.design.study.claims.axes import Axis, Between, Beyond, OneOf, ordered, within
from assay.design.study.claims.kind import nodes, rewritten
from assay.design.study.claims.knee import Bend
from assay.design.study.claims.terms import Among
from assay.design.study.model.design import Design
from assay.design.study.model.factor import Factor
from assay.design.study.model.load import Load
from assay.design.study.nearest import did_you_mean
from assay.design.study.values import COPY, Scalar, level_text

Levels = dict[str, Scalar | Among]


def resolve(claim: Claim, factors: Sequence[Factor]) -> Claim:
    """Returns the claim with full factor names and the study's own levels. Raises ValueError, which names
    what does not exist.
    """

    def change(found: object) -> object:
        if isinstance(found, Selector):
            return _selector(found, factors)
        if isinstance(found, Axis) and not found.is_time and not (found.is_load and not _varied(found.name)):
            return Axis(_factor(found.name, factors).name)
        return found

    def _varied(name: str) -> bool:
        return any(factor.short_name == name for factor in factors)

    found = rewritten(claim, change)
    return replace(found, parts=tuple(_others_filled_in(part, factors) for part in found.parts))


def _selector(found: Selector, factors: Sequence[Factor]) -> Selector:
    found = _depth_as_level(found, factors)
    levels = tuple(_level(name, level, factors) for name, level in found.levels)
    names = [name for name, _ in levels]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f'"{found}" names the factor "{name}" twice')
    return replace(found, levels=levels)


def _others_filled_in(part: ClaimPart, factors: Sequence[Factor]) -> ClaimPart:
    """Returns the part with `other` and `some` replaced by the levels that it does not name elsewhere."""
    said: dict[str, list[Scalar]] = {}
    for selector in (one for one in nodes(part) if isinstance(one, Selector)):
        for name, level in selector.levels:
            if not isinstance(level, Among):
                said.setdefault(name, []).append(level)
            elif level.word == "or":
                said.setdefault(name, []).extend(level.levels)
    levels_of = {factor.name: factor.levels for factor in factors}

    def filled_in(name: str, level: Scalar | Among) -> Scalar | Among:
        if not isinstance(level, Among) or level.word == "or":
            return level
        short = name.rpartition(".")[2]
        if level.word == "other" and name not in said:
            raise ValueError(f'"{short}=other" needs another side that names a level of "{short}"')
        rest = tuple(one for one in levels_of[name] if one not in said.get(name, []))
        if not rest:
            raise ValueError(f'"{short}" has no level besides those that the claim names')
        return replace(level, levels=rest)

    def change(found: object) -> object:
        if isinstance(found, Selector):
            levels = tuple((name, filled_in(name, level)) for name, level in found.levels)
            return replace(found, levels=levels)
        return found

    return rewritten(part, change)


def _depth_as_level(selector: Selector, factors: Sequence[Factor]) -> Selector:
    """Returns the selector with `iodepth` as a level where the study varies it as a factor; otherwise it is a
    rung.
    """
    if selector.load_kind != "iodepth" or all(factor.short_name != "iodepth" for factor in factors):
        return selector
    return Selector((*selector.levels, ("iodepth", level_text(selector.load or 0.0))))


def unreachable(claim: Claim, load: Load, design: Design, factors: Sequence[Factor]) -> Iterator[str]:
    """Yields sentences about selectors of a resolved claim that match no treatment or no rung of the
    study.
    """
    baseline = {factor.name: factor.levels[0] for factor in factors}
    for part in claim.parts:
        for point in part.points:
            if sentence := rung_problem(point, load):
                yield sentence
    for selector in (one for one in nodes(claim) if isinstance(one, Selector)):
        if selector.load is not None:
            yield from _no_such_rung(selector, load)
        changed = [
            name
            for name, level in selector.levels
            if baseline[name] not in (level.levels if isinstance(level, Among) else (level,))
        ]
        if design.kind == "one-at-a-time" and len(changed) > 1:
            yield (
                f'"{selector}" leaves the baseline in {len(changed)} factors, but the design is'
                ' one-at-a-time; compare with the first levels, or use kind = "factorial"'
            )
    yield from _axes(claim, load, factors)
    yield from _less_than_nothing(claim)
    if design.screens:
        yield from not_of_a_screen(claim, factors)


def _less_than_nothing(claim: Claim) -> Iterator[str]:
    """Yields a sentence about each share by which no positive value can be less than another."""
    for node in nodes(claim):
        bands: tuple[Band | None, ...] = ()
        if isinstance(node, ComparisonClaim):
            pairs = zip(node.bands, node.relations, strict=True)
            bands = tuple(by for by, relation in pairs if relation == "<")
        elif isinstance(node, CourseClaim) and node.direction == "falls":
            bands = (node.by,)
        for by in bands:
            if by is not None and by.unit == "%" and (by.low >= 100 or (by.high or 0.0) > 100):
                yield (
                    f'is less "{by}", a share of the right side or of the first point: nothing positive is'
                    " less by 100 %; for half of it write by 50 % or by 2 x"
                )


def _axes(claim: Claim, load: Load, factors: Sequence[Factor]) -> Iterator[str]:
    """Yields sentences about axes that the study does not have, that lack a needed order, or whose range is
    empty.
    """
    for node in nodes(claim):
        axis = getattr(node, "axis", None)
        for each in getattr(node, "axes", ()) if axis is None else (axis,):
            if each.is_load and each.name != load.kind:
                yield f"goes over {each}, but the study's ladder is [load] {load.kind}"
                return
        if axis is None:
            continue
        if axis.is_time:
            if not isinstance(node, CourseClaim):
                yield 'time is an axis of "rises", "falls" and "is flat" alone'
            continue
        levels = load.rungs if axis.is_load else _factor(axis.name, factors).levels
        yield from _points(node, axis, levels)


def _points(node: object, axis: Axis, levels: Sequence[Scalar]) -> Iterator[str]:
    listed = ", ".join(map(level_text, levels))
    steps = isinstance(node, Bend | CrossoverClaim) or (
        isinstance(node, CourseClaim) and node.direction != "is flat"
    )
    if steps and not ordered(levels):
        short = axis.name.rpartition(".")[2]
        yield f'the levels of "{short}" [{listed}] have no order: nothing rises, falls or bends along them'
    elif steps and len(levels) < 2:
        yield f"{axis} has one point [{listed}]: nothing rises, falls or bends along it"
    where = getattr(node, "where", None)
    if isinstance(where, Between | Beyond | OneOf):
        if isinstance(where, Between | Beyond) and not ordered(levels):
            yield f'"{where}" is a range, but the levels of {axis} [{listed}] have no order: write = a|b'
        elif isinstance(where, OneOf):
            for point in where.points:
                if not within(OneOf((point,)), levels):
                    yield f'"{level_text(point)}" is not on {axis} [{listed}]'
        elif not within(where, levels):
            yield f'no point of {axis} [{listed}] lies in "{where}"'


def nothing_to_compare(claim: Claim, design: Design, factors: Sequence[Factor]) -> Iterator[str]:
    """Yields a sentence for each pair of a resolved claim whose sides select exactly the same treatments."""
    for baseline, other in claim.pairs:
        if baseline.measure != other.measure or baseline.summary != other.summary:
            continue
        if baseline.window != other.window:
            continue
        if baseline.selector.load != other.selector.load:
            continue
        first, second = dict(baseline.selector.levels), dict(other.selector.levels)
        if any(isinstance(level, Among) for level in (*first.values(), *second.values())):
            continue  # one of several levels is another: `other` and `some` see to that
        if first == second or (design.kind == "one-at-a-time" and not _differ(first, second, factors)):
            yield (
                f'"{other}" and "{baseline}" select the same treatments and no other: each would be compared'
                " with itself; name levels that differ"
            )


def _differ(one: Levels, other: Levels, factors: Sequence[Factor]) -> bool:
    """Returns whether a design that leaves its baseline in one factor at a time has two treatments to
    compare.
    """
    baseline: dict[str, Scalar] = {factor.name: factor.levels[0] for factor in factors}
    changed = [{factor.name: level} for factor in factors for level in factor.levels[1:]]
    treatments = [baseline, *(baseline | change for change in changed)]
    others = baseline.keys() - one.keys() - other.keys()
    for here in (t for t in treatments if one.items() <= t.items()):
        for there in (t for t in treatments if other.items() <= t.items()):
            if here != there and all(here[name] == there[name] for name in others):
                return True
    return False


def unused_margin() -> str:
    """Returns the sentence about a margin that has no effect."""
    return (
        "has no effect here: a comparison with a figure after >, <, >=, <= or = uses the figure alone,"
        " and the best point, a knee, a crossover and a bottleneck are found without a margin. It belongs"
        ' to ~ and to comparisons of treatments: write "a >= b" for "not less by more than the margin"'
    )


def rung_problem(point: float, load: Load) -> str | None:
    """Returns a sentence when the ladder lacks this load point, otherwise None."""
    if point in load.rungs:
        return None
    near = level_text(min(load.rungs, key=lambda rung: abs(rung - point)))
    ladder = ", ".join(level_text(rung) for rung in load.rungs)
    return f"{load.kind}={level_text(point)} is not on the ladder [{ladder}]; the nearest rung is {near}"


def _no_such_rung(selector: Selector, load: Load) -> Iterator[str]:
    assert selector.load is not None
    if selector.load_kind != load.kind:
        yield f"names {selector.load_kind}, but the study's ladder is [load] {load.kind}"
    elif sentence := rung_problem(selector.load, load):
        yield sentence


def _level(name: str, written: Scalar | Among, factors: Sequence[Factor]) -> tuple[str, Scalar | Among]:
    factor = _factor(name, factors)
    if isinstance(written, Among):
        return factor.name, replace(written, levels=tuple(_its(factor, one) for one in written.levels))
    return factor.name, _its(factor, written)


def _factor(name: str, factors: Sequence[Factor]) -> Factor:
    """Returns the factor with this short or full name. Raises ValueError, which names the nearest one."""
    found = [factor for factor in factors if name in (factor.name, factor.short_name)]
    if not found and name == COPY:
        raise ValueError(
            f'the study has no factor "{COPY}"; for how far runs of a treatment scatter write tps(cv, runs)'
        )
    if not found:
        if not factors:
            raise ValueError(f'names "{name}", but the study has no factor; add a [[factor]], or drop it')
        known = [factor.short_name for factor in factors]
        raise ValueError(f'the study has no factor "{name}"{did_you_mean(name, known)}')
    if len(found) > 1:
        full = " or ".join(f'"{factor.name}"' for factor in found)
        raise ValueError(f'"{name}" could be {full}; write the full name')
    return found[0]


def _its(factor: Factor, written: Scalar) -> Scalar:
    """Returns the factor's own level with this text. Raises ValueError, which names the nearest one."""
    text = str(written)
    for level in factor.levels:
        if text == level_text(level) or (isinstance(level, bool) and text.lower() in _BOOLEAN[level]):
            return level
    levels = [level_text(level) for level in factor.levels]
    raise ValueError(f'"{factor.short_name}" has no level "{text}"{did_you_mean(text, levels)}')


_BOOLEAN = {True: ("on", "true", "1", "yes"), False: ("off", "false", "0", "no")}
