"""Sums a hypothesis up in few sentences, with the number of blocks that would decide what is undecided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import get_args

from assay.results.stats import MOST_BLOCKS
from assay.results.verdict import wording
from assay.results.verdict.answers import Figure, Part, WholeLadder, said_by
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import Outcome
from assay.results.verdict.phrases import Amount, Clauses, Explanation, FigureKind, Phrase, phrase
from assay.results.verdict.wording import amount


def more(blocks: int | None, too_many: bool) -> Explanation:
    """Returns the sentence with the number of blocks that would decide it; none where that is unknown."""
    if too_many:
        return ((phrase("too-many-blocks", most=MOST_BLOCKS),),)
    return () if blocks is None else ((phrase("more-blocks", blocks=blocks),),)


def most_needed(parts: Sequence[Part]) -> tuple[int | None, bool]:
    """Returns the number of blocks that decides all undecided parts, and whether it is too many."""
    still_open = [part for part in parts if part.outcome == "undecided"]
    if any(part.too_many_blocks for part in still_open):
        return None, True
    needed = [part.more_blocks for part in still_open]
    known = [blocks for blocks in needed if blocks is not None]
    return (max(known) if known and len(known) == len(needed) else None), False


def summary(
    outcome: Outcome,
    parts: Sequence[Part],
    explained: Sequence[Explanation],
    blocks: int | None,
    too_many: bool,
    beside: Explanation = (),
) -> Explanation:
    """Returns the summary: the deciding part, or how the parts divide, and how many blocks the whole
    needs. `explained` are the parts' own sentences.
    """
    if not parts:
        return ((phrase("no-run"),),)
    needed = (*beside, *more(blocks, too_many))
    if len(parts) == 1:
        return (*explained[0], *needed)
    if outcome == "supported":
        return (_all_supported(parts), *beside)
    counts = Counter(part.outcome for part in parts)
    deciding = next(text for part, text in zip(parts, explained, strict=True) if part.outcome == outcome)
    if len(counts) == 1:
        return ((phrase(f"everywhere-{outcome}", everywhere=_everywhere(parts)),), *deciding, *needed)
    divided = tuple(phrase(f"count-{word}", count=counts[word]) for word in get_args(Outcome) if counts[word])
    said = phrase(f"divided-{_what(parts)}", count=len(parts), divided=divided)
    return ((said,), *deciding, *needed)


def _all_supported(parts: Sequence[Part]) -> Clauses:
    figures = [part.figure for part in parts if part.figure is not None]
    runs = [part.runs for part in parts if part.runs is not None]
    said = phrase("everywhere-supported", everywhere=_everywhere(parts), reach=_reach(parts, figures))
    weakest = (wording.bound(max(runs, key=lambda one: one.most)),) if runs else ()
    return (said, *weakest, *wording.meaning(said_by(parts)))


def over_ladders(ladders: Sequence[WholeLadder], confidence: float) -> Explanation:
    """Returns the sentence: "Over all 3 load points together: 1.12 times (95 % interval 1.08 to 1.16, 6
    blocks).".
    """
    if not ladders:
        return ()
    shown = [
        phrase(
            "ladder-of" if len(ladders) > 1 else "ladder",
            name=one.name,
            mean=amount(one.figure, confidence, one.blocks),
        )
        for one in ladders[:_SHOWN]
    ]
    if len(ladders) > _SHOWN:
        shown.append(phrase("and-more"))
    loads = ladders[0].loads
    key = "both-together" if loads == 2 else "all-together"
    return ((phrase(key, loads=loads, clauses=tuple(shown)),),)


_SHOWN = 3
_IN_A_ROW: frozenset[FigureKind] = frozenset({"level", "ratio", "load", "order"})


def _reach(parts: Sequence[Part], figures: Sequence[Figure]) -> tuple[Phrase, ...]:
    """Returns the range of figures, " (ratios 1.2 to 1.4)"; shares of runs have a bound instead."""
    known = [figure for figure in figures if figure.kind in _IN_A_ROW]
    if len({(figure.kind, figure.unit) for figure in known}) != 1:
        return ()  # none, or things that cannot stand in one row
    kind, unit = known[0].kind, known[0].unit
    least, most = (float(pick(figure.value for figure in known)) for pick in (min, max))
    if kind == "load":
        at = parts[0].where[0]
        low, high = (Place(at.treatment, load, at.load_kind) for load in (least, most))
        return (phrase("reach-load", low=low, high=high),)
    key = "reach-one" if least == most else f"reach-{kind}"
    return (phrase(key, reach=Amount(least, unit, least, most, kind)),)


def _everywhere(parts: Sequence[Part]) -> Phrase:
    """Returns the words for all parts: "at both load points", "for all 6 combinations of treatments and
    load".
    """
    return phrase(f"{'both' if len(parts) == 2 else 'all'}-{_what(parts)}", count=len(parts))


def _what(parts: Sequence[Part]) -> str:
    """Returns the key of the thing in which the parts differ."""
    if len({part.where for part in parts}) < len(parts):
        return "parts"  # several things are asserted at one place
    if len({part.treatments for part in parts}) == 1:
        return "loads"
    if len({part.load for part in parts}) > 1:
        return "combinations"
    return "pairs" if any(len(part.treatments) > 1 for part in parts) else "treatments"
