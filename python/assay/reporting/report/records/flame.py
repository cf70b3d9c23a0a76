"""Records of the flame graph of differences: every function of the call tree at two treatments, with the
paired difference of its processor time of a query.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from assay.reporting.report.material import Material
from assay.results.stats import shifts
from assay.results.verdict import shifts_of

FrameWord = Literal["more", "less", "undecided"]
"""The word for a frame: `more` or `less` where its difference is certain with all frames together."""

Path = tuple[str, ...]
"""The names of a frame and of those that called it, from the root's child on."""
_LEAST_SHARE = 0.001
"""A frame with a smaller share of the whole is left out: no picture shows it."""


@dataclass(frozen=True)
class FlameFrame:
    """A function at one place of the call tree, in microseconds of server CPU of a query.

    `start_us` and `end_us` are its sides in the picture: its width is the mean of `before_us` and `after_us`.
    `low_us` and `high_us` are the interval of the difference; None below two blocks. `depth` is 0 for the
    root, which is the whole, and `calls` has the names of its callers.
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


@dataclass(frozen=True)
class _Tree:
    """The call tree of one run: amounts by path, and the group of each."""

    amounts: dict[Path, float] = field(default_factory=dict)
    groups: dict[Path, str] = field(default_factory=dict)


def flame_frames(material: Material) -> list[FlameFrame]:
    """Returns the frames of every treatment beside its baseline, at the load point that its ledgers are
    explained at: parents before those that they call; none where no stacks were seen.
    """
    pairs = dict.fromkeys(
        (one.baseline, one.other, one.load) for one in shifts_of(material.results) if one.ledger == "cpu"
    )
    return [frame for pair in pairs for frame in _of_pair(material, *pair)]


def _of_pair(material: Material, baseline: str, other: str, load: float) -> Iterator[FlameFrame]:
    before, after = _trees(material, baseline, load), _trees(material, other, load)
    blocks = sorted(before.keys() & after.keys())
    if not blocks:
        return
    means: dict[Path, float] = defaultdict(float)
    groups: dict[Path, str] = {}
    for tree in (*(before[block] for block in blocks), *(after[block] for block in blocks)):
        groups |= tree.groups
        for path, amount in tree.amounts.items():
            means[path] += amount / (2 * len(blocks))
    paths = sorted(path for path, mean in means.items() if mean >= _LEAST_SHARE * means[()])
    sides = [
        tuple(np.array([side[block].amounts.get(path, 0.0) for block in blocks]) for side in (before, after))
        for path in paths
    ]
    found = shifts([two - one for one, two in sides], material.results.gate)
    nexts: dict[Path, float] = {}  # where the next frame that a frame calls begins
    for path, (one, two), shift in zip(paths, sides, found, strict=True):
        start = nexts.get(path[:-1], 0.0) if path else 0.0
        if path:
            nexts[path[:-1]] = start + means[path]
        nexts[path] = start
        yield FlameFrame(
            baseline=baseline,
            treatment=other,
            load=load,
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
        )


def _trees(material: Material, treatment: str, load: float) -> dict[int, _Tree]:
    """Returns the call trees of a treatment's runs by block."""
    rows = material.rows(
        'SELECT block, node, parent, name, "group", amount FROM profile_frames'
        " WHERE treatment = ? AND load = ? ORDER BY block, run_id, node",
        [treatment, load],
    )
    paths: dict[int, dict[int, Path]] = defaultdict(dict)
    found: dict[int, _Tree] = {}
    for row in rows:
        block, parent = row["block"], row["parent"]
        path = () if parent is None else (*paths[block][parent], row["name"])
        paths[block][row["node"]] = path
        tree = found.setdefault(block, _Tree())
        tree.amounts[path] = tree.amounts.get(path, 0.0) + row["amount"]
        tree.groups[path] = row["group"]
    return found


def telling_frame(frames: Sequence[FlameFrame]) -> FlameFrame | None:
    """Returns the frame with the largest certain difference of those that call none with a certain one."""
    certain = [one for one in frames if one.word != "undecided"]
    callers = {(one.treatment, one.calls) for one in certain}
    ends = [one for one in certain if (one.treatment, _own(one)) not in callers]
    return max(ends, key=lambda one: abs(one.change_us), default=None)


def _own(frame: FlameFrame) -> str:
    return f"{frame.calls};{frame.name}" if frame.calls else frame.name
