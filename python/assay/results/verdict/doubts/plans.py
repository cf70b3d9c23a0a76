"""Doubts that the server carries statements out in one way in some blocks, and in another way in others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import duckdb

from assay.results.verdict.plans import PlanFlip, seen_plans
from assay.results.verdict.results import DoubtNote


def unstable_plans(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields a doubt for each treatment of which some statement has several plans, one in each of several
    blocks: its figures are a mixture of them.
    """
    by_treatment: dict[str, list[PlanFlip]] = defaultdict(list)
    for flip in seen_plans(store, ()).flips:
        by_treatment[flip.treatment].append(flip)
    for treatment, flips in by_treatment.items():
        first, ways = flips[0], _ways(flips[0])
        message = (
            f"the plan of {len(flips)} of the statements of {treatment} changes between blocks; of"
            f" {first.statement}, by block: {ways}"
        )
        facts: dict[str, str | int | float]
        facts = {"treatment": treatment, "count": len(flips), "statement": first.statement, "ways": ways}
        yield DoubtNote("unstable-plan", message, None, None, "warning", facts)


def _ways(flip: PlanFlip) -> str:
    """Returns the step in which the plans of a statement first differ, in the server's words:
    `t: ref k_1 [1, 3]; ALL [2]`, with the blocks in brackets.
    """
    plans = [plan for plan, _ in flip.plans]
    shortest = min(map(len, plans))
    at = next(
        (step for step in range(shortest) if not all(one[step].goes_as(plans[0][step]) for one in plans)),
        shortest,
    )
    said = []
    for plan, blocks in flip.plans:
        step = plan[at] if at < len(plan) else None
        words = [] if step is None else [step.access, step.key, ",".join(step.key_parts or ()), step.extra]
        way = " ".join(word for word in words if word) or "-"
        said.append(f"{way} [{', '.join(map(str, blocks))}]")
    table = next((plan[at].table for plan in plans if at < len(plan)), "")
    return f"{table}: {'; '.join(said)}" if table else "; ".join(said)
