"""Sums a hypothesis up in one English line, with the number of blocks that would decide what is undecided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import get_args

from assay.results.stats import MOST_BLOCKS
from assay.results.verdict import wording
from assay.results.verdict.answers import Figure, FigureKind, Part, WholeLadder, said_by
from assay.results.verdict.decision import Outcome


def more(blocks: int | None, too_many: bool) -> str:
    """Returns the sentence with the number of blocks that would decide it; empty where that is unknown."""
    if too_many:
        return (
            f" More blocks are unlikely to settle it: more than {MOST_BLOCKS} would be needed, by the noise"
            " and the effect seen so far."
        )
    if blocks is None:
        return ""
    return f" About {blocks} more {'block' if blocks == 1 else 'blocks'} would probably settle it."


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
    sentences: Sequence[str],
    blocks: int | None,
    too_many: bool,
    beside: str = "",
) -> str:
    """Returns the summary: the deciding part, or how the parts divide, and how many blocks the whole
    needs.
    """
    if not parts:
        return "No run matches the claim."
    needed = f"{beside}{more(blocks, too_many)}"
    if len(parts) == 1:
        return f"{sentences[0]}{needed}"
    if outcome == "supported":
        figures = [part.figure for part in parts if part.figure is not None]
        runs = [part.runs for part in parts if part.runs is not None]
        weakest = f"; {wording.bound(max(runs, key=lambda one: one.most))}" if runs else "."
        said = f"Supported {_everywhere(parts)}{_reach(figures)}{weakest}"
        return f"{wording.meaning(said, said_by(parts))}{beside}"
    counts = Counter(part.outcome for part in parts)
    divided = ", ".join(f"{counts[word]} {word}" for word in get_args(Outcome) if counts[word])
    first = next(sentence for part, sentence in zip(parts, sentences, strict=True) if part.outcome == outcome)
    if len(counts) == 1:
        return f"{outcome.capitalize()} {_everywhere(parts)}. {first}{needed}"
    return f"{len(parts)} {_what(parts)}: {divided}. {first}{needed}"


def over_ladders(ladders: Sequence[WholeLadder], confidence: float) -> str:
    """Returns the sentence: " Over all 3 load points together: 1.12 times (95 % interval 1.08 to 1.16, 6
    blocks).".
    """
    if not ladders:
        return ""
    shown = [
        f"{f'{one.name} ' if len(ladders) > 1 else ''}{wording.figure(one.figure.value)} times"
        f"{wording.ends(one.figure, confidence, one.blocks)}"
        for one in ladders[:_SHOWN]
    ]
    more = ", …" if len(ladders) > _SHOWN else ""
    loads = "both" if ladders[0].loads == 2 else f"all {ladders[0].loads}"
    return f" Over {loads} load points together: {'; '.join(shown)}{more}."


_SHOWN = 3
_PLURAL: Mapping[FigureKind, str] = {"level": "", "ratio": "ratios ", "load": "loads ", "order": "places "}


def _reach(figures: Sequence[Figure]) -> str:
    """Returns the range of figures, " (ratios 1.2 to 1.4)"; shares of runs have a bound instead."""
    known = [figure for figure in figures if figure.kind in _PLURAL]
    if len({(figure.kind, figure.unit) for figure in known}) != 1:
        return ""  # none, or things that cannot stand in one row
    values = [figure.value for figure in known]
    least, most = wording.figure(min(values)), wording.figure(max(values))
    return f" ({_PLURAL[known[0].kind]}{least} to {most}{wording.unit(known[0].unit)})"


def _everywhere(parts: Sequence[Part]) -> str:
    """Returns the words for all parts: "at both load points", "for all 6 combinations of treatments and
    load".
    """
    what = _what(parts)
    preposition = "at" if what == "load points" else "for"
    return f"{preposition} {'both' if len(parts) == 2 else f'all {len(parts)}'} {what}"


def _what(parts: Sequence[Part]) -> str:
    """Returns the thing in which the parts differ, in words."""
    if len({part.where for part in parts}) < len(parts):
        return "parts of the claim"  # several things are asserted at one place
    if len({part.treatments for part in parts}) == 1:
        return "load points"
    if len({part.load for part in parts}) > 1:
        return "combinations of treatments and load"
    return "pairs of treatments" if any(len(part.treatments) > 1 for part in parts) else "treatments"
