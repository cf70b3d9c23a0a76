"""The tables of doubts: a row a kind with what it can do to the verdicts, what most runs share, and all of
them one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from assay.reporting.report.doubts_said import kind_name, reason_of, said_of
from assay.reporting.report.explain import explain_doubt
from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Cell, Column, Link, Table, Word, named_columns
from assay.reporting.report.tables.wide import load_column
from assay.reporting.report.words import Words
from assay.results.verdict import Consequence, by_severity, kinds_of_doubt


def tables(material: Material) -> list[Table]:
    """Returns `doubt-machine`, the kinds that most runs share and the machine causes; of the other kinds
    `doubt-kinds`, which could turn a verdict, and `doubt-harmless`, which cannot; `doubts`, one row a doubt
    with the run it is about. Accepted kinds are in a note.
    """
    rows = kinds_of_doubt(material.results)
    said = [one for one in rows if one.is_said]
    accepted = _accepted(material, [one for one in rows if not one.is_said])
    others = [one for one in said if not one.of_machine]
    parts = {
        "doubt-machine": [one for one in said if one.of_machine],
        "doubt-kinds": [one for one in others if one.word != "cannot-turn"],
        "doubt-harmless": [one for one in others if one.word == "cannot-turn"],
    }
    found = [_kinds(material, name, of) for name, of in parts.items() if of]
    if accepted:
        found = found or [_kinds(material, "doubt-kinds", ())]
        note = material.words.sentences(one for one in (accepted, found[0].note) if one)
        found[0] = replace(found[0], note=note, empty=accepted)
    return [*found, _all(material)]


def _kinds(material: Material, name: str, rows: Sequence[Consequence]) -> Table:
    words = material.words
    return Table(
        "doubts",
        name,
        words(f"doubts.{name}"),
        (
            *named_columns(words, "column", severity="word", kind="text", consequence="prose"),
            *named_columns(words, "column", runs="text", at="text", worst="prose"),
            Column("what to do", words("column.what-to-do"), kind="prose"),
        ),
        tuple(
            (
                Word(one.severity),
                kind_name(words, one.kind),
                _consequence(words, one),
                _runs(material, one),
                _places(material, one),
                explain_doubt(words, one.worst),
                words.get(f"doubt-do.{one.kind}", ""),
            )
            for one in rows
        ),
        note=words("doubts.accept", kind=rows[0].kind) if name == "doubt-machine" else "",
        folded=all(one.word == "cannot-turn" for one in rows),
    )


def _runs(material: Material, one: Consequence) -> str:
    """Returns how many runs have a kind of doubt, of how many: "3 of 12"."""
    if not one.runs:
        return material.words("doubts.of-study")
    return material.words("doubts.runs", runs=one.runs, complete=one.complete)


def _places(material: Material, one: Consequence) -> str:
    """Returns the load points and treatments of a kind of doubt, where these are not all."""
    results = material.results
    places: list[str] = []
    if one.loads and set(one.loads) != set(results.loads):
        places += [material.load_words(load) for load in one.loads]
    if one.treatments and set(one.treatments) != set(results.treatments):
        places += one.treatments
    return material.words.listed(places) or material.words("doubts.everywhere")


def _accepted(material: Material, rows: Iterable[Consequence]) -> str:
    """Returns a sentence with the kinds that a person accepts for this machine, and their runs."""
    words = material.words
    kinds = [
        words("doubts.accepted", kind=kind_name(words, one.kind), runs=_runs(material, one)) for one in rows
    ]
    return words("consequence.known", kinds=words.listed(kinds)) if kinds else ""


def _consequence(words: Words, one: Consequence) -> str:
    said = said_of(words, one)
    sentences = [f"{said[:1].upper()}{said[1:]}{words('consequence.stop')}", reason_of(words, one)]
    return words.sentences(sentence for sentence in sentences if sentence)


def _all(material: Material) -> Table:
    words = material.words
    rows: list[tuple[Cell, ...]] = [
        (
            Word(d.severity),
            kind_name(words, d.kind),
            explain_doubt(material.words, d),
            d.load,
            Link(d.run_id, f"runs/{d.run_id}/run.json") if d.run_id else None,
        )
        for d in by_severity(material.results.doubts)
    ]
    return Table(
        "doubts",
        "doubts",
        words("doubts.all"),
        (
            *named_columns(words, "column", severity="word", kind="text", message="prose"),
            load_column(material),
            Column("run", words("column.run"), kind="links"),
        ),
        tuple(rows),
        empty=words("doubts.empty"),
        folded=True,
    )
