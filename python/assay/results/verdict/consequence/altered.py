"""Makes observations without some blocks, or with values moved to where the truth may lie."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import exp, log

from assay.results.verdict.consequence.natures import STATED, Bias, Biases, sort_of
from assay.results.verdict.consequence.reach import Reach
from assay.results.verdict.observations import CRASHES, Cell, Observations

FAR = log(1e9)
"""Logarithm of a factor beyond any limit of a claim: a bias of any amount."""

Ends = tuple[float, float]
"""How far below and above the measured value the true one may lie, as logarithms."""


def without(seen: Observations, cells: Mapping[Cell, Collection[int]]) -> Observations:
    """Returns the observations without these blocks of each cell."""
    values = {
        key: {block: value for block, value in blocks.items() if block not in cells[key[1:]]}
        if key[1:] in cells
        else blocks
        for key, blocks in seen.values.items()
    }
    left_out = {cell: dict(blocks) for cell, blocks in seen.left_out.items()}
    for cell, blocks in cells.items():
        left_out.setdefault(cell, {}).update(dict.fromkeys(blocks, ("doubted",)))
    return replace(seen, values=values, left_out=left_out)


def moved(
    seen: Observations, ends: Mapping[tuple[str, str, float], Mapping[int, Ends]], up: Mapping[Cell, float]
) -> Observations:
    """Returns the observations with doubted values at a place between their ends: 0 is the lower end, 1 the
    upper one. `up` has that place of each cell.
    """
    values = dict(seen.values)
    for key, of in ends.items():
        place = up[key[1:]]
        values[key] = {
            block: value * exp(low + place * (high - low)) if (low, high) != (0.0, 0.0) else value
            for block, value in seen.values[key].items()
            for low, high in [of.get(block, (0.0, 0.0))]
        }
    return replace(seen, values=values)


def ends_of(
    seen: Observations, kind: str, biases: Biases, reach: Reach
) -> dict[tuple[str, str, float], dict[int, Ends]] | None:
    """Returns the ends of every doubted value of a measure that the kind has a bias for; None where the size
    of some is not known.
    """
    found: dict[tuple[str, str, float], dict[int, Ends]] = {}
    for key, blocks in seen.values.items():
        measure, doubted = key[0], reach.cells.get(key[1:], {})
        bias = biases.get(sort_of(measure))
        if bias is None or not doubted or measure == CRASHES:
            continue
        for block in blocks.keys() & doubted.keys():
            for facts in doubted[block]:
                ends = _ends(seen, kind, bias, key, block, facts)
                if ends is None:
                    return None
                low, high = found.setdefault(key, {}).get(block, (0.0, 0.0))
                found[key][block] = (min(low, ends[0]), max(high, ends[1]))
    return found


def _ends(
    seen: Observations,
    kind: str,
    bias: Bias,
    key: tuple[str, str, float],
    block: int,
    facts: Mapping[str, str | int | float],
) -> Ends | None:
    if not bias.size:
        down, up = FAR, FAR
    else:
        size = facts.get(bias.size, STATED.get(kind, {}).get(bias.size))
        if size is None:
            size = seen.values.get((bias.size, *key[1:]), {}).get(block)
        if size is None or isinstance(size, str):
            return None
        amount = _amount(seen, bias, key, block, abs(size))
        if amount is None:
            return None
        down = up = amount
    return {"higher": (0.0, up), "lower": (-down, 0.0), "either": (-down, up)}[bias.side]


def _amount(
    seen: Observations, bias: Bias, key: tuple[str, str, float], block: int, size: float
) -> float | None:
    """Returns the logarithm of the factor by which a value may be off."""
    if bias.unit == "ratio":
        return abs(log(size)) if size > 0 else FAR
    if bias.unit == "share":
        return _of_share(size)

    def here(name: str) -> float | None:
        return seen.values.get((name, *key[1:]), {}).get(block)

    whole_ms = here("mean_ms" if sort_of(key[0]) == "rate" else key[0])
    if whole_ms is None:
        return None
    each = 1.0
    if bias.unit == "ms-each":
        statements, transactions = here("qps"), here("tps")
        if not statements or not transactions:
            return None
        each = statements / transactions
    return _of_share(size * each / whole_ms) if whole_ms > 0 else FAR


def _of_share(share: float) -> float:
    return -log(1 - share) if share < 1 - exp(-FAR) else FAR
