"""Phrases that several kinds of claims share: what was not measured, why an outcome is what it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from assay.design.study import parted
from assay.results.verdict.answers import Figure, Nearest, NotBeyond, RunsAgree, in_percent
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import Outcome
from assay.results.verdict.phrases import Amount, Clauses, Phrase, given, percent, phrase
from assay.results.verdict.question import Question


def bound(runs: RunsAgree) -> Phrase:
    """Returns the words "at 95 % confidence at most 39 % of runs are otherwise"."""
    return phrase("bound", percent=percent(runs.confidence), most=runs.most_percent)


def not_measured(measures: Sequence[str], one: Place, other: Place | None = None) -> Clauses:
    """Returns what to say of a claim whose measures are missing, at one place or in every block of two."""
    names = tuple(dict.fromkeys(measures))
    if other is None:
        return (phrase("not-measured", measures=names, at=one),)
    return (phrase("not-in-a-common-block", measures=names, one=one, other=other),)


def uncounted_kinds(measures: Sequence[str], known: Collection[str]) -> tuple[Clauses, ...]:
    """Returns the sentence about measures of a kind (`new_order.p95_ms`) that no run counted apart; none
    where each was. `known` are the measures that runs have.
    """
    counted_apart = {kind for one in known if (kind := parted(one)[0]) is not None}
    lacking = [one for one in dict.fromkeys(measures) if parted(one)[0] not in {None, *counted_apart}]
    if not lacking:
        return ()
    kind, measure = parted(lacking[0])
    assert kind is not None
    if counted_apart:
        return ((phrase("kind-not-counted", kind=kind, kinds=tuple(sorted(counted_apart))),),)
    return ((phrase("no-kind-counted", kind=kind, measure=measure),),)


def because(outcome: Outcome, question: Question | None, of: Nearest | None = None, unit: str = "") -> Phrase:
    """Returns why the figures give this outcome; without a question, for several things asserted together.
    `unit` is that of the question's figures.
    """
    if question is None:
        if of is None:
            return phrase(f"all-{outcome}")
        return phrase(f"all-{outcome}-nearest", name=of.name, near=amount(of.figure))
    edges = [limit for limit, _ in question.edges]
    if question.relation == "~":
        return phrase(f"within-{outcome}", low=given(edges[0]), high=given(edges[1], unit))
    side = "above" if question.relation.startswith(">") else "below"
    return phrase(f"{side}-{outcome}", edge=given(edges[0], unit))


def unit_of(question: Question | None, found: Figure | None) -> str:
    """Returns the unit of a question's figures: that of the level that is held against them."""
    return found.unit if question is not None and found is not None and found.kind == "level" else ""


def meaning(says: NotBeyond | None) -> Clauses:
    """Returns what an outcome says of both sides: "not less by more than 2 %"; nothing where it is plain."""
    return (phrase(says.word, margin=says.percent),) if says else ()


def of_a_set(outcome: Outcome, wanted: Phrase) -> Phrase:
    """Returns whether the answers that are not excluded are all wanted, none wanted, or partly wanted."""
    return phrase(f"set-{outcome}", wanted=wanted)


def of_a_share(outcome: Outcome, share: float) -> Phrase:
    """Returns whether the interval of a share of all runs lies above the claim's, below it or across."""
    return phrase(f"share-{outcome}", edge=given(100 * share, "%"))


def direction(question: Question | None, found: Figure | None) -> tuple[Clauses, ...]:
    """Returns the sentence about a difference whose direction is certain (more, less) and whose size is
    not.
    """
    if question is None or not question.of_treatments or found is None:
        return ()
    if found.low is None or found.high is None:
        return ()
    if found.low > 1:
        return ((phrase("direction-more"),),)
    return ((phrase("direction-less"),),) if found.high < 1 else ()


def missed(blocks: int, most: float, confidence: float) -> Clauses:
    """Returns the sentence about a kind of start that none of so many blocks had."""
    return (phrase("missed", blocks=blocks, most=in_percent(most), percent=percent(confidence)),)


def withstands(blocks: int, correlation: float) -> Clauses:
    """Returns the sentence about an outcome that blocks undo if neighbouring ones are alike."""
    key = "withstands" if correlation else "withstands-none"
    return (phrase(key, blocks=blocks, correlation=f"{correlation:g}"),)


def by_load(loads: Mapping[int, int]) -> tuple[Clauses, ...]:
    """Returns the sentence about values that are means of loads of the data; none where they are blocks."""
    if not loads:
        return ()
    return ((phrase("means-of-loads", loads=len(set(loads.values())), blocks=len(loads)),),)


def left_out(count: int, kinds: Sequence[str]) -> Clauses:
    """Returns the sentence about values left out because of an *invalid* doubt."""
    return (phrase("left-out", *dict.fromkeys(kinds), count=count),)


def side(measure: str, at: Place) -> Phrase:
    """Returns a measure at a place: "tps of a=4 at 8 threads"."""
    return phrase("side", measure=measure, at=at)


def amount(found: Figure, confidence: float = 0.0, blocks: int = 0, beside: tuple[float, ...] = ()) -> Amount:
    """Returns a figure as it is to be said."""
    low, high = (None if end is None else float(end) for end in (found.low, found.high))
    return Amount(float(found.value), found.unit, low, high, found.kind, blocks, confidence, beside)


def edges_of(question: Question) -> tuple[float, ...]:
    """Returns the figures on whose side an interval must be seen to lie."""
    return tuple(float(edge) for edge, _ in question.edges)
