"""Prints how often the lines of a ledger are named rightly and wrongly: docs/method/why.md.

    python -m scripts.ledger_lines [LEDGERS]

A simulated ledger has 20 groups, one of them with functions. The noise of a start multiplies the cost of a
run and the share of each group, and a profile draws so many samples of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from assay.results.stats import Gate, Shift, shift_tree, special
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SHARES = np.array([6.0, 12, 10, 9, 8, 8, 7, 6, 5, 5, 4, 4, 3, 3, 2.5, 2, 2, 1.5, 1, 1]) / 100
FUNCTIONS = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
"""The shares of the functions inside the first group, which is the one that changes."""
COST_US = 100.0
SHARE_SD, TOTAL_SD, BLOCK_SD = 0.02, 0.01, 0.05
GATE = Gate.of(0.95)


@dataclass(frozen=True)
class Truth:
    """One case: `change` is what the first function of the first group costs more, as a share of all CPU."""

    blocks: int = 8
    samples: int = 4_500
    change: float = 0.0


@dataclass(frozen=True)
class Ledger:
    """A simulated ledger: what was found, the true differences, and counts of samples merged over blocks."""

    groups: dict[str, Shift]
    functions: dict[str, dict[str, Shift]]
    true: Floats  # by group
    merged: tuple[Floats, Floats]
    sums: tuple[float, float]  # of the lines' differences, and of what was measured


def ledgers(truth: Truth, count: int, seed: int = 1) -> Iterator[Ledger]:
    """Yields simulated ledgers of two treatments, the second of which may cost more."""
    random = np.random.default_rng(seed)
    shares = np.concatenate((SHARES[0] * FUNCTIONS, SHARES[1:]))
    costs = [shares * COST_US, shares * COST_US]
    costs[1][0] += truth.change * COST_US
    true = costs[1] - costs[0]
    inside = FUNCTIONS.size
    for _ in range(count):
        of_blocks = np.exp(random.normal(0, BLOCK_SD, truth.blocks))[:, None]
        amounts, counts, measured = [], [], []
        for cost in costs:
            noisy = cost * np.exp(random.normal(0, SHARE_SD, (truth.blocks, cost.size)))
            share = noisy / noisy.sum(axis=1, keepdims=True)
            total = cost.sum() * of_blocks * np.exp(random.normal(0, TOTAL_SD, (truth.blocks, 1)))
            drawn = random.multinomial(truth.samples, share)
            amounts.append(total * drawn / truth.samples)
            counts.append(drawn.sum(axis=0).astype(float))
            measured.append(float(total.mean()))
        apart = amounts[1] - amounts[0]
        groups = {"0": apart[:, :inside].sum(axis=1)} | {
            str(number): apart[:, inside + number - 1] for number in range(1, SHARES.size)
        }
        lines = {"0": {str(number): apart[:, number] for number in range(inside)}}
        found, below = shift_tree(groups, lines, GATE)
        yield Ledger(
            found,
            below,
            np.concatenate(([true[:inside].sum()], true[inside:])),
            (_by_group(counts[0]), _by_group(counts[1])),
            (sum(one.value for one in found.values()), measured[1] - measured[0]),
        )


def _by_group(counts: Floats) -> Floats:
    return np.concatenate(([counts[: FUNCTIONS.size].sum()], counts[FUNCTIONS.size :]))


@dataclass(frozen=True)
class Rates:
    """Shares of ledgers: with a false name, with the right group, with the right function, and in which every
    limit holds; the share of intervals that hold the truth; and the share of ledgers in which a binomial test
    of merged samples names a group that is equal.
    """

    false: float
    group: float
    function: float
    limits: float
    coverage: float
    binomial: float


def rates(truth: Truth, count: int, seed: int = 1) -> Rates:
    """Returns how often lines are named, over simulated ledgers."""
    seen = [_seen(one, truth) for one in ledgers(truth, count, seed)]
    return Rates(*np.mean(seen, axis=0).tolist())


def _seen(one: Ledger, truth: Truth) -> tuple[float, ...]:
    moved = {name for name, shift in one.groups.items() if shift.moved}
    right = {"0"} if truth.change else set()
    of_function = {name for name, shift in one.functions.get("0", {}).items() if shift.moved}
    false = bool(moved - right) or bool(of_function - ({"0"} if truth.change else set()))
    pairs = list(zip(one.groups.values(), one.true.tolist(), strict=True))
    held = [shift.low is not None and shift.low <= true <= (shift.high or 0.0) for shift, true in pairs]
    limits = all(abs(true) <= (shift.limit or 0.0) for shift, true in pairs)
    return (
        false,
        "0" in moved,
        "0" in of_function,
        limits,
        float(np.mean(held)),
        _binomial(one.merged, right),
    )


def _binomial(merged: tuple[Floats, Floats], right: set[str]) -> bool:
    """Returns whether a two-sample test of proportions, corrected by Bonferroni, names an equal group."""
    before, after = merged
    first, second = before / before.sum(), after / after.sum()
    pooled = (before + after) / (before.sum() + after.sum())
    error = np.sqrt(pooled * (1 - pooled) * (1 / before.sum() + 1 / after.sum()))
    z = np.abs(first - second) / np.where(error > 0, error, 1.0)
    named = np.flatnonzero([2 * special.ndtr(-one) <= 0.05 / z.size for one in z.tolist()])
    return bool({str(number) for number in named} - right)


CASES = (
    *(Truth(blocks, samples) for blocks, samples in ((6, 4_500), (8, 4_500), (8, 45_000), (12, 4_500))),
    *(
        Truth(blocks, samples, change)
        for blocks, samples in ((6, 4_500), (8, 4_500), (8, 45_000), (12, 4_500))
        for change in (0.006, 0.010, 0.015)
    ),
)


def main() -> None:
    """Prints a line for each case."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    print(f"{count} ledgers each of {SHARES.size} groups; a false name, the right group, its function, all")
    print("limits hold, intervals that hold the truth, false name by a binomial test of merged profiles")
    for case in CASES:
        found = rates(case, count)
        print(
            f"{case.blocks:3} blocks {case.samples:6} samples {case.change:+6.1%}:"
            f" {found.false:6.1%} {found.group:6.1%} {found.function:6.1%}"
            f" {found.limits:6.1%} {found.coverage:6.1%} {found.binomial:6.1%}"
        )


if __name__ == "__main__":
    main()
