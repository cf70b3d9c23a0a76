"""The comparison as a matrix: one row a measure, one column a load; what is judged, then what explains it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.design.study import LoadKind
from assay.front.web.compare.compared import Compared, ComparedRow
from assay.reporting.report import Cell, Column, Figure, Origin, Ratio, Table, Words, explain_estimate
from assay.results.verdict import Estimate

MOST = 12
"""Measures that explain, unless all are asked for: the clearest."""


def headline_table(words: Words, found: Compared, kind: LoadKind) -> Table:
    """Returns the ratios of the headline measures at each load, with their words."""
    rows = [row for row in found.rows if row.is_headline]
    pairing = "paired" if found.is_paired else "unpaired"
    decisions = (row.decision for row in found.rows if row.decision is not None)
    estimates = dict.fromkeys(explain_estimate(words, one) for one in decisions if not one.is_firm)
    note = words.sentences([words(f"web.compare.{pairing}-note"), *estimates])
    nothing = words("web.compare.nothing" + (found.lack and f"-{found.lack}"))
    return _matrix(words, found, kind, ("headline", words("web.compare.headline"), note, nothing), rows)


def explaining_table(words: Words, found: Compared, kind: LoadKind, *, every: bool) -> Table:
    """Returns the ratios of the other measures, those with the most evidence first; those within the margin
    only with `every`.
    """
    title, note = words("web.compare.explaining"), words("web.compare.explaining-note")
    texts = ("explaining", title, note, words("web.compare.explains-nothing"))
    return _matrix(words, found, kind, texts, explaining(found, every=every))


def explaining(found: Compared, *, every: bool) -> list[ComparedRow]:
    """Returns the rows of the measures that explain a comparison, in the order of evidence: the report's
    reasons where it ranked them, otherwise what lies beyond the margin at any load.
    """
    rows = [row for row in found.rows if not row.is_headline]
    if every:
        return rows
    named = found.reasons
    if named is None:
        named = tuple(dict.fromkeys(row.measure for row in rows if row.matters))
    kept = set(named[:MOST])
    return [row for row in rows if row.measure in kept]


def hidden(found: Compared, *, every: bool) -> int:
    """Returns how many measures `explaining` leaves out."""
    measures = {row.measure for row in found.rows if not row.is_headline}
    return len(measures - {row.measure for row in explaining(found, every=every)})


def _matrix(
    words: Words,
    found: Compared,
    kind: LoadKind,
    texts: tuple[str, str, str, str],
    rows: Sequence[ComparedRow],
) -> Table:
    """`texts`: name, title, note, and what is said where there are no rows."""
    name, title, note, nothing = texts
    loads = sorted({row.load for row in found.rows})
    by_measure: dict[str, dict[float, ComparedRow]] = {}
    for row in rows:  # the order of rows is that of evidence
        by_measure.setdefault(row.measure, {})[row.load] = row
    group, ratios = "", words("web.compare.axis")
    if loads:
        group = words("web.compare.at", load=words.load(loads[-1], kind))
    return Table(
        "", name, title,
        (
            Column("measure", words("column.measure"), kind="text"),
            Column("unit", words("column.unit"), kind="text"),
            Column("base", words("web.compare.base"), group=group),
            Column("new", words("web.compare.new"), group=group),
            *(
                Column(f"ratio at {load:g}", words.load(load, kind), kind="ratio", group=ratios)
                for load in loads
            ),
            *([Column("looks", words("web.compare.looks"), kind="text")] if found.has_looks else []),
        ),
        tuple(_row(words, found, of, loads) for of in by_measure.values()),
        note=note,
        empty=nothing,
        tinted=True,
    )  # fmt: skip


def _row(
    words: Words, found: Compared, of: dict[float, ComparedRow], loads: Sequence[float]
) -> tuple[Cell, ...]:
    shown = of[max(of)]
    cells: list[Cell] = [
        words.measure(shown.measure),
        words.unit(shown.unit),
        figure(shown.base, "base") if shown.load == loads[-1] else None,
        figure(shown.new, "new") if shown.load == loads[-1] else None,
        *(_ratio(of.get(load)) for load in loads),
    ]
    if found.has_looks:
        cells.append(_looks(words, of.values()))
    return tuple(cells)


def _ratio(row: ComparedRow | None) -> Cell:
    if row is None:
        return None
    place = Origin(row.new.treatment, row.load, row.measure, "new")
    if row.word:
        return Ratio(row.ratio, row.low, row.high, row.word, place)
    return Figure(row.ratio, row.low, row.high, place)


def _looks(words: Words, rows: Iterable[ComparedRow]) -> str:
    looks = {row.load: row.look for row in rows if row.look}
    if len(set(looks.values())) == 1:
        return words(f"web.compare.looks-{next(iter(looks.values()))}")
    return words.clauses(
        f"{load:g}: {words(f'web.compare.looks-{look}')}" for load, look in sorted(looks.items())
    )


def figure(one: Estimate, side: str) -> Figure:
    """Returns the figure of a side, which leads to the number's page. Both sides may have treatments of one
    name: the place says whose it is.
    """
    return Figure(one.value, one.low, one.high, Origin(one.treatment, one.load, one.measure, side))
