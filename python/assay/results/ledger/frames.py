"""Folds sampled call stacks into a tree of functions, for a flame graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assay.design.folder import Function, ProfileWindow
from assay.results.ledger.function_names import cut_name
from assay.results.ledger.processor import GroupedStacks, unseen_share

_NOWHERE = -2
_LEAST_SHARE = 0.0001
"""A frame with a smaller share of the whole is in the one that called it. This is a tenth of what a picture
shows: of a frame that is cut off on one side alone, the whole would seem to differ."""


@dataclass(frozen=True)
class Frame:
    """A function at one place of the call tree, with the microseconds of a query in it and below it.

    `parent` is the `number` of the frame that called it; None for the root, which has everything. `group` is
    the one that has most of the frame's time.
    """

    number: int
    parent: int | None
    name: str
    group: str
    amount: float


@dataclass
class _Node:
    samples: int = 0
    groups: dict[str, int] = field(default_factory=dict)
    below: dict[str, _Node] = field(default_factory=dict)

    def add(self, samples: int, group: str) -> None:
        self.samples += samples
        self.groups[group] = self.groups.get(group, 0) + samples


def frames_of(grouped: GroupedStacks, window: ProfileWindow, total_us: float) -> Iterator[Frame]:
    """Yields the frames of a profile from the root on, each after the one that called it.

    The root has `total_us`, less what the kernel used where the profile could not see into it.
    """
    root, unseen = _Node(), unseen_share(grouped.profile, window)
    for stack, group, samples in grouped.stacks:
        node = root
        node.add(samples, group)
        for name in called_names(stack):
            node = node.below.setdefault(name, _Node())
            node.add(samples, group)
    if not root.samples or unseen is None:
        return
    seen = 1 - unseen
    each_us, least = total_us * seen / root.samples, _LEAST_SHARE * root.samples
    waiting: list[tuple[_Node, str, int | None]] = [(root, "", None)]
    number = 0
    while waiting:
        node, name, parent = waiting.pop()
        group = max(node.groups, key=lambda one: (node.groups[one], one))
        yield Frame(number, parent, name, group, node.samples * each_us)
        kept = [(below, name, number) for name, below in node.below.items() if below.samples >= least]
        waiting += sorted(kept, key=lambda one: one[1], reverse=True)
        number += 1


def called_names(stack: Sequence[Function]) -> Iterator[str]:
    """Yields the names of a stack from the root to the leaf, without frames that lie in no file."""
    last = None
    for function in reversed(stack):
        if function.object == _NOWHERE:
            continue
        name = cut_name(function.name)
        if function.known or name != last:  # code of one file without any entry is one frame
            yield name
        last = name
