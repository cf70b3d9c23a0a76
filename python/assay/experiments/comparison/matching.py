"""Finds which axis and level of one grid corresponds to which of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assay.base.errors import InputError
from assay.design.storage import size
from assay.design.study import number
from assay.experiments.comparison.grid import Grid, GridAxis


@dataclass(frozen=True)
class PairedAxis:
    """An axis that both grids have. `levels`: pairs, left and right, that correspond."""

    name: str
    left: int
    right: int
    levels: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Matched:
    """Two grids on common axes. `fixed`: the level of each further axis, by its number, left and right."""

    axes: tuple[PairedAxis, ...]
    fixed: tuple[Mapping[int, str], Mapping[int, str]]
    notes: tuple[str, ...]


def match(left: Grid, right: Grid, at: Mapping[str, str] | None = None) -> Matched:
    """Returns the common axes of two grids with their common levels.

    Axes are the same when they share a setting's name; a single axis left over on each side is paired with
    the other where one has all levels of the other, with a note. Levels are the same when they read the same,
    or stand in the same order where none does. `at` chooses levels of the other axes by name; without it the
    level that the other grid has throughout, otherwise the first. Raises InputError where grids that vary
    something have no axis in common, where an axis has no level in common, and where `at` names what does not
    exist.
    """
    notes: list[str] = []
    pairs = _pairs(left, right, notes)
    if not pairs and left.axes and right.axes:
        raise InputError(
            f"{left.name} and {right.name} have no axis in common:"
            f" {_named(left.axes)} against {_named(right.axes)}"
        )
    axes = tuple(_paired(left.axes[one], right.axes[other], (one, other), notes) for one, other in pairs)
    wanted = dict(at or {})
    _check(wanted, (left, right), {one.name for one in axes})
    fixed = (
        _fixed(left, {one.left for one in axes}, {**right.fixed, **wanted}, notes),
        _fixed(right, {one.right for one in axes}, {**left.fixed, **wanted}, notes),
    )
    return Matched(axes, fixed, tuple(notes))


def _pairs(left: Grid, right: Grid, notes: list[str]) -> list[tuple[int, int]]:
    pairs = [
        (one, other)
        for one, axis in enumerate(left.axes)
        for other, its in enumerate(right.axes)
        if axis.names & its.names
    ]
    ours = [number for number in range(len(left.axes)) if number not in {one for one, _ in pairs}]
    theirs = [number for number in range(len(right.axes)) if number not in {other for _, other in pairs}]
    if len(ours) == 1 and len(theirs) == 1:
        one, other = left.axes[ours[0]], right.axes[theirs[0]]
        if len(_alike(one.levels, other.levels)) >= max(2, min(len(one.levels), len(other.levels))):
            notes.append(f"{one.name} is paired with {other.name}: nothing else that they vary differs")
            pairs.append((ours[0], theirs[0]))
    return pairs


def _paired(one: GridAxis, other: GridAxis, numbers: tuple[int, int], notes: list[str]) -> PairedAxis:
    levels = _alike(one.levels, other.levels)
    both_rise = is_ordered(one.levels) and is_ordered(other.levels)
    if not levels and both_rise and len(one.levels) == len(other.levels):
        levels = tuple(zip(_in_order(one.levels), _in_order(other.levels), strict=True))
        said = ", ".join(f"{mine} for {its}" for mine, its in levels)
        notes.append(f"levels of {one.name} are paired in their order: {said}")
    if not levels:
        raise InputError(
            f"{one.name} has no level in common: {', '.join(one.levels)} against {', '.join(other.levels)}"
        )
    for side, (axis, place) in {"first": (one, 0), "second": (other, 1)}.items():
        common = {pair[place] for pair in levels}
        if missing := [level for level in axis.levels if level not in common]:
            notes.append(f"only the {side} has {one.name} = {', '.join(missing)}")
    return PairedAxis(one.name, *numbers, levels)


def _alike(ours: Sequence[str], theirs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Returns pairs of levels that read the same: equal numbers or sizes, or equal words but for case,
    hyphens and percent signs.

    Words of yes and no are tried where nothing else fits.
    """
    readings: tuple[Callable[[str], str], ...] = (_read, _read_switch)
    for read in readings:
        known = {read(level): level for level in theirs}
        if pairs := tuple((level, known[read(level)]) for level in ours if read(level) in known):
            return pairs
    return ()


def _read(level: str) -> str:
    bare = level.strip().lower().removesuffix("%")
    if (known := number(bare)) is not None:  # every digit and the sign; 1G is 1024M
        return f"{known.normalize():f}"
    return bare.replace("-", "").replace("_", "")


def _read_switch(level: str) -> str:
    read = _read(level)
    if read in ("yes", "on", "true", "enabled", "1"):
        return "on"
    return "off" if read in ("no", "off", "false", "disabled", "none", "0") else read


def _amount(level: str) -> float | None:
    """Returns the number or size of a level, to order by; None for a word."""
    try:
        return float(level)
    except ValueError:
        pass
    try:
        return float(size(level))
    except ValueError:
        return None


def is_ordered(levels: Sequence[str]) -> bool:
    """Returns whether all levels are numbers or sizes, which have an order."""
    return all(_amount(level) is not None for level in levels)


def _in_order(levels: Sequence[str]) -> list[str]:
    return sorted(levels, key=lambda level: _amount(level) or 0.0)


def _fixed(grid: Grid, common: set[int], wanted: Mapping[str, str], notes: list[str]) -> dict[int, str]:
    found = {}
    for place, axis in enumerate(grid.axes):
        if place not in common:
            level = wanted.get(axis.name)
            pairs = () if level is None else _alike((level,), axis.levels)
            found[place] = pairs[0][1] if pairs else axis.levels[0]
            other = f", the other side is at {level}" if level is not None and not pairs else ""
            notes.append(f"{grid.name} is taken at {axis.name} = {found[place]}{other}")
    return found


def _check(wanted: Mapping[str, str], grids: Sequence[Grid], common: set[str]) -> None:
    """Raises InputError where `wanted` names an axis or a level that does not exist."""
    known: dict[str, set[str]] = {}
    for axis in (axis for grid in grids for axis in grid.axes):
        known.setdefault(axis.name, set()).update(axis.levels)
    for name, level in wanted.items():
        if name not in known:
            there = ", ".join(sorted(known))
            raise InputError(f"--at {name}: neither side varies it", hint=f"they vary {there}")
        if name in common:
            raise InputError(f"--at {name}: both sides vary it, so that it is compared level by level")
        if level not in known[name]:
            raise InputError(
                f"--at {name}={level}: there is no such level",
                hint=f"it has {', '.join(sorted(known[name]))}",
            )


def _named(axes: Sequence[GridAxis]) -> str:
    return ", ".join(axis.name for axis in axes) or "no axis"
