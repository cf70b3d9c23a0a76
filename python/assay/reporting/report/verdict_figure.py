"""Says what a hypothesis came to in one sentence with one figure, for lists of verdicts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.base.numbers import number, with_interval

if TYPE_CHECKING:
    from assay.reporting.report.words import Words
    from assay.results.verdict import Figure, HypothesisVerdict, Place

_MEASURE = re.compile(r"([a-z_][\w.]*)\[")
_FASTER = ("tps", "qps")
"""Measures of which a ratio says how many times as fast something is."""


def verdict_figure(verdict: HypothesisVerdict, words: Words) -> str:
    """Returns the figure of a hypothesis in its sentence: "index=on is 16.6 ± 1.4 times as fast as index=off
    (1–32 threads)". Several load points give the mean over them where there is one, otherwise a range.
    """
    parts = [part for part in verdict.parts if part.figure is not None]
    if runs := [part.runs for part in verdict.parts if part.runs is not None]:
        count, otherwise = sum(one.runs for one in runs), sum(one.otherwise for one in runs)
        return words("terminal.figure.runs", true=count - otherwise, runs=count)
    if not parts:
        return words("hypotheses.no-parts")
    (first, *others) = parts
    assert first.figure is not None
    if len(verdict.ladders) == 1:
        figure = _with_ends(verdict.ladders[0].figure)
    elif others:
        figure = _range([part.figure for part in parts if part.figure is not None])
    else:
        figure = _with_ends(first.figure)
    left = _one_name([part.where[0] for part in parts])
    right = _one_name([part.where[1] for part in parts if len(part.where) > 1])
    return _sentence(verdict, first.figure.kind, figure, left, right, words)


def _sentence(verdict: HypothesisVerdict, kind: str, figure: str, left: str, right: str, words: Words) -> str:
    found = _MEASURE.search(verdict.claim)
    measure = found[1] if found else ""
    first = verdict.parts[0]
    unit = words.unit(first.figure.unit) if first.figure is not None else ""
    if kind != "ratio" or len(first.where) < 2:
        said = f"{figure} {unit}".rstrip()
        if kind == "share":
            said = words("terminal.figure.share", figure=figure)
        named = words("join.list").join(part for part in (measure, left) if part)
        return words(
            "terminal.figure.level", what=named or verdict.claim, figure=said, loads=_loads(verdict, words)
        )
    if left == right:  # one treatment at two load points
        ends = [words.load(place.load, place.load_kind) for place in first.where if place.load is not None]
        if len(ends) == 2:
            return words(
                "terminal.figure.loads",
                measure=measure,
                treatment=left,
                figure=figure,
                left=ends[0],
                right=ends[1],
            )
    key = "faster" if measure in _FASTER else "times"
    return words(
        f"terminal.figure.{key}",
        measure=measure,
        left=left,
        right=right,
        figure=figure,
        loads=_loads(verdict, words),
    )


def _with_ends(figure: Figure) -> str:
    times = 100 if figure.kind == "share" else 1
    low, high = (None if end is None else end * times for end in (figure.low, figure.high))
    return with_interval(
        figure.value * times, low, high, beside=(0.0, 1.0) if figure.kind == "ratio" else (0.0,)
    )


def _range(figures: Sequence[Figure]) -> str:
    times = 100 if figures[0].kind == "share" else 1
    ends = dict.fromkeys(number(times * end(one.value for one in figures)) for end in (min, max))
    return "–".join(ends)


def _one_name(places: Sequence[Place]) -> str:
    """Returns the treatments of one side, each once; of many the first and the last."""
    names = list(dict.fromkeys(place.treatment for place in places))
    return " / ".join(names if len(names) <= 2 else [names[0], "…", names[-1]])


def _loads(verdict: HypothesisVerdict, words: Words) -> str:
    """Returns the load points in words: "1–32 threads"."""
    places = [part.where[0] for part in verdict.parts]
    loads = sorted({place.load for place in places if place.load is not None})
    if not loads:
        return words("terminal.figure.ladder")
    last = words.load(loads[-1], places[0].load_kind)
    return f"{number(loads[0])}–{last}" if len(loads) > 1 else last
