"""Figures of verdicts and comparisons in a few words: `1.12 times (1.10 to 1.14)`, `0.4 to 11.5 ms`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.base import numbers
from assay.base.numbers import number

if TYPE_CHECKING:
    from assay.design.study import LoadKind
    from assay.reporting.report.words import Words
    from assay.results.verdict import Figure, HypothesisVerdict, Part


def measured(words: Words, value: float, low: float | None, high: float | None, unit: str) -> str:
    """Returns a value with its unit and its interval: `6,750 per second (6,500 to 7,000)`."""
    shown = numbers.ends(value, low, high)
    return _with_ends(words, f"{shown[0] if shown else numbers.number(value)} {unit}".strip(), shown)


def times(words: Words, value: float, low: float | None = None, high: float | None = None) -> str:
    """Returns a ratio with its interval: `1.12 times (1.10 to 1.14)`."""
    shown = numbers.ratio_ends(value, low, high)
    return _with_ends(words, words("answer.times", ratio=shown[0] if shown else numbers.ratio(value)), shown)


def span(words: Words, values: Sequence[float], unit: str = "") -> str:
    """Returns the smallest and the largest of values: `0.4 to 11.5 ms`; one where they read alike."""
    low, high = numbers.reach(min(values), max(values))
    said = low if low == high else words("answer.span", low=low, high=high)
    return f"{said} {unit}".strip()


def unit_words(words: Words, unit: str) -> str:
    """Returns a unit as it stands in a sentence: `per second`."""
    return words.get(f"answer.unit.{unit}", "") or words.unit(unit)


def _with_ends(words: Words, shown: str, ends: tuple[str, str, str] | None) -> str:
    if ends is None:
        return shown
    return words("answer.with-ends", figure=shown, ends=words("answer.span", low=ends[1], high=ends[2]))


def of_verdict(words: Words, verdict: HypothesisVerdict, kind: LoadKind) -> str:
    """Returns the figure that a verdict rests on, with its loads; empty where nothing could be judged.

    Of several parts that support a claim it is their range; otherwise the first part that decided is shown.
    """
    parts = verdict.parts
    if not parts:
        return ""
    deciding = [part for part in parts if part.outcome == verdict.outcome] or list(parts)
    if any(part.runs is not None for part in deciding):
        return _at(words, _of_runs(words, deciding), deciding, kind)
    if verdict.ladders and all(part.figure and part.figure.kind == "ratio" for part in parts):
        known = [one.figure for one in verdict.ladders]
    elif verdict.outcome == "supported":
        known = [part.figure for part in parts if part.figure is not None]
    else:
        known, deciding = [one for one in (deciding[0].figure,) if one is not None], deciding[:1]
    if deciding[0].answers and len(parts) == 1:
        return _at(words, words("answer.may-be", answers=words.listed(deciding[0].answers)), deciding, kind)
    return _at(words, figure_words(words, known, kind), parts if verdict.ladders else deciding, kind)


def figure_words(words: Words, known: Sequence[Figure], kind: LoadKind) -> str:
    """Returns one figure with its interval, or the range of several of one kind and unit; else empty."""
    if not known or len({(one.kind, one.unit) for one in known}) > 1:
        return ""
    first, unit = known[0], unit_words(words, known[0].unit)
    if len(known) == 1:
        match first.kind:
            case "ratio":
                return times(words, first.value, first.low, first.high)
            case "load":
                return words.load(first.value, kind)
            case "share":
                return f"{numbers.share(first.value)} %"
            case _:
                return measured(words, first.value, first.low, first.high, unit)
    values = [100 * one.value if one.kind == "share" else one.value for one in known]
    if first.kind == "ratio":
        return words("answer.times", ratio=span(words, values))
    return span(words, values, "%" if first.kind == "share" else unit)


def _of_runs(words: Words, parts: Sequence[Part]) -> str:
    found = [part.runs for part in parts if part.runs is not None]
    runs, otherwise = sum(one.runs for one in found), sum(one.otherwise for one in found)
    return words("answer.runs" if otherwise == 0 else "answer.runs-otherwise", runs=runs, otherwise=otherwise)


def _at(words: Words, figure: str, parts: Sequence[Part], kind: LoadKind) -> str:
    """Returns the figure with the load points of the parts; a part that compares load points names none."""
    if any(len({place.load for place in part.where}) > 1 for part in parts):
        return figure
    where = at_loads(words, [part.load for part in parts if part.load is not None], kind)
    return words("answer.at", figure=figure, loads=where) if figure and where else figure or where


def at_loads(words: Words, loads: Sequence[float], kind: LoadKind) -> str:
    """Returns load points in words: `32 threads`, `1 to 32 threads`; empty for none."""
    found = sorted(set(loads))
    if len(found) < 2:
        return words.load(found[0], kind) if found else ""
    ends = words("answer.span", low=number(found[0]), high=number(found[-1]))
    return words(f"load.at-{kind}", load=ends)
