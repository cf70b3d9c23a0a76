"""Records of the flame graph of differences: every function of the call tree at two treatments, with the
paired difference of its processor time of a query.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from assay.reporting.report.material import Material
from assay.results.stats import shifts
from assay.results.verdict import LedgerShift, in_units, shifts_of, without_rounding

FrameWord = Literal["more", "less", "undecided"]
"""The word for a frame: `more` or `less` where its difference is certain with all frames together."""

Path = tuple[str, ...]
"""The names of a frame and of those that called it, from the root's child on."""
_PLACE = re.compile(r".+\+0x[0-9a-f]+")
"""The name of a function that has no symbol: its file and where it begins."""
_LEAST_SHARE = 0.001
"""A frame with a smaller share of the whole is left out: no picture shows it."""


@dataclass(frozen=True)
class FlameFrame:
    """A function at one place of the call tree, in microseconds of server CPU of a query.

    `start_us` and `end_us` are its sides in the picture: its width is the mean of `before_us` and `after_us`.
    `low_us` and `high_us` are the interval of the difference; None below two blocks. `depth` is 0 for the
    root, which is the whole, and `calls` has the names of its callers. `one_speed`: the amounts are those of
    a machine of one speed, as the lines of the ledger are.
    """

    baseline: str
    treatment: str
    load: float
    depth: int
    name: str
    calls: str
    group: str
    start_us: float
    end_us: float
    before_us: float
    after_us: float
    change_us: float
    low_us: float | None
    high_us: float | None
    word: FrameWord
    one_speed: bool


@dataclass(frozen=True)
class _Tree:
    """The call tree of one run: amounts by path, and the group of each."""

    amounts: dict[Path, float] = field(default_factory=dict)
    groups: dict[Path, str] = field(default_factory=dict)


def flame_frames(material: Material) -> list[FlameFrame]:
    """Returns the frames of every treatment beside its baseline, at the load point that its ledgers are
    explained at: parents before those that they call; none where no stacks were seen.
    """
    ledgers = [one for one in shifts_of(material.results) if one.ledger == "cpu"]
    return [frame for ledger in ledgers for frame in _of_pair(material, ledger)]


def _of_pair(material: Material, ledger: LedgerShift) -> Iterator[FlameFrame]:
    """Yields the frames of the runs that the ledger is made of, judged as its lines are."""
    trees = _trees(material, ledger)
    runs = [one for one in ledger.runs if one.before in trees and one.after in trees]
    if not runs:
        return
    before = [(trees[one.before], one.speeds[0]) for one in runs]
    after = [(trees[one.after], one.speeds[1]) for one in runs]
    groups = {path: group for tree, _ in (*before, *after) for path, group in tree.groups.items()}
    sides = {
        path: tuple(
            in_units([tree.amounts.get(path, 0.0) * speed for tree, speed in of], runs)
            for of in (before, after)
        )
        for path in sorted(groups)
    }
    means = {path: float(one.mean() + two.mean()) / 2 for path, (one, two) in sides.items()}
    sides = {path: both for path, both in sides.items() if means[path] >= _LEAST_SHARE * means[()]}
    gate = material.results.gate
    gate = replace(gate, fewest=gate.fewest if ledger.needed is None else ledger.needed)
    found = shifts([without_rounding(one, two) for one, two in sides.values()], gate)
    nexts: dict[Path, float] = {}  # where the next frame that a frame calls begins
    for (path, (one, two)), shift in zip(sides.items(), found, strict=True):
        start = nexts.get(path[:-1], 0.0) if path else 0.0
        if path:
            nexts[path[:-1]] = start + means[path]
        nexts[path] = start
        yield FlameFrame(
            baseline=ledger.baseline,
            treatment=ledger.other,
            load=ledger.load,
            depth=len(path),
            name=path[-1] if path else "",
            calls=";".join(path[:-1]),
            group=groups[path],
            start_us=start,
            end_us=start + means[path],
            before_us=float(one.mean()),
            after_us=float(two.mean()),
            change_us=shift.value,
            low_us=shift.low,
            high_us=shift.high,
            word="undecided" if not shift.moved else "more" if shift.value > 0 else "less",
            one_speed=any(one.speeds != (1.0, 1.0) for one in runs),
        )


def _trees(material: Material, ledger: LedgerShift) -> dict[str, _Tree]:
    """Returns the call trees of a ledger's runs."""
    rows = material.rows(
        'SELECT run_id, node, parent, name, "group", amount FROM profile_frames'
        " WHERE load = ? AND list_contains(?, run_id) ORDER BY run_id, node",
        [ledger.load, [run for one in ledger.runs for run in (one.before, one.after)]],
    )
    paths: dict[str, dict[int, Path]] = defaultdict(dict)
    found: dict[str, _Tree] = {}
    for row in rows:
        run, parent = row["run_id"], row["parent"]
        path = () if parent is None else (*paths[run][parent], row["name"])
        paths[run][row["node"]] = path
        tree = found.setdefault(run, _Tree())
        tree.amounts[path] = tree.amounts.get(path, 0.0) + row["amount"]
        tree.groups[path] = row["group"]
    return found


def telling_frame(frames: Sequence[FlameFrame]) -> FlameFrame | None:
    """Returns the frame with the largest certain difference of those that call none with a certain one."""
    certain = [one for one in frames if one.word != "undecided"]
    callers = {(one.treatment, one.calls) for one in certain}
    ends = [one for one in certain if (one.treatment, _own(one)) not in callers]
    return max(ends, key=lambda one: abs(one.change_us), default=None)


def nearest_name(frame: FlameFrame) -> str:
    """Returns the name of a function; of one without a symbol also that of the nearest caller with one."""
    if not _PLACE.fullmatch(frame.name):
        return frame.name
    callers = (one for one in reversed(frame.calls.split(";")) if one and not _PLACE.fullmatch(one))
    above = next(callers, None)
    return frame.name if above is None else f"{frame.name} below {above}"


def _own(frame: FlameFrame) -> str:
    return f"{frame.calls};{frame.name}" if frame.calls else frame.name
