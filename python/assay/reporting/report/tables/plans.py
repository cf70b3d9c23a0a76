"""The table of plans: the load's statements that the server carries out in another way with a treatment."""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.numbers import NOTHING, number
from assay.reporting.report.material import Material
from assay.reporting.report.records.plans import seen_plans
from assay.reporting.report.tables.model import Column, Table
from assay.reporting.report.words import Words
from assay.results.verdict import SeenPlans, Step


def tables(material: Material) -> list[Table]:
    """Returns `plans`: one row a statement and treatment whose plan is not the baseline's; none where nothing
    is known, or there is nothing to compare.
    """
    words = material.words
    if len(material.results.treatments) < 2:
        return []
    seen = seen_plans(material)
    if not (seen.changes or seen.equal or seen.partly or seen.unknown or seen.flips):
        return []
    baseline = words("column.baseline") if material.results.workloads else material.results.treatments[0]
    columns = (
        Column("statement", words("plans.statement"), kind="code"),
        Column("treatment", words("column.treatment"), kind="text"),
        Column("baseline", baseline, kind="prose"),
        Column("value", words("plans.value"), kind="prose"),
    )
    rows = tuple(
        (
            change.statement,
            words.listed(change.treatments),
            plan_words(change.before, words),
            plan_words(change.after, words),
        )
        for change in seen.changes
    )
    said = _others(seen, words)
    note = words.sentences([*said, words("plans.note")]) if rows else ""
    return [
        Table("why", "plans", words("plans.title"), columns, rows, note=note, empty=words.sentences(said))
    ]


def _others(seen: SeenPlans, words: Words) -> list[str]:
    """Returns sentences on the statements whose plans are equal, and on those that are not known."""
    said = [
        words(key, count=len(of))
        for key, of in (("plans.equal", seen.equal), ("plans.partly", seen.partly))
        if of
    ]
    if seen.flips:
        flips = dict.fromkeys(flip.statement for flip in seen.flips)
        said.append(words("plans.unstable", count=len(flips)))
    return [*said, *(words("plans.unknown", why=why.rstrip(".")) for why in seen.unknown)]


def plan_words(plan: Sequence[Step], words: Words) -> str:
    """Returns a plan in words, a table each: `ref on k_1, 1 row`."""
    return words.clauses(
        words.sentences([f"{step.table}:", _step(step, words)]) if len(plan) > 1 else _step(step, words)
        for step in plan
    )


def _step(step: Step, words: Words) -> str:
    way = words("plans.by-key", access=step.access, index=step.key) if step.key else step.access
    parts = [way or NOTHING]
    if step.key and step.key_parts:
        parts.append(words("plans.parts", parts=", ".join(step.key_parts)))
    if step.rows is not None:
        parts.append(words("plans.rows", rows=number(step.rows)))
    return words.listed([*parts, *(part.strip() for part in step.extra.split(";") if part.strip())])
