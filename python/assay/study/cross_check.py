"""What no single key can know: whether the parts of a study fit each other, and what its claims speak of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.study.claims import Claim, Selector, Term
from assay.study.models import Design, Factor, Load
from assay.study.nearest import did_you_mean
from assay.study.values import Scalar, level_text

Levels = dict[str, Scalar]


def resolve(claim: Claim, factors: Sequence[Factor]) -> Claim:
    """The claim with full factor names and the study's own levels. ValueError names what does not exist."""

    def term(found: Term) -> Term:
        found = replace(found, selector=_depth_as_level(found.selector, factors))
        levels = tuple(_level(name, level, factors) for name, level in found.selector.levels)
        names = [name for name, _ in levels]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f'"{found}" names the factor "{name}" twice')
        return replace(found, selector=replace(found.selector, levels=levels))

    return claim.with_terms(term)


def _depth_as_level(selector: Selector, factors: Sequence[Factor]) -> Selector:
    """`iodepth` is a rung of the ladder, or a level where the study varies it as a factor."""
    if selector.load_kind != "iodepth" or all(factor.short_name != "iodepth" for factor in factors):
        return selector
    return Selector((*selector.levels, ("iodepth", level_text(selector.load or 0.0))))


def unreachable(claim: Claim, load: Load, design: Design, factors: Sequence[Factor]) -> Iterator[str]:
    """Sentences about selectors of a resolved claim that match no treatment or no rung of the study."""
    baseline = {factor.name: factor.levels[0] for factor in factors}
    for point in claim.points:
        if sentence := rung_problem(point, load):
            yield sentence
    for term in claim.terms:
        selector = term.selector
        if selector.load is not None:
            yield from _no_such_rung(selector, load)
        changed = [name for name, level in selector.levels if level != baseline[name]]
        if design.kind == "one-at-a-time" and len(changed) > 1:
            yield (
                f'"{term}" leaves the baseline in {len(changed)} factors, but the design is one-at-a-time; '
                'compare with the first levels, or use kind = "factorial"'
            )


def nothing_to_compare(claim: Claim, design: Design, factors: Sequence[Factor]) -> Iterator[str]:
    """A sentence for each pair of a resolved claim whose sides mean the same treatments and no other."""
    for baseline, other in claim.pairs:
        if baseline.measure != other.measure or baseline.selector.load != other.selector.load:
            continue
        first, second = dict(baseline.selector.levels), dict(other.selector.levels)
        if first == second or (design.kind == "one-at-a-time" and not _differ(first, second, factors)):
            yield (
                f'"{other}" and "{baseline}" select the same treatments and no other: each would be compared'
                " with itself; name levels that differ"
            )


def _differ(one: Levels, other: Levels, factors: Sequence[Factor]) -> bool:
    """Whether a design that leaves its baseline in one factor at a time has two treatments to compare."""
    baseline: Levels = {factor.name: factor.levels[0] for factor in factors}
    changed = [{factor.name: level} for factor in factors for level in factor.levels[1:]]
    treatments = [baseline, *(baseline | change for change in changed)]
    others = baseline.keys() - one.keys() - other.keys()
    for here in (t for t in treatments if one.items() <= t.items()):
        for there in (t for t in treatments if other.items() <= t.items()):
            if here != there and all(here[name] == there[name] for name in others):
                return True
    return False


def unused_margin(claim: Claim) -> str | None:
    """A sentence when a margin beside this claim would change nothing."""
    if claim.uses_margin:
        return None
    return (
        "has no effect here: a figure after >, <, >=, <= or = is held against the figure alone. A margin"
        ' belongs to ~ and to treatments against each other: write "a >= b" for "not less by more than the'
        ' margin"'
    )


def rung_problem(point: float, load: Load) -> str | None:
    """A sentence when the ladder lacks this load point."""
    if point in load.rungs:
        return None
    near = level_text(min(load.rungs, key=lambda rung: abs(rung - point)))
    ladder = ", ".join(level_text(rung) for rung in load.rungs)
    return f"{load.kind}={level_text(point)} is not on the ladder [{ladder}]; the nearest rung is {near}"


def _no_such_rung(selector: Selector, load: Load) -> Iterator[str]:
    assert selector.load is not None
    if selector.load_kind != load.kind:
        yield f"speaks of {selector.load_kind}, but the study's ladder is [load] {load.kind}"
    elif sentence := rung_problem(selector.load, load):
        yield sentence


def _level(name: str, written: Scalar, factors: Sequence[Factor]) -> tuple[str, Scalar]:
    found = [factor for factor in factors if name in (factor.name, factor.short_name)]
    if not found:
        if not factors:
            raise ValueError(f'speaks of "{name}", but the study has no factor; add a [[factor]], or drop it')
        known = [factor.short_name for factor in factors]
        raise ValueError(f'the study has no factor "{name}"{did_you_mean(name, known)}')
    if len(found) > 1:
        full = " or ".join(f'"{factor.name}"' for factor in found)
        raise ValueError(f'"{name}" could be {full}; write the full name')
    factor = found[0]
    text = str(written)
    for level in factor.levels:
        if text == level_text(level) or (isinstance(level, bool) and text.lower() in _BOOLEAN[level]):
            return factor.name, level
    levels = [level_text(level) for level in factor.levels]
    raise ValueError(f'"{factor.short_name}" has no level "{text}"{did_you_mean(text, levels)}')


_BOOLEAN = {True: ("on", "true", "1", "yes"), False: ("off", "false", "0", "no")}
