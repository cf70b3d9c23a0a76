"""Chooses the two treatments of a results folder whose difference is to be explained, and reads what each of
them has in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from assay.base.errors import InputError
from assay.design.plan import Treatment as Planned
from assay.design.plan import make_treatments
from assay.design.study import SERVER, Scalar, Study, level_text, number
from assay.experiments.lab import Judged
from assay.results.verdict import Comparison, Treatment, fairness, treatments_of

_VARIABLE = "server.variables."
_WORDS = ("better", "worse", "more", "less")


@dataclass(frozen=True)
class Side:
    """A treatment of the pair: as measured, as planned, and the variables that its server had in force."""

    measured: Treatment
    planned: Planned
    variables: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.measured.name

    def value(self, key: str) -> Scalar | None:
        """Returns the value of a key of the study: as the study says, or as the server reported it; None
        where neither does.
        """
        if key.startswith(_VARIABLE):
            name = key.removeprefix(_VARIABLE)
            reported = self.variables.get(name)
            stated = self.planned.variables.get(name)
            return stated if reported is None else _scalar(reported)
        if key == "load.ps_mode":
            return self.planned.ps_mode
        if key == "load.client":
            return self.planned.client or "socket"
        if key == "load.delay_ms":
            return self.planned.delay_ms
        return self.planned.given.get(key)


@dataclass(frozen=True)
class Pair:
    """Two treatments at a load point, with the measure whose difference is asked about. `comparison` is None
    where the results compare another measure, or have too few blocks.
    """

    study: Study
    first: Side
    second: Side
    measure: str
    load: float
    comparison: Comparison | None

    @cached_property
    def differs_in(self) -> frozenset[str]:
        """The keys that the study varies between the two."""
        one, other = self.first.planned.varied, self.second.planned.varied
        return frozenset(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))


def pair_of(
    found: Judged, *, treatment: str | None = None, measure: str | None = None, load: float | None = None
) -> Pair:
    """Returns the pair to explain: `treatment` and the baseline that it is compared with; without one, the
    most certain difference of the measure. Raises InputError where the results have none such.
    """
    study, results = found.study, found.results
    if study.subject != SERVER:
        raise InputError(f"{found.folder.path}: loads files: interventions are for studies of servers")
    if study.design.screens:
        raise InputError(
            f"{found.folder.path}: is a screen, which compares levels over all treatments",
            hint="run a study of the factor that it names, and ask there",
        )
    if study.compares_copies or study.experiment is not None:
        what = "compares equal copies" if study.compares_copies else "has an experiment, not a steady load"
        raise InputError(f"{found.folder.path}: {what}: it has no difference to intervene in")
    wanted = measure or results.headlines[0]
    among = [
        one
        for one in results.comparisons
        if one.measure == wanted and load in (None, one.load) and treatment in (None, one.other)
    ]
    if treatment is not None and treatment not in results.treatments:
        raise InputError(
            f'{found.folder.path}: has no treatment "{treatment}"',
            hint=f"it has {', '.join(results.treatments)}",
        )
    if not among:
        raise InputError(
            f"{found.folder.path}: compares no two treatments by {wanted}"
            + ("" if load is None else f" at {load:g}"),
            hint="name a --treatment, a --measure and a --load that it has; `assay report` shows them",
        )
    chosen = max(among, key=_clearness)
    return Pair(
        study,
        side_of(found, chosen.baseline),
        side_of(found, chosen.other),
        wanted,
        chosen.load,
        chosen,
    )


def side_of(found: Judged, name: str) -> Side:
    """Returns a treatment by its name. Raises InputError for an unknown one."""
    measured = {one.name: one for one in treatments_of(found.study, found.store)}
    planned = {_levels(one): one for one in make_treatments(found.study)}
    if name not in measured or (key := frozenset(measured[name].levels.items())) not in planned:
        raise InputError(
            f'{found.folder.path}: has no treatment "{name}"', hint=f"it has {', '.join(measured)}"
        )
    in_force = fairness.variables_in_force(found.store)
    variables = {
        variable: runs[name][0] for variable, runs in in_force.items() if len(set(runs.get(name, ()))) == 1
    }
    return Side(measured[name], planned[key], variables)


def _levels(planned: Planned) -> frozenset[tuple[str, str]]:
    return frozenset((name, level_text(level)) for name, level in planned.levels.items())


def _clearness(one: Comparison) -> tuple[bool, float]:
    """Returns the place of a comparison: those that are certain first, then by the distance of the nearest
    end from 1 in widths of the interval.
    """
    if one.low is None or one.high is None:
        return False, abs(one.ratio - 1)
    middle, width = one.ratio - 1, max(one.high - one.low, 1e-9)
    return one.word in _WORDS, abs(middle) / width


def _scalar(text: str) -> Scalar:
    """Returns a value that a server reported: a number where it is one."""
    found = number(text)
    if found is None:
        return text
    return int(found) if float(found).is_integer() else float(found)
