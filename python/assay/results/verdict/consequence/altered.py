"""Makes observations without some blocks, or with values moved to where the truth may lie."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import exp, log

from assay.results.verdict.consequence.natures import STATED, Bias, Biases, sort_of
from assay.results.verdict.consequence.reach import Facts, Reach
from assay.results.verdict.observations import CRASHES, Cell, Observations

FAR = log(1e9)
"""Logarithm of a factor beyond any limit of a claim: a bias of any amount."""

Key = tuple[str, str, float]
"""A measure, a treatment and a load point."""

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
    seen: Observations, ends: Mapping[Key, Mapping[int, Ends]], places: Mapping[Key, float]
) -> Observations:
    """Returns the observations with doubted values at a place between their ends: 0 is the lower end, 1 the
    upper one.
    """
    values = dict(seen.values)
    for key, of in ends.items():
        values[key] = {
            block: value * exp(low + places[key] * (high - low)) if (low, high) != (0.0, 0.0) else value
            for block, value in seen.values[key].items()
            for low, high in [of.get(block, (0.0, 0.0))]
        }
    return replace(seen, values=values)


def ends_of(
    seen: Observations, kind: str, biases: Biases, reach: Reach, measures: Collection[str] | None
) -> dict[Key, dict[int, Ends]] | None:
    """Returns the ends of every doubted value of these measures, or of all, that the kind has a bias for;
    None where the size of some is not known.
    """
    found: dict[Key, dict[int, Ends]] = {}
    for key, blocks in seen.values.items():
        measure, doubted = key[0], reach.cells.get(key[1:], {})
        bias = biases.get(sort_of(measure)) if measures is None or measure in measures else None
        if bias is None or not doubted or measure == CRASHES:
            continue
        for block in blocks.keys() & doubted.keys():
            for facts in doubted[block]:
                amount = _amount(seen, bias, (key, block), {**STATED.get(kind, {}), **facts})
                if amount is None:
                    return None
                low, high = found.setdefault(key, {}).get(block, (0.0, 0.0))
                down = 0.0 if bias.side == "higher" else -amount
                up = 0.0 if bias.side == "lower" else amount
                found[key][block] = (min(low, down), max(high, up))
    return found


def _amount(seen: Observations, bias: Bias, at: tuple[Key, int], facts: Facts) -> float | None:
    """Returns the logarithm of the factor by which a value may be off; None where nobody knows it."""
    if not bias.size:
        return FAR
    key, block = at

    def here(name: str) -> float | None:
        return seen.values.get((name, *key[1:]), {}).get(block)

    size = facts.get(bias.size, here(bias.size))
    if size is None and bias.otherwise:
        share = facts.get(bias.otherwise)
        return _of_share(abs(share)) if isinstance(share, int | float) else None
    if not isinstance(size, int | float):
        return None
    if bias.unit == "ratio":
        return abs(log(size)) if size > 0 else FAR
    if bias.unit == "share":
        return _of_share(abs(size))
    each, statements, transactions = 1.0, here("qps"), here("tps")
    if bias.unit == "ms-each":
        if not statements or not transactions:
            return None
        each = statements / transactions
    whole_ms = here("mean_ms" if sort_of(key[0]) == "rate" else key[0])
    return None if whole_ms is None else _of_share(size * each / whole_ms) if whole_ms > 0 else FAR


def _of_share(share: float) -> float:
    return -log(1 - share) if share < 1 - exp(-FAR) else FAR
