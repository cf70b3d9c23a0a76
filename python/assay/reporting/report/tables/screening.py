"""The tables of a screen: effects of factors, the largest first; interactions of pairs; the design."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

from assay.design.study import factor_labels, level_text, row_name, screen_rows
from assay.reporting.report.explain import doubt_names
from assay.reporting.report.material import Material
from assay.reporting.report.records.screening import advised, is_single, ranked
from assay.reporting.report.tables.model import (
    Cell,
    Column,
    Doubted,
    Figure,
    Ratio,
    Table,
    Word,
    named_columns,
)
from assay.reporting.report.tables.wide import load_column
from assay.results.verdict import FactorEffect, Interaction, Screening


def tables(material: Material) -> list[Table]:
    """Returns `effects`, `interactions` and `design` of a screen; none for a study of another kind."""
    found = material.results.screening
    if found is None:
        return []
    return [_effects(material, found), *_interactions(material, found), _design(material)]


def _effects(material: Material, found: Screening) -> Table:
    words, effects = material.words, ranked(material.results)
    single = is_single(effects)
    columns = [
        Column("measure", words("column.measure"), kind="text"),
        load_column(material),
        Column("factor", words("column.factor"), kind="text"),
        Column("from", words("column.from"), kind="text"),
        *named_columns(words, "column", to="text", ratio="ratio"),
    ]
    if single:
        columns += [
            *named_columns(words, "column", alone="number", together="number"),
        ]
    columns += [
        Column("Holm", words("column.family-p")),
        Column("q value", words("column.q-value")),
        *named_columns(words, "column", blocks="number", detectable="number"),
        Column("more blocks", words("column.more-blocks")),
        Column("follow up", words("column.follow-up"), kind="word"),
        Column("doubts", words("column.doubts"), kind="text"),
    ]
    notes = [words(f"screening.note-{found.kind}")]
    if found.kind == "plackett-burman":
        notes.append(words("screening.folded" if found.folded else "screening.not-folded"))
    if single:
        notes.append(words("screening.lenth"))
    notes.append(advised(material.results, words))
    return Table(
        "comparisons",
        "effects",
        words("screening.title"),
        tuple(columns),
        tuple(_effect(one, words.measure(one.comparison.measure), material, single) for one in effects),
        note=words.sentences([one for one in notes if one]),
        empty=words("screening.empty"),
    )


def _effect(one: FactorEffect, measure: str, material: Material, single: bool) -> tuple[Cell, ...]:
    of = one.comparison
    margins: tuple[Cell, ...] = ()
    if single:
        margins = tuple(
            None if ends is None else Figure(of.ratio, *ends) for ends in (one.alone, one.together)
        )
    return (
        measure,
        of.load,
        one.factor,
        one.first,
        one.level,
        Ratio(of.ratio, of.low, of.high, of.word),
        *margins,
        one.family_p,
        of.q_value,
        of.blocks,
        of.detectable,
        of.more_blocks,
        Word(f"follow-{one.follow_up}"),
        Doubted(doubt_names(material.words, of.doubts)),
    )


def _interactions(material: Material, found: Screening) -> Iterator[Table]:
    words = material.words
    if not found.interactions:
        return
    measures, loads = material.results.headlines, material.results.loads
    ordered = sorted(
        found.interactions,
        key=lambda one: (measures.index(one.measure), loads.index(one.load), -abs(log(one.ratio))),
    )
    yield Table(
        "comparisons",
        "interactions",
        words("screening.pairs-title"),
        (
            Column("measure", words("column.measure"), kind="text"),
            load_column(material),
            Column("factor", words("column.factor"), kind="text"),
            Column("with", words("column.with"), kind="text"),
            Column("ratio", words("column.ratio"), kind="ratio"),
            Column("q value", words("column.q-value")),
            *named_columns(words, "column", blocks="number", aliased="text", mixed="number", share="number"),
            Column("explained by", words("column.explained-by"), kind="text"),
        ),
        tuple(_pair(one, words.measure(one.measure)) for one in ordered),
        note=words("screening.pairs-note"),
        folded=True,
    )


def _pair(one: Interaction, measure: str) -> tuple[Cell, ...]:
    aliased = ", ".join(" × ".join(pair) for pair in one.aliased)
    return (
        measure,
        one.load,
        *one.factors,
        Ratio(one.ratio, one.low, one.high, one.word),
        one.q_value,
        one.blocks,
        aliased or None,
        one.mixed,
        one.share,
        ", ".join(" × ".join(pair) for pair in one.explained_by) or None,
    )


def _design(material: Material) -> Table:
    words, study = material.words, material.study
    labels = factor_labels(study.factors)
    return Table(
        "runs",
        "design",
        words("screening.design-title"),
        (
            Column("treatment", words("column.treatment"), kind="text"),
            *(Column(labels[one.name], labels[one.name], kind="text") for one in study.factors),
        ),
        tuple(
            (row_name(number), *(level_text(row[one.name]) for one in study.factors))
            for number, row in enumerate(screen_rows(study.design, study.factors), start=1)
        ),
        note=words("screening.design-note"),
        folded=True,
    )
