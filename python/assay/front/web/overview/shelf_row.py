"""What a row of the shelf says of results: the figure that answers, the words of claims, and its doubts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from assay.base.numbers import number
from assay.experiments.lab import Headline
from assay.front.web.archive.rows import NO_LOOK, CatalogueRow
from assay.reporting.report import Cell, Column, Figure, Words
from assay.results.verdict import GRAVEST_FIRST

_DOT = " · "
_LEVELS = ", "  # between the levels in the name of a treatment


@dataclass(frozen=True)
class Answer:
    """The headline in words. `figures` are those of the best treatment and of its baseline, each with its
    treatment; `ratio` is empty where nothing is compared; `sorts_by` is what orders rows.
    """

    ratio: str
    figures: tuple[tuple[str, str], ...]
    of: str
    sorts_by: float


@dataclass(frozen=True)
class DoubtsLine:
    """How many kinds of doubts of one severity results have, and what they are called. `says`: what they can
    do to a verdict, or how grave they are where nothing was weighed.
    """

    severity: str
    says: str
    count: int
    kinds: str


def answer_of(words: Words, headline: Headline | None) -> Answer | None:
    """Returns the headline of results as a row shows it."""
    if headline is None:
        return None
    unit = words.unit(headline.unit)
    of = _DOT.join((words.measure(headline.measure), words.load(headline.load, headline.load_kind)))
    before = f"{number(headline.before)} {unit}".rstrip()
    if headline.after is None:
        return Answer("", ((before, ""),), of, headline.before)
    after = f"{number(headline.after)} {unit}".rstrip()
    best, baseline = _apart(headline.other, headline.baseline)
    ratio = "" if headline.ratio is None else f"×{number(headline.ratio)}"
    sorts_by = headline.after if headline.ratio is None else headline.ratio
    return Answer(ratio, ((after, best), (before, baseline)), of, sorts_by)


def _apart(one: str, other: str) -> tuple[str, str]:
    """Returns two names of treatments without the levels that both have."""
    parts = [name.split(_LEVELS) for name in (one, other)]
    common = set(parts[0]) & set(parts[1])
    left, right = (_LEVELS.join(part for part in levels if part not in common) for levels in parts)
    return left or one, right or other


def headline_columns(words: Words) -> tuple[Column, ...]:
    """Returns the columns of a headline in a table of results."""
    return (
        Column("measure", words("column.measure"), kind="text"),
        Column("unit", words("column.unit"), kind="text"),
        Column("best", words("web.shelf.best")),
        Column("baseline", words("column.baseline")),
        Column("ratio", words("web.shelf.ratio")),
    )


def headline_cells(words: Words, headline: Headline | None) -> tuple[Cell, ...]:
    """Returns the cells of `headline_columns`."""
    if headline is None:
        return (None, None, None, None, None)
    before = None if headline.after is None else headline.before
    return (
        words.measure(headline.measure),
        words.unit(headline.unit),
        headline.best,
        before,
        Figure(headline.ratio, headline.low, headline.high),
    )


def words_of(row: CatalogueRow) -> list[tuple[str, int]]:
    """Returns the outcomes of claims at the last look, each with how many claims have it; none before a
    look.
    """
    found = Counter(outcome for _, outcome in row.claims if outcome)
    return list(found.items())


def is_open(row: CatalogueRow) -> bool:
    """Returns whether a result has all its runs and claims that nobody has looked at: opening it judges
    them.
    """
    return row.state == "whole" and any(not outcome for _, outcome in row.claims)


def doubts_of(words: Words, row: CatalogueRow) -> DoubtsLine | None:
    """Returns the gravest doubts of a row by kind, only those that turn a verdict where some do; None where
    there are none but notes.
    """
    turning = [one for one in row.doubts if one.word in ("has-turned", "could-turn")]
    for severity in GRAVEST_FIRST:
        kinds = [one.kind for one in turning or row.doubts if one.severity == severity]
        if kinds and (turning or severity != "note"):
            harmless = all(one.word == "cannot-turn" for one in row.doubts if one.severity == severity)
            says = "turning" if turning else "harmless" if harmless else severity
            named = words.listed(words.get(f"doubt.{kind}", kind) for kind in kinds)
            return DoubtsLine(severity, says, len(kinds), named)
    return None


def outcomes_of(row: CatalogueRow) -> list[str]:
    """Returns the outcome of each claim at the last look, by which a list is filtered."""
    return [outcome or NO_LOOK for _, outcome in row.claims]
