"""Are the kinds that claims name there? Of transactions the engine's catalogue says it, of files the jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.jobfiles import StudyLoad
from assay.plan.plan import Plan, Treatment
from assay.study import Factor, Study, StudyText, Term, did_you_mean, level_text, parted
from assay.study.claims import Among


def check_kinds(study: Study, plan: Plan, catalogue: Sequence[Mapping[str, Any]], source: StudyText) -> None:
    """Raises InputError for a claim about a kind of transactions, or a job, that a treatment of it lacks.

    `catalogue` and `source` are those of `check_workload`, which comes first.
    """
    of_workload = {str(entry["name"]): list(entry.get("kinds", ())) for entry in catalogue}
    known = {
        treatment.name: of_workload[treatment.workload]
        if treatment.storage is None
        else _jobs(treatment.storage, plan)
        for treatment in plan.treatments
    }
    for number, hypothesis in enumerate(study.hypotheses):
        for term in hypothesis.terms:
            kind = parted(term.measure)[0]
            spoken_of = [one for one in plan.treatments if _selected(term, one)]
            lacking = [one for one in spoken_of if kind is not None and kind not in known[one.name]]
            if kind is None or not lacking:
                continue
            raise source.error(
                ("hypothesis", number, "claim"),
                f"hypothesis[{number}].claim: {_lacks(lacking[0], kind, known[lacking[0].name])}",
                hint=_to_name(term, study.factors, spoken_of, lacking),
            )


def _jobs(load: StudyLoad, plan: Plan) -> list[str]:
    rungs = load.ladder(plan.load_kind, plan.loads, Path("/"))
    return list(dict.fromkeys(job.name for jobs in rungs for job in jobs))


def _selected(term: Term, treatment: Treatment) -> bool:
    return all(
        treatment.levels.get(factor) in (level.levels if isinstance(level, Among) else (level,))
        for factor, level in term.selector.levels
    )


def _lacks(treatment: Treatment, kind: str, known: Sequence[str]) -> str:
    if treatment.storage is not None:
        what = "job"
    elif known:
        what = "kind of transactions"
    else:
        return f'{treatment.workload} has no kinds of transactions, and so no "{kind}"'
    return f'{treatment.workload} has no {what} "{kind}"{did_you_mean(kind, known)}'


def _to_name(
    term: Term, factors: Sequence[Factor], spoken_of: Sequence[Treatment], lacking: Sequence[Treatment]
) -> str | None:
    """How the claim would speak only of treatments that have the kind; None where none has it."""
    for factor in factors:
        without = {one.levels[factor.name] for one in lacking}
        found = [one.levels[factor.name] for one in spoken_of if one not in lacking]
        if found and not without & set(found):
            return f"say which have it, as in {term.measure}[{factor.short_name}={level_text(found[0])}]"
    return None
