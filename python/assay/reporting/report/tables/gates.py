"""The checks of a study's gates as a table: the outcome of each, and the events behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.reporting.report.explain import explain_part
from assay.reporting.report.gate_sentences import (
    chance_sentence,
    gate_summary,
    made_of,
    reach_text,
    why_unjudged,
)
from assay.reporting.report.labels import labels
from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Cell, Column, Figure, Link, Table, Word, named_columns
from assay.reporting.report.words import Words
from assay.results.verdict import Check, Gated

SECTION = "gates"


def gate_tables(gated: Gated | None, material: Material) -> list[Table]:
    """Returns `gates`: one row a check; without rows where runs are missing, so that nothing was judged."""
    words = material.words
    if gated is None:
        return [checks_table((), material, SECTION, lambda _: (), empty=words("web.gate.interim"))]
    return [
        checks_table(
            gated.checks,
            material,
            SECTION,
            lambda check: _events(material, check),
            note=words.sentences(
                [gate_summary(gated, words), words("gate.events"), chance_sentence(gated, words)]
            ),
        )
    ]


def checks_table(
    checks: Sequence[Check],
    material: Material,
    section: str,
    links: Callable[[Check], tuple[Link, ...]],
    *,
    note: str = "",
    empty: str = "",
) -> Table:
    """Returns one row a check; `links` are those to the numbers that it rests on."""
    words = material.words
    columns = (
        Column("claim", words("web.gate.claim"), kind="text"),
        Column("load", words("web.column.load")),
        *named_columns(words, "column", outcome="word", figure="number", blocks="number"),
        Column("smallest change", words("web.gate.reach"), kind="text"),
        Column("numbers", words("web.gate.numbers"), kind="links"),
        Column("why", words("column.explanation"), kind="prose"),
    )
    rows = tuple(_row(check, words, links(check), explain_check(material, check)) for check in checks)
    return Table(section, SECTION, words("web.gate.checks"), columns, rows, note=note, empty=empty)


def _row(check: Check, words: Words, links: tuple[Link, ...], why: str) -> tuple[Cell, ...]:
    figure = None if check.part is None else check.part.figure
    return (
        check.rule.text,
        check.load,
        Word(check.outcome),
        None if figure is None else Figure(figure.value, figure.low, figure.high),
        check.blocks,
        reach_text(check.reach, words),
        links,
        why,
    )


def _events(material: Material, check: Check) -> tuple[Link, ...]:
    """Returns the events of every run behind a check that did not pass, block by block."""
    if check.part is None or check.outcome == "passed":
        return ()
    places = dict.fromkeys((place.treatment, place.load) for place in check.part.where)
    return tuple(
        Link(f"{row['treatment']} · {row['block']}", row["events"])
        for treatment, load in places
        for row in material.rows(
            "select treatment, block, events from rungs where treatment = ? and load = ? order by block",
            (treatment, load),
        )
    )


def explain_check(material: Material, check: Check) -> str:
    """Returns why a check has its outcome and what its difference is made of, or what is missing for one."""
    words = material.words
    if check.part is None or check.lacks:
        return why_unjudged(check, words)
    said = made_of(check, words, labels(material))
    return words.sentences(filter(None, (explain_part(material, check.part), said)))
