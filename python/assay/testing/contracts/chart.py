"""The contract tests of every chart of the report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace

import pytest

from assay.reporting.report.charts import answer
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.render import specification
from assay.reporting.report.charts.sentences import sentence
from assay.reporting.report.charts.style import DARK, SHADE
from assay.reporting.report.material import Material
from assay.reporting.report.sections import SECTIONS
from assay.reporting.report.treatment_labels import labels_of
from assay.reporting.report.words import LANGUAGES, Words, load_words
from assay.testing.specs import Unit, keys, scales, texts, titles, units

Draw = Callable[[Material], Chart | None]
Drawn = Callable[[Sequence[Unit], Chart], bool]


def _is_band(unit: Unit) -> bool:
    return unit.kind == "area" and bool(unit.reaches())


def _has_intervals(marks: Sequence[Unit], _: Chart) -> bool:
    return any(unit.kind == "rule" and unit.reaches() for unit in marks)


def _regions(marks: Sequence[Unit]) -> int:
    return sum(unit.kind == "rect" and unit.field("x2") == "to" for unit in marks)


def _panels_of_ratios(marks: Sequence[Unit]) -> int:
    return sum(unit.kind == "rule" and unit.field("x") == "one" for unit in marks)


def _is_clipped(marks: Sequence[Unit], _: Chart) -> bool:
    return any(
        unit.mark.get("clip") and high > unit.encoding["y"]["scale"]["domain"][1]
        for unit in marks
        for _, high in unit.reaches()
        if unit.kind == "rule"
    )


def _is_warmup(unit: Unit) -> bool:
    shaded = unit.kind == "rect" and unit.mark.get("color") == SHADE
    return shaded and any(row.get("to") == 0 and row["from"] < 0 for row in unit.rows)


DRAWN: Mapping[str, Drawn] = {
    "flame": lambda _, chart: chart.name == "flame",
    "flame-certain": lambda _, chart: (
        chart.name == "flame" and any(one.word != "undecided" for one in chart.records)
    ),
    "intervals": lambda marks, chart: (
        chart.name in ("throughput", "latency") and _has_intervals(marks, chart)
    ),
    "interval-lines": lambda marks, chart: (
        chart.name in ("costs", "experiment", "forest", "why", "ledger-cpu", "ledger-time")
        and _has_intervals(marks, chart)
    ),
    "bands": lambda marks, _: any(_is_band(unit) for unit in marks),
    "blocks": lambda marks, _: any(unit.kind == "tick" and "block" in unit.rows[0] for unit in marks),
    "clipped": _is_clipped,
    "cut-at-zero": lambda marks, chart: (
        not chart.name.startswith("ledger-") and any(low < 0 for unit in marks for low, _ in unit.reaches())
    ),
    "loads-at-points": lambda marks, _: any(
        unit.kind == "text" and unit.field("text") == "load" for unit in marks
    ),
    "region": lambda marks, chart: chart.name == "forest" and _regions(marks) == _panels_of_ratios(marks),
    "region-of": lambda marks, _: 0 < _regions(marks) < _panels_of_ratios(marks),
    "log-axis": lambda marks, chart: chart.name in ("paired", "ridge"),
    "sparse": lambda marks, _: any(unit.field("y2") == "tick" and unit.rows for unit in marks),
    "strength": lambda marks, _: any("fillOpacity" in unit.encoding for unit in marks),
    "warmup": lambda marks, _: any(_is_warmup(unit) for unit in marks),
    "marks": lambda marks, _: any(unit.mark.get("strokeDash") == [3, 3] for unit in marks),
    "canary": lambda _, chart: any(getattr(one, "lane", "") == "canary" for one in chart.records),
    "density": lambda marks, _: any(unit.field("x2") == "density" for unit in marks),
}
"""Whether a specification draws a part of which captions speak, by its phrase under `[chart.part]`."""

_BRIGHTNESS = re.compile(
    r"\b(dark|light|bright|pale|black|white)(er|est)?\b|[越最更](深|浅|亮|暗)|黑|白", re.I
)


class ChartContract:
    """Tests of a chart. `shapes` are results of one treatment and of several, in each language."""

    @pytest.fixture
    def shapes(self, material: Material, bare: Material) -> Sequence[Material]:
        return [
            replace(one, words=load_words(language)) for one in (material, bare) for language in LANGUAGES
        ]

    def test_what_is_drawn_are_records(self, draw: Draw, material: Material) -> None:
        chart = material.once(draw)
        if chart is None:
            return
        assert chart.section in (answer.SECTION, *SECTIONS)
        assert re.fullmatch(r"[a-z0-9-]+", chart.name), "the name is a file's"
        assert chart.title
        assert sentence(material, chart), "its sentence is in `charts/sentences.py`"
        assert chart.records, "a chart without records is None"
        assert all(is_dataclass(record) for record in chart.records)
        assert len({type(record) for record in chart.records}) == 1, "one CSV has one kind of rows"

    def test_names_are_whole_and_distinct(self, draw: Draw, shapes: Sequence[Material]) -> None:
        for material, chart in _drawn(draw, shapes):
            for names in keys(chart.spec):
                assert len(set(names)) == len(names), names
            written = texts(chart.spec)
            assert not [text for text in written if "…" in text]
            assert not [title for title in titles(chart.spec) if title.get("limit")]
            treatments = dict.fromkeys(_treatments(chart))
            if len(material.results.treatments) > 1 and treatments:
                labels = labels_of(material)
                for one in treatments:
                    called = {_packed(labels.of[one]), _packed(labels.keyed[one])}
                    assert any(
                        name in _packed(text) for name in called for text in [*written, chart.caption]
                    ), written
                if all(labels.keyed[one] not in " ".join(written) for one in treatments):
                    factors = "".join([*written, json.dumps(chart.spec, ensure_ascii=False)])
                    assert all(factor in factors for factor in labels.header.split(" · "))

    def test_the_caption_speaks_of_what_is_drawn(self, draw: Draw, shapes: Sequence[Material]) -> None:
        for material, chart in _drawn(draw, shapes):
            marks, said = units(chart.spec), _parts(material.words, chart.caption)
            for part, is_drawn in DRAWN.items():
                assert (part in said) == is_drawn(marks, chart), (part, chart.caption)
            assert chart.caption or chart.name == "answer", "the marks are explained"
            assert sentence(material, chart) not in chart.caption

    def test_it_is_true_in_the_dark(self, draw: Draw, shapes: Sequence[Material]) -> None:
        for _, chart in _drawn(draw, shapes):
            assert not _BRIGHTNESS.search(chart.caption + chart.method), chart.caption
            used = set(re.findall(r'"(#[0-9a-f]{6})"', specification(chart).lower()))
            assert used <= set(DARK), "each colour has a lighter one in dark mode"
            assert len({DARK[colour] for colour in used}) == len(used)

    def test_axes_fit_their_values(self, draw: Draw, shapes: Sequence[Material]) -> None:
        for _, chart in _drawn(draw, shapes):
            for channel in ("x", "y"):
                for scale in scales(chart.spec, channel):
                    domain, ticks = scale["scale"].get("domain"), scale["axis"]["values"]
                    assert domain is None or all(domain[0] <= tick <= domain[1] * 1.0001 for tick in ticks)
                    assert len(ticks) == len(set(ticks)) <= 20
                    if chart.name in ("forest", "tornado", "order") and scale["scale"]["type"] == "log":
                        assert 1 in ticks, ticks


def _drawn(draw: Draw, shapes: Sequence[Material]) -> Iterator[tuple[Material, Chart]]:
    for material in shapes:
        if (chart := material.once(draw)) is not None:
            yield material, chart


def _treatments(chart: Chart) -> Iterator[str]:
    for record in chart.records:
        if name := getattr(record, "treatment", None) or getattr(record, "other", None):
            yield name


def _packed(text: str) -> str:
    """Returns a text without the spaces in which it may be broken into lines."""
    return text.replace(" ", "")


def _parts(words: Words, caption: str) -> set[str]:
    """Returns the parts of which a caption speaks."""
    clauses = caption.rstrip(".。").split(words("join.clause").rstrip()) if caption else []
    clauses = [one.strip() for clause in clauses for one in [clause.split(". ")[0].split("。")[0]]]
    found = set()
    for part in DRAWN:
        pattern = re.sub(r"\\\{[^}]*\\\}", ".*?", re.escape(words(f"chart.part.{part}")))
        if any(re.fullmatch(pattern, clause, re.I) for clause in clauses):
            found.add(part)
    return found
