"""A screen on the page: a tornado chart, effects by size, pairs, the design; and the same on a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from assay.design.study import parse_study
from assay.reporting.report import print_summary
from assay.reporting.report.charts import forest, tornado
from assay.reporting.report.charts.render import to_svg
from assay.reporting.report.material import Material
from assay.reporting.report.records.screening import advised, ranked
from assay.reporting.report.summary import opening
from assay.reporting.report.tables import comparisons, screening
from assay.reporting.report.tables.model import Ratio, Word
from assay.reporting.report.words import load_words
from assay.results.stats import Gate
from assay.results.verdict import Comparison, FactorEffect, Interaction, Screening
from rich.console import Console
from synthetic import make_material

STUDY = """\
[study]
name = "s"
[server]
use = "mariadb"
[workload]
use = "oltp_read_write"
[load]
threads = [8]
[[factor]]
name = "server.variables.large"
levels = [1, 2]
[[factor]]
name = "server.variables.small"
levels = [1, 2]
[[factor]]
name = "server.variables.nothing"
levels = [true, false]
[design]
kind = "plackett-burman"
"""


def effect(
    factor: str, ratio: float, word: str, measure: str = "tps", *, single: bool = False
) -> FactorEffect:
    low, high = (None, None) if single else (ratio * 0.98, ratio * 1.02)
    of = Comparison(
        f"{factor}=1",
        f"{factor}=2",
        8,
        measure,
        ratio,
        low,
        high,
        0.03,
        1 if single else 6,
        0.02,
        word,
        None,  # type: ignore[arg-type]
    )
    margins = ((ratio * 0.9, ratio * 1.1), (ratio * 0.8, ratio * 1.2)) if single else (None, None)
    follow = {"better": "yes", "worse": "yes", "same": "no"}.get(word, "open")
    return FactorEffect(factor, "1", "2", of, 0.01, *margins, follow)  # type: ignore[arg-type]


def screen(path: Path, *, single: bool = False, language: str = "en") -> Material:
    made = make_material(path, treatments=1, loads=(8,), blocks=1 if single else 6, language=language)
    words = ("estimate-only",) * 3 if single else ("same", "worse", "better")
    effects = [
        effect(factor, ratio if measure == "tps" else 1 / ratio, word, measure, single=single)
        for measure in ("tps", "p95_ms")
        for factor, ratio, word in zip(("nothing", "small", "large"), (1.001, 0.95, 1.4), words, strict=True)
    ]
    pair = Interaction(
        "tps", 8, ("large", "small"), 1.1, 1.05, 1.15, 6, "more", 0.01, (("a", "b"),), 28, 1 / 3
    )
    results = replace(
        made.results,
        treatments=tuple(f"row {number}" for number in range(1, 9)),
        comparisons=tuple(one.comparison for one in effects),
        screening=Screening("plackett-burman", True, tuple(effects), (pair,)),
        gate=Gate.of(0.95),
    )
    return replace(made, study=parse_study(STUDY, Path("s.toml")), results=results)


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    made = screen(tmp_path_factory.mktemp("screen"))
    yield made
    made.store.close()


def test_effects_stand_by_size_with_their_words(material: Material) -> None:
    table = screening.tables(material)[0]
    keys = [column.key for column in table.columns]
    tps = [dict(zip(keys, row, strict=True)) for row in table.rows][:3]
    assert [row["factor"] for row in tps] == ["large", "small", "nothing"]
    ratio = tps[0]["ratio"]
    assert isinstance(ratio, Ratio)
    assert (ratio.value, ratio.word) == (1.4, "better")
    assert [row["follow up"] for row in tps] == [Word("follow-yes"), Word("follow-yes"), Word("follow-no")]
    assert "Worth a study of their own: large, small." in table.note
    assert "No difference beyond the margin: nothing." in table.note
    assert "folded over" in table.note
    assert "alone" not in keys


def test_the_design_and_the_pairs_have_tables(material: Material) -> None:
    _, pairs, design = screening.tables(material)
    assert pairs.rows[0][2:4] == ("large", "small")
    assert "a × b" in pairs.rows[0]
    assert [row[0] for row in design.rows] == [f"row {number}" for number in range(1, 9)]
    assert design.rows[0][1:] == ("1", "1", "on")


def test_no_table_compares_treatments(material: Material) -> None:
    assert comparisons.tables(material) == []
    assert forest.draw(material) is None
    assert any("levels of factors are compared" in line for line in opening(material))
    assert not any("the first treatment" in line for line in opening(material))


def test_a_tornado_has_the_largest_on_top_and_its_records(material: Material) -> None:
    chart = tornado.draw(material)
    assert chart is not None
    assert [one.factor for one in chart.records][:3] == ["large", "small", "nothing"]
    order = chart.spec["hconcat"][0]["layer"][1]["encoding"]["y"]["sort"]
    assert order == ["large: 1 → 2", "small: 1 → 2", "nothing: 1 → 2"]
    assert len(chart.spec["hconcat"]) == 2
    assert "better" in to_svg(chart)


def test_of_one_block_intervals_are_lenths(tmp_path: Path) -> None:
    made = screen(tmp_path, single=True)
    table = screening.tables(made)[0]
    assert {"alone", "together"} <= {column.key for column in table.columns}
    assert "Lenth" in table.note
    chart = tornado.draw(made)
    assert chart is not None
    assert "Lenth" in chart.caption
    assert chart.records[0].low == pytest.approx(1.4 * 0.9)


def test_a_terminal_has_effects_and_advice(material: Material) -> None:
    for language, advice in (("en", "Worth a study of their own: large, small."), ("zh", "值得单独研究")):
        out = io.StringIO()
        print_summary(material.results, Console(file=out, width=120), language=language)
        shown = out.getvalue()
        assert advice in shown
        assert shown.index("large") < shown.index("small") < shown.index("nothing")
        assert "row 7" not in shown


def test_a_study_that_is_no_screen_has_none_of_it(tmp_path: Path) -> None:
    made = make_material(tmp_path, treatments=2, loads=(8,), blocks=6)
    assert screening.tables(made) == []
    assert tornado.draw(made) is None
    assert ranked(made.results) == []
    assert advised(made.results, load_words("en")) == ""
