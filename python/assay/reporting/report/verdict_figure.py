"""Says what a hypothesis came to in one sentence with one figure, for lists of verdicts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.base.numbers import number, with_interval
from assay.reporting.report import figures

if TYPE_CHECKING:
    from assay.design.study import LoadKind
    from assay.reporting.report.words import Words
    from assay.results.verdict import Figure, HypothesisVerdict, Part, Place

_MEASURE = re.compile(r"([a-z_][\w.]*)\[")
_FASTER = ("tps", "qps")
"""Measures of which a ratio says how many times as fast something is."""


def verdict_figure(verdict: HypothesisVerdict, words: Words, kind: LoadKind) -> str:
    """Returns the figure of a hypothesis in its sentence: "index=on is 16.6 ± 1.4 times as fast as index=off
    (1–32 threads)". Several load points give the mean over them where there is one, otherwise a range.
    """
    found = _MEASURE.search(verdict.claim)
    measure = found[1] if found else ""
    parts = [part for part in verdict.parts if part.figure is not None]
    if parts and all(_compares(part) for part in parts):
        return _comparison(verdict, parts, measure, words, kind)
    figure = figures.of_verdict(words, verdict, kind)
    if not figure:
        return words("hypotheses.no-parts")
    deciding = [part for part in verdict.parts if part.outcome == verdict.outcome] or list(verdict.parts)
    if verdict.outcome != "supported" and deciding[0].runs is None:
        deciding = deciding[:1]  # whose figure it is
    treatments = _one_name([part.where[0] for part in deciding])
    if not measure:
        return words("terminal.figure.of-claim", treatments=treatments, figure=figure)
    return words("terminal.figure.level", measure=measure, treatments=treatments, figure=figure)


def _compares(part: Part) -> bool:
    return part.figure is not None and part.figure.kind == "ratio" and len(part.where) == 2


def _comparison(
    verdict: HypothesisVerdict, parts: Sequence[Part], measure: str, words: Words, kind: LoadKind
) -> str:
    known = [part.figure for part in parts if part.figure is not None]
    ladders = [one.figure for one in verdict.ladders]
    (one,) = ladders if len(ladders) == 1 else known if len(known) == 1 else (None,)
    figure = _span(known) if one is None else _with_ends(one)
    left, right = (_one_name([part.where[side] for part in parts]) for side in (0, 1))
    said = {"measure": measure, "figure": figure}
    ends = [place.load for place in parts[0].where if place.load is not None]
    if left == right and len(ends) == 2:  # one treatment at two load points
        first, last = (words.load(load, kind) for load in ends)
        return words("terminal.figure.loads", treatment=left, left=first, right=last, **said)
    key = "faster" if measure in _FASTER else "times" if measure else "unnamed"
    loads = _loads(parts, words, kind)
    return words(f"terminal.figure.{key}", left=left, right=right, loads=loads, **said)


def _with_ends(ratio: Figure) -> str:
    return with_interval(ratio.value, ratio.low, ratio.high, beside=(0.0, 1.0))


def _span(ratios: Sequence[Figure]) -> str:
    ends = dict.fromkeys(number(end(one.value for one in ratios)) for end in (min, max))
    return "–".join(ends)


def _one_name(places: Sequence[Place]) -> str:
    """Returns the treatments of one side, each once; of many the first and the last."""
    names = list(dict.fromkeys(place.treatment for place in places))
    return " / ".join(names if len(names) <= 2 else [names[0], "…", names[-1]])


def _loads(parts: Sequence[Part], words: Words, kind: LoadKind) -> str:
    """Returns the load points in words: "1–32 threads"."""
    loads = sorted({part.load for part in parts if part.load is not None})
    if not loads:
        return words("terminal.figure.ladder")
    last = words.load(loads[-1], kind)
    return f"{number(loads[0])}–{last}" if len(loads) > 1 else last
