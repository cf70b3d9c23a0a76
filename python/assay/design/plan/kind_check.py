"""Refuses claims about what a workload does not measure: a kind of transactions, a job, a measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from assay.base.format import OWN_MEASURES
from assay.design.plan.plan import Plan, Treatment
from assay.design.storage import StudyLoad
from assay.design.study import TIMES, Factor, Study, StudyText, Term, did_you_mean, level_text, parted
from assay.design.study.claims import Among

_OWN = frozenset(one.name for one in OWN_MEASURES)
_OF_ALL = ("tps", "qps", "errors_per_s", *TIMES)
"""Measures of every workload on a server, of all its transactions together."""


def check_kinds(study: Study, plan: Plan, catalogue: Sequence[Mapping[str, Any]], source: StudyText) -> None:
    """Raises InputError for a claim about a kind of transactions, a job or a measure that a treatment lacks.

    `catalogue` and `source` are those of `check_workload`, which comes first.
    """
    kinds = {str(entry["name"]): list(entry.get("kinds", ())) for entry in catalogue}
    own = {str(entry["name"]): [one["name"] for one in entry.get("measures", ())] for entry in catalogue}
    known = {
        treatment.name: kinds[treatment.workload]
        if treatment.storage is None
        else _jobs(treatment.storage, plan)
        for treatment in plan.treatments
    }
    for table, number, terms in _claims(study):
        for term in terms:
            kind, measure = parted(term.measure)
            spoken_of = [one for one in plan.treatments if _selected(term, one)]
            if kind is not None:
                lacking = [one for one in spoken_of if kind not in known[one.name]]
            elif measure in _OWN:
                lacking = [one for one in spoken_of if measure not in own.get(one.workload, ())]
            else:
                continue
            if not lacking:
                continue
            first = lacking[0]
            usual = [*_OF_ALL, *own.get(first.workload, ())]
            if kind is None:
                sentence = _not_measured(first, measure, usual)
            else:
                sentence = _lacks(first, kind, measure, known[first.name])
            raise source.error(
                (table, number, "claim"),
                f"{table}[{number}].claim: {sentence}",
                hint=_to_name(term, study.factors, spoken_of, lacking)
                or (None if first.storage else f"{first.workload} measures {', '.join(usual)}"),
            )


def _claims(study: Study) -> Iterator[tuple[str, int, Sequence[Term]]]:
    """Yields the table and the terms of every claim of a study."""
    for number, hypothesis in enumerate(study.hypotheses):
        yield "hypothesis", number, hypothesis.terms
    for number, rule in enumerate(study.gates):
        yield "gate", number, rule.claim.terms


def _not_measured(treatment: Treatment, measure: str, known: Sequence[str]) -> str:
    return f'{treatment.workload} does not measure "{measure}"; the nearest is "{_nearest(measure, known)}"'


def _nearest(measure: str, known: Sequence[str]) -> str:
    return max(known, key=lambda one: SequenceMatcher(None, measure, one).ratio())


def _jobs(load: StudyLoad, plan: Plan) -> list[str]:
    rungs = load.ladder(plan.load_kind, plan.loads, Path("/"))
    return list(dict.fromkeys(job.name for jobs in rungs for job in jobs))


def _selected(term: Term, treatment: Treatment) -> bool:
    return all(
        treatment.levels.get(factor) in (level.levels if isinstance(level, Among) else (level,))
        for factor, level in term.selector.levels
    )


def _lacks(treatment: Treatment, kind: str, measure: str, known: Sequence[str]) -> str:
    if treatment.storage is not None:
        what = "job"
    elif known:
        what = "kind of transactions"
    else:
        return (
            f'{treatment.workload} has no kinds of transactions, and so no "{kind}"; the nearest is'
            f' "{measure}", of all its transactions'
        )
    return f'{treatment.workload} has no {what} "{kind}"{did_you_mean(kind, known)}'


def _to_name(
    term: Term, factors: Sequence[Factor], spoken_of: Sequence[Treatment], lacking: Sequence[Treatment]
) -> str | None:
    """Returns what the claim must select to be only about treatments that have the kind; None where none has
    it.
    """
    for factor in factors:
        without = {one.levels[factor.name] for one in lacking}
        found = [one.levels[factor.name] for one in spoken_of if one not in lacking]
        if found and not without & set(found):
            return f"say which have it, as in {term.measure}[{factor.short_name}={level_text(found[0])}]"
    return None
