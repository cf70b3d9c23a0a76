"""Finds the subjects in which treatments' servers are unequal, and which of those the study varies on
purpose.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from assay.results.verdict.fairness.effective import Variables
from assay.results.verdict.fairness.subjects import SUBJECTS, Subject
from assay.results.verdict.treatments import Treatment

FACTORS = ("server.variables.", "server.dynamic.")


@dataclass(frozen=True)
class Inequality:
    """A subject in which the servers of the treatments are not equal.

    `values`: the value in effect by treatment; several values of one treatment, from runs that disagree, are
    joined by " / ". A treatment without recorded settings is absent. `varied`: the study varies the subject,
    and among treatments with the same levels of it all servers are equal; anything else is unfair.
    """

    subject: Subject
    values: Mapping[str, str]
    varied: bool


def inequalities(
    treatments: Sequence[Treatment], settings: Mapping[str, Sequence[Variables]]
) -> tuple[Inequality, ...]:
    """Returns the inequalities of the servers: unfair ones first, then those that the study varies, each in
    the order of SUBJECTS.

    `settings`: the variables of each run, by treatment.
    """
    known = [treatment for treatment in treatments if settings.get(treatment.name)]
    found = []
    for subject in SUBJECTS:
        seen = {one.name: frozenset(map(subject.value, settings[one.name])) for one in known}
        if len({text for texts in seen.values() for text in texts}) > 1:
            values = {name: " / ".join(sorted(texts)) for name, texts in seen.items()}
            found.append(Inequality(subject, values, _varied(subject, known, seen)))
    return tuple(sorted(found, key=lambda one: one.varied))


def _varied(subject: Subject, treatments: Sequence[Treatment], seen: Mapping[str, Set[str]]) -> bool:
    """Returns whether the study's own levels explain all of the difference."""
    by_levels: dict[tuple[tuple[str, str], ...], set[str]] = defaultdict(set)
    for treatment in treatments:
        levels = [(key, value) for key, value in treatment.varied.items() if _sets(key, subject)]
        by_levels[tuple(sorted(levels))] |= seen[treatment.name]
    return all(len(texts) == 1 for texts in by_levels.values())


def _sets(key: str, subject: Subject) -> bool:
    return key.startswith(FACTORS) and key.rpartition(".")[2].lower() in subject.variables
