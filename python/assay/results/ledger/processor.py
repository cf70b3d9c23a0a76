"""Divides the processor time of a query among groups of functions, by sampled call stacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.design.folder import ProfileWindow, StackProfile
from assay.results.ledger.groups import UNSEEN_KERNEL, group_of, group_rules, label
from assay.results.ledger.line import UNNAMED, LedgerLine

_LEAST_SHARE = 0.00005
"""A function with fewer samples is in the rest of its group. This is far less than what can be judged: of a
function that is cut off on one side alone, the whole would seem to differ."""


def processor_lines(profile: StackProfile, window: ProfileWindow, total_us: float) -> Iterator[LedgerLine]:
    """Yields the lines of the ledger "cpu", which add up to `total_us`, the server's time of a query in the
    measured window; none of a profile without samples.
    """
    counts, whole = _counts(profile), profile.samples
    if not whole:
        return
    unseen = 0.0 if profile.kernel else kernel_share(window)
    if unseen is None:
        return  # what the kernel took would be charged to functions that were seen
    each_us = total_us * (1 - unseen) / whole
    kept: Counter[tuple[str, str]] = Counter()
    for (group, line), count in counts.items():
        kept[group, line if count >= _LEAST_SHARE * whole else ""] += count
    if unseen:
        yield LedgerLine("cpu", UNSEEN_KERNEL, "", total_us * unseen)
    for (group, line), count in kept.items():
        yield LedgerLine("cpu", group, line, count * each_us)


def kernel_share(window: ProfileWindow) -> float | None:
    """Returns the kernel's share of the server's processor time in the profile window, as the kernel counts
    it; None where that is not known.
    """
    main = window.main
    if main is None or not main.server_cpu_us or main.server_kernel_us is None:
        return None
    if main.server_kernel_us > main.server_cpu_us:
        return None
    return main.server_kernel_us / main.server_cpu_us


def _counts(profile: StackProfile) -> Counter[tuple[str, str]]:
    """Returns the samples by group and line."""
    rules, counts = group_rules(), Counter[tuple[str, str]]()
    for one in profile.stacks:
        stack = [profile.functions[place] for place in one.functions]
        group = group_of(stack, profile.threads[one.thread].name, rules, UNNAMED)
        counts[group, label(stack)] += one.samples
    return counts
