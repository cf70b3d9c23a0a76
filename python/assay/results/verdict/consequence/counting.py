"""Puts doubts together by kind: how many runs have each, its worst figure, and what it can do to verdicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from assay.design.study import Study
from assay.results.stats import MOST_BLOCKS, Gate
from assay.results.verdict.answers import HypothesisVerdict
from assay.results.verdict.consequence.natures import Nature, nature_of
from assay.results.verdict.consequence.reach import Runs, all_blocks, reach_of
from assay.results.verdict.consequence.weighing import Doubted, JudgeAgain, Weighed, Weighing
from assay.results.verdict.observations import Observations
from assay.results.verdict.results import (
    GRAVEST_FIRST,
    TURNING_FIRST,
    Consequence,
    ConsequenceWord,
    DoubtNote,
    Results,
    TurnedClaim,
    Why,
)

_FIRST_SAID: tuple[Why, ...] = ("rest-agrees", "too-small", "counted", "open", "elsewhere")
"""Reasons why no claim can turn, the one that says most first."""
_OF_MOST = 0.5
"""Share of the runs beyond which a kind that the machine causes is a property of the machine."""


def consequences(
    study: Study,
    doubts: Sequence[DoubtNote],
    verdicts: Sequence[HypothesisVerdict],
    seen: Observations,
    runs: Runs,
    gate: Gate,
    judge: JudgeAgain,
) -> tuple[Consequence, ...]:
    """Returns one row for each kind of doubt, those that turn a verdict first.

    `judge` returns the verdict on a claim from other observations. Nothing is weighed where a gate allows no
    verdict at all: what a doubt could turn would tell what the verdict is.
    """
    if gate.fewest > MOST_BLOCKS:
        return unweighed(doubts, runs)
    weighings = [
        (number, Weighing(one, verdict, seen, gate, judge))
        for number, (one, verdict) in enumerate(zip(study.hypotheses, verdicts, strict=True), start=1)
        if one.claims
    ]
    there = all_blocks(seen)
    found = []
    for kind, notes in _by_kind(doubts).items():
        nature = nature_of(kind)
        severity = min((note.severity for note in notes), key=GRAVEST_FIRST.index)
        doubted = Doubted(kind, nature, reach_of(notes, nature, runs, there), severity, tuple(notes))
        weighed = {number: one.weigh(doubted) for number, one in weighings}
        found.append(_row(kind, notes, nature, weighed, runs))
    return in_order(found)


def unweighed(doubts: Iterable[DoubtNote], runs: Runs) -> tuple[Consequence, ...]:
    """Returns one row for each kind of doubt about results without verdicts."""
    rows = [_row(kind, notes, nature_of(kind), {}, runs) for kind, notes in _by_kind(doubts).items()]
    return in_order(replace(one, word="not-weighed") for one in rows)


def kinds_of_doubt(results: Results) -> tuple[Consequence, ...]:
    """Returns the doubts of results, a row a kind; unweighed where nobody has weighed them."""
    return results.consequences or unweighed(results.doubts, {})


def _by_kind(doubts: Iterable[DoubtNote]) -> dict[str, list[DoubtNote]]:
    found: dict[str, list[DoubtNote]] = defaultdict(list)
    for note in doubts:
        found[note.kind].append(note)
    return found


def in_order(found: Iterable[Consequence]) -> tuple[Consequence, ...]:
    """Returns rows with those first that have turned a verdict, then those that could, then by severity."""
    return tuple(
        sorted(
            found,
            key=lambda one: (
                TURNING_FIRST.index(one.word),
                GRAVEST_FIRST.index(one.severity),
                -one.runs,
                -one.count,
                one.kind,
            ),
        )
    )


def with_notes(results: Results, notes: Sequence[DoubtNote], *, first: bool = False) -> Results:
    """Returns results with further doubts, about the study as a whole, which were found beside its figures;
    `first` puts them before the others.
    """
    if not notes:
        return results
    doubts = (*notes, *results.doubts) if first else (*results.doubts, *notes)
    rows = []
    for note in notes:
        nature = nature_of(note.kind)
        can_turn = bool(nature.reaches)
        decided = [
            number for number, one in enumerate(results.hypotheses, start=1) if one.outcome != "undecided"
        ]
        weighed: dict[int, Weighed] = {
            number: ("could-turn", "unknown") if can_turn and number in decided else _UNTOUCHED[can_turn]
            for number in range(1, len(results.hypotheses) + 1)
        }
        rows.append(_row(note.kind, [note], nature, weighed, {}))
    complete = max((one.complete for one in results.consequences), default=0)
    rows = [replace(one, complete=complete) for one in rows]
    if results.gate.fewest > MOST_BLOCKS:
        rows = [replace(one, word="not-weighed", turned=()) for one in rows]
    return replace(results, doubts=doubts, consequences=in_order((*results.consequences, *rows)))


_UNTOUCHED: Mapping[bool, Weighed] = {True: ("cannot-turn", "open"), False: ("cannot-turn", "elsewhere")}


def with_known(results: Results, kinds: Collection[str]) -> Results:
    """Returns results with the kinds of doubts marked that a person accepts for this machine."""
    return replace(
        results,
        consequences=tuple(replace(one, known=one.kind in kinds) for one in results.consequences),
    )


def _row(
    kind: str, notes: Sequence[DoubtNote], nature: Nature, weighed: Mapping[int, Weighed], runs: Runs
) -> Consequence:
    turned = tuple(
        TurnedClaim(number, word, why)
        for number, (word, why) in weighed.items()
        if word in ("has-turned", "could-turn")
    )
    words = [one.word for one in turned]
    word: ConsequenceWord = min(words, key=TURNING_FIRST.index, default="cannot-turn")
    whys = [why for of, why in weighed.values() if of == word]
    ids = {note.run_id for note in notes if note.run_id is not None}
    of_runs = [runs[run] for run in ids if run in runs]
    return Consequence(
        kind=kind,
        severity=min((note.severity for note in notes), key=GRAVEST_FIRST.index),
        word=word,
        why=_why(word, whys),
        turned=turned,
        count=len(notes),
        runs=len(ids),
        complete=len(runs),
        loads=tuple(sorted({note.load for note in notes if note.load is not None})),
        treatments=tuple(sorted({name for name, _ in of_runs if name is not None})),
        worst=max(notes, key=lambda note: (-GRAVEST_FIRST.index(note.severity), _figure(note))),
        of_machine=nature.of_machine and len(of_runs) > _OF_MOST * len(runs),
    )


def _why(word: ConsequenceWord, whys: Sequence[Why]) -> Why:
    if not whys:
        return "no-claim"
    if word == "cannot-turn":
        return min(whys, key=_FIRST_SAID.index)
    return whys[0]


_MEASURED = ("value", "change", "swing", "share", "part", "count", "hours")
"""Names of the figures by which doubts of a kind are compared, the first that one has."""


def _figure(note: DoubtNote) -> float:
    for name in _MEASURED:
        value = note.facts.get(name)
        if isinstance(value, int | float):
            return abs(value)
    return 0.0
