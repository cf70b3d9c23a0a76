"""Makes a plan from a study and a seed: blocks, the order within each, names and seeds of the runs."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from assay.design.plan.plan import Plan, PlannedRun, Treatment
from assay.design.plan.treatments import make_treatments
from assay.design.study import Load, Study, study_hash

ORDERING = 3
"""The rules by which new results are ordered. Those begun under earlier ones go on by them:

1. treatments are shuffled in each block;
2. treatments are balanced over positions (`balanced`);
3. rungs too, or they alternate, as `[load] order` says: before, every run had them as written.
"""

SHORT_PAUSE_S = 600.0
LONGEST_RUN_ID = 120
_One = TypeVar("_One")
_UNSAFE = re.compile(r"[^A-Za-z0-9_=@,.+-]+")


def choose_seed(study: Study) -> int:
    """Returns the study's seed; without one, a seed made of its hash, so that the plan shown is the plan
    run.
    """
    return study.design.seed if study.design.seed is not None else int(study_hash(study)[:8], 16)


def make_plan(study: Study, *, seed: int, ordering: int = ORDERING, data_loads: int | None = None) -> Plan:
    """Returns a plan whose blocks hold every treatment once, in an order by the rules `ordering`.

    Each dataset is loaded `data_loads` times; None: as often as the design says, otherwise once.
    A block's orders and seed depend on (seed, block) alone: adding blocks changes no earlier one, and the
    runs of a block have each rung at the same position, so that their paired ratios do not depend on it.
    """
    loads = data_loads or study.design.loads or 1
    treatments = make_treatments(study, loads)
    slugs = _slugs(treatments)
    digits = max(2, len(str(len(treatments))))
    runs = []
    for block in range(1, study.design.blocks + 1):
        if study.design.order == "as-written":
            order = treatments
        elif ordering == 1:
            order = _shuffled(treatments, f"{seed}/{block}/order")
        else:
            order = balanced(treatments, seed, block)
        ladder = _ladder(study.load, seed, block, ordering)
        runs += [
            PlannedRun(
                run_id=f"b{block:02d}-{position:0{digits}d}-{slugs[treatment.name]}",
                block=block,
                position=position,
                treatment=treatment.name,
                loads=ladder,
                seed=_operations_seed(seed, block),
            )
            for position, treatment in enumerate(order, start=1)
        ]
    return Plan(
        study_hash=study_hash(study),
        seed=seed,
        ordering=ordering,
        data_loads=loads,
        load_kind=study.load.kind,
        loads=study.load.rungs,
        treatments=treatments,
        runs=tuple(runs),
    )


def longest_pause_s(runs_s: Iterable[float]) -> float:
    """Returns the longest pause, in seconds, with which runs of a block still count as done together.

    `runs_s`: how long runs of the block took. The result is ten minutes, or the longest run.
    """
    return max(SHORT_PAUSE_S, *runs_s)


def _ladder(load: Load, seed: int, block: int, ordering: int) -> tuple[float, ...]:
    if ordering < 3 or load.order == "as-written":
        return load.rungs
    if load.order == "alternating":
        return tuple(sorted(load.rungs, reverse=block % 2 == 0))
    return balanced(load.rungs, f"{seed}/rungs", block)


def balanced(things: Sequence[_One], seed: int | str, block: int) -> tuple[_One, ...]:
    """Returns the order of one block, a row of a Latin square, so that no thing is always early or late.

    Over any number of blocks each stands at each position as often as any other, within one. The seed draws
    which thing is which in a square, and the order of its rows. Rows follow Williams (1949): each thing comes
    right after each other equally often, in one square for an even number of things, where every second block
    is the one before it reversed, and in two squares for an odd number.
    """
    count = len(things)
    square, row = divmod(block - 1, count)
    odd = count % 2
    drawn = _shuffled(things, f"{seed}/{square // (1 + odd)}/things")
    if odd:
        start = _shuffled(range(count), f"{seed}/{square}/rows")[row]
    else:
        half = count // 2
        start = _shuffled(range(half), f"{seed}/{square}/rows")[row // 2]
        start += half * ((row + random.Random(f"{seed}/{square}/{row // 2}/first").randrange(2)) % 2)
    order = tuple(drawn[(start + step) % count] for step in _there_and_back(count))
    return order[::-1] if odd and square % 2 else order


def _there_and_back(count: int) -> list[int]:
    """Returns 0, -1, 1, -2, 2 …, in which each distance between neighbours occurs once."""
    return [-(step // 2) - 1 if step % 2 else step // 2 for step in range(count)]


def _shuffled(things: Sequence[_One], key: str) -> tuple[_One, ...]:
    order = list(things)
    random.Random(key).shuffle(order)
    return tuple(order)


def _operations_seed(seed: int, block: int) -> int:
    """Returns a seed below 2^53, so that it passes through JSON and DuckDB unchanged."""
    digest = hashlib.sha256(f"{seed}/{block}/operations".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 11


def _slugs(treatments: tuple[Treatment, ...]) -> dict[str, str]:
    """Returns file names for treatments: safe, short, unique also where case is folded."""
    room = LONGEST_RUN_ID - len("b99-9999-")
    plain = {treatment.name: _UNSAFE.sub("_", treatment.name.replace(", ", ",")) for treatment in treatments}
    folded = Counter(slug.casefold() for slug in plain.values())
    slugs = {}
    for name, slug in plain.items():
        if len(slug) > room or folded[slug.casefold()] > 1:
            mark = hashlib.sha256(name.encode()).hexdigest()[:8]
            slug = f"{slug[: room - 9]}-{mark}"
        slugs[name] = slug
    return slugs
