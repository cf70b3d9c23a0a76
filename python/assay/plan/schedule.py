"""Study and seed -> plan: blocks, order within each, names and seeds of the runs."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter

from assay.plan.plan import Plan, PlannedRun, Treatment
from assay.plan.treatments import make_treatments
from assay.study import Study, study_hash

LONGEST_RUN_ID = 120
_UNSAFE = re.compile(r"[^A-Za-z0-9_=@,.+-]+")


def choose_seed(study: Study) -> int:
    """The study's seed; otherwise one made of its hash, so that a plan shown and a plan run are the same."""
    return study.design.seed if study.design.seed is not None else int(study_hash(study)[:8], 16)


def make_plan(study: Study, *, seed: int) -> Plan:
    """Every block holds every treatment once.

    A block's order and seed depend on (seed, block) alone: adding blocks changes no earlier one.
    """
    treatments = make_treatments(study)
    slugs = _slugs(treatments)
    digits = max(2, len(str(len(treatments))))
    runs = []
    for block in range(1, study.design.blocks + 1):
        order = list(treatments)
        if study.design.order == "randomized":
            random.Random(f"{seed}/{block}/order").shuffle(order)
        runs += [
            PlannedRun(
                run_id=f"b{block:02d}-{position:0{digits}d}-{slugs[treatment.name]}",
                block=block,
                position=position,
                treatment=treatment.name,
                seed=_operations_seed(seed, block),
            )
            for position, treatment in enumerate(order, start=1)
        ]
    return Plan(
        study_hash=study_hash(study),
        seed=seed,
        load_kind=study.load.kind,
        loads=study.load.rungs,
        treatments=treatments,
        runs=tuple(runs),
    )


def _operations_seed(seed: int, block: int) -> int:
    """Below 2^53, so that it passes through JSON and DuckDB unharmed."""
    digest = hashlib.sha256(f"{seed}/{block}/operations".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 11


def _slugs(treatments: tuple[Treatment, ...]) -> dict[str, str]:
    """Treatment name -> the same as a file name: safe, short, unique also where case is folded."""
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
