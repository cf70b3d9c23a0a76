"""Divides the processor time of a query among groups of functions, by sampled call stacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.design.folder import Function, ProfileWindow, StackProfile
from assay.results.ledger.groups import UNSEEN_KERNEL, group_of, group_rules, label
from assay.results.ledger.line import UNNAMED, LedgerLine

_LEAST_SHARE = 0.00005
"""A function with fewer samples is in the rest of its group. This is far less than what can be judged: of a
function that is cut off on one side alone, the whole would seem to differ."""


@dataclass(frozen=True)
class GroupedStacks:
    """The call stacks of a profile, the leaf first, each with its group and its samples."""

    profile: StackProfile
    stacks: tuple[tuple[Sequence[Function], str, int], ...]


def grouped_stacks(profile: StackProfile) -> GroupedStacks:
    """Returns a profile's stacks with their groups. Raises LookupError where a place is out of range."""
    rules, found = group_rules(), []
    for one in profile.stacks:
        stack = [profile.functions[place] for place in one.functions]
        group = group_of(stack, profile.threads[one.thread].name, rules, UNNAMED, profile.objects)
        found.append((stack, group, one.samples))
    return GroupedStacks(profile, tuple(found))


def processor_lines(grouped: GroupedStacks, window: ProfileWindow, total_us: float) -> Iterator[LedgerLine]:
    """Yields the lines of the ledger "cpu", which add up to `total_us`, the server's time of a query in the
    measured window; none of a profile without samples, or of which the kernel's share is not known.
    """
    counts, whole, unseen = (
        Counter[tuple[str, str]](),
        grouped.profile.samples,
        unseen_share(grouped.profile, window),
    )
    if not whole or unseen is None:
        return
    for stack, group, samples in grouped.stacks:
        counts[group, label(stack)] += samples
    each_us = total_us * (1 - unseen) / whole
    kept: Counter[tuple[str, str]] = Counter()
    for (group, line), count in counts.items():
        kept[group, line if count >= _LEAST_SHARE * whole else ""] += count
    if unseen:
        yield LedgerLine("cpu", UNSEEN_KERNEL, "", total_us * unseen)
    for (group, line), count in kept.items():
        yield LedgerLine("cpu", group, line, count * each_us)


def unseen_share(profile: StackProfile, window: ProfileWindow) -> float | None:
    """Returns the share of the processor time that a profile could not see into: 0, or that of the kernel.

    None where that is not known: what the kernel took would be charged to functions that were seen.
    """
    return 0.0 if profile.kernel else _kernel_share(window)


def _kernel_share(window: ProfileWindow) -> float | None:
    """Returns the kernel's share of the server's processor time in the profile window, as the kernel counts
    it; None where that is not known.
    """
    main = window.main
    if main is None or not main.server_cpu_us or main.server_kernel_us is None:
        return None
    if main.server_kernel_us > main.server_cpu_us:
        return None
    return main.server_kernel_us / main.server_cpu_us
