"""Finds what is missing for a check: runs that failed or were not made, and doubts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from assay.base.printable import line
from assay.design.plan import make_treatments
from assay.design.study import GateRule, Selector, level_text
from assay.design.study.claims import nodes
from assay.results.verdict.answers import Part
from assay.results.verdict.gates.checks import JudgedResults
from assay.results.verdict.results import DoubtNote
from assay.results.verdict.treatments import Treatment


@dataclass(frozen=True)
class Lack:
    """Something that is missing. `key` names its phrase, which has the values; `doubt` says the rest."""

    key: str
    values: tuple[tuple[str, str | int | float], ...] = ()
    doubt: DoubtNote | None = None


def lack(key: str, **values: str | int | float) -> Lack:
    """Returns what is missing, by the key of its phrase and the phrase's values."""
    return Lack(key, tuple(values.items()))


_CHANGED = "changed-study"


def too_few(blocks: int, fewest: int) -> Lack:
    """Returns the lack of blocks, of which a word needs so many; without any, nothing was measured."""
    return lack("few-blocks", blocks=blocks, fewest=fewest) if blocks else lack("not-measured")


class Shortfall:
    """What is missing in results, by treatment. A gate passes only by data that were measured, so each
    reason makes a check unjudged.
    """

    def __init__(self, found: JudgedResults, rebuilt: Mapping[str, Lack] | None = None) -> None:
        """`rebuilt` says which treatments ran on a server file that is another one by now."""
        self._screens = found.study.design.screens
        self._doubts = [
            note
            for note in found.results.doubts
            if note.severity == "invalid" or note.kind == _CHANGED  # which may be the gate's own rule
        ]
        self._failed: dict[str, list[Lack]] = defaultdict(list)
        self._done: dict[str, set[int]] = defaultdict(set)
        self._treatment_of: dict[str, str] = {}
        last = 0
        for run, treatment, block, status, message in found.store.execute(
            "SELECT run_id, treatment, block, status, failure_message FROM runs ORDER BY block, position"
        ).fetchall():
            self._treatment_of[run] = treatment
            last = max(last, block)
            if status == "complete":
                self._done[treatment].add(block)
            else:
                failed = (
                    partial(lack, "failed", message=line(message)) if message else partial(lack, "failed-so")
                )
                self._failed[treatment].append(failed(run=run))
        looks = found.results.looks
        is_planned = not found.study.is_imported and not (looks and looks.schedule)
        self._blocks = found.study.design.blocks if is_planned else last
        self._absent = tuple(_absent(found, self._treatment_of.values()))
        self._rebuilt = rebuilt or {}

    def reasons(self, rule: GateRule, parts: Sequence[Part], load: float | None) -> tuple[Lack, ...]:
        """Returns why parts of a gate's claim cannot be judged at a load point."""
        treatments = tuple(dict.fromkeys(place.treatment for part in parts for place in part.where))
        if self._screens and treatments:  # a level of a screen's factor rests on all of its treatments
            treatments = tuple(dict.fromkeys(self._treatment_of.values()))
        return _distinct(self._reasons(rule, treatments, load))

    def everything(self) -> tuple[Lack, ...]:
        """Returns all that is missing, whatever a claim is about."""
        treatments = tuple(dict.fromkeys(self._treatment_of.values()))
        return _distinct((*self._never_ran(()), *self._reasons_in(treatments, None)))

    def _reasons(self, rule: GateRule, treatments: Sequence[str], load: float | None) -> Iterator[Lack]:
        selectors = [one for part in rule.claim.parts for one in nodes(part) if isinstance(one, Selector)]
        yield from self._never_ran(selectors)
        yield from self._reasons_in(treatments, load)

    def _never_ran(self, selectors: Sequence[Selector]) -> Iterator[Lack]:
        for absent in self._absent:
            if not selectors or any(absent.matches(one) for one in selectors):
                yield lack("never-ran", treatment=line(absent.name))

    def _reasons_in(self, treatments: Sequence[str], load: float | None) -> Iterator[Lack]:
        for treatment in treatments:
            yield from self._failed[treatment]
            missing = [block for block in range(1, self._blocks + 1) if block not in self._done[treatment]]
            if missing and not self._failed[treatment]:
                which = ", ".join(map(str, missing[:5])) + (", …" if len(missing) > 5 else "")
                yield lack("blocks", treatment=line(treatment), count=len(missing), which=which)
            if treatment in self._rebuilt:
                yield self._rebuilt[treatment]
        for note in self._doubts:
            is_here = note.run_id is None or self._treatment_of.get(note.run_id) in treatments
            if is_here and (load is None or note.load is None or note.load == load):
                of_run = (("run", note.run_id),) if note.run_id else ()
                yield Lack("doubt-of-run" if of_run else "doubt", of_run, note)


def _distinct(lacks: Iterable[Lack]) -> tuple[Lack, ...]:
    """Returns them in their order, each once; a doubt's facts have no hash."""
    found: list[Lack] = []
    for one in lacks:
        if one not in found:
            found.append(one)
    return tuple(found)


def _absent(found: JudgedResults, measured: Iterable[str]) -> Iterator[Treatment]:
    """Yields the treatments that the study plans and of which there is no run."""
    if found.study.is_imported:
        return
    there = set(measured)
    for one in make_treatments(found.study):
        if one.name not in there:
            yield Treatment(one.name, {name: level_text(level) for name, level in one.levels.items()})
