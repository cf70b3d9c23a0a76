"""Puts the gates of results into their report: the outcome of each check, and the events behind it.

The outcome is judged again from the results, as `assay gate RESULTS` does: nothing keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from assay.experiments.gate.sentences import chance_sentence, reach_text, summary, why_unjudged
from assay.experiments.lab import Judged, write_results
from assay.reporting.report import (
    LANGUAGES,
    Cell,
    Column,
    Figure,
    Link,
    Material,
    Table,
    Word,
    Words,
    explain_part,
    named_columns,
)
from assay.results.verdict import Check, Gated

SECTION = "gates"


def write_pages(judged: Judged, *, png: bool = False, languages: Sequence[str] = LANGUAGES) -> Path:
    """Writes the report of judged results with the outcome of the study's gates, where it has any; returns
    the path of the first language's page.
    """
    write = partial(write_results, judged, png=png, languages=languages)
    if not judged.study.gates:
        return write(lambda _: ())
    from assay.experiments.gate.judging import gate_of_judged  # and with it the noise that is known

    gated = gate_of_judged(judged)
    return write(lambda material: gate_tables(gated, material))


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
                [summary(gated, words), words("gate.events"), chance_sentence(gated, words)]
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
    rows = tuple(_row(check, words, links(check), explained(material, check)) for check in checks)
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


def explained(material: Material, check: Check) -> str:
    """Returns why a check has its outcome, or what is missing for one."""
    if check.part is None or check.lacks:
        return why_unjudged(check, material.words)
    return explain_part(material, check.part)
