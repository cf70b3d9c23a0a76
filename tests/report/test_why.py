"""The picture of what differs holds the figures at both ends, however many treatments there are."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace

import pytest
from assay.base.numbers import number, ratio_with_interval
from assay.reporting.report.charts import why
from assay.reporting.report.charts.render import to_svg
from assay.reporting.report.charts.sentences import sentence
from assay.reporting.report.material import Material
from assay.reporting.report.words import load_words
from assay.results.verdict import Differing, Reason
from synthetic import make_material

SVG = "http://www.w3.org/2000/svg"
FSYNCS, ROWS, KEYS = "Innodb_data_fsyncs", "Handler_read_rnd_next", "Handler_read_key"


def ends_of(times: float) -> tuple[float, float, float]:
    return times, times * 0.9, times * 1.1


def reason(measure: str, before: float, after: float) -> Reason:
    times = after / before if before and after else None
    ratios = (None, None, None) if times is None else ends_of(times)
    change = 2 * (after - before) / (after + before)
    return Reason(
        f"{measure}_per_query", "/query", 64, before, after, change, change, change, 9.0, 6, *ratios
    )


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    made = make_material(tmp_path_factory.mktemp("why"), treatments=1, loads=(64,), blocks=1)
    yield made
    made.store.close()


@pytest.mark.parametrize(("language", "others"), [("en", 1), ("zh", 3), ("en", 7)])
def test_rows_have_figures_ratio_and_a_name_of_their_own(bare: Material, language: str, others: int) -> None:
    found = (reason(ROWS, 20_048, 0.1234), reason(KEYS, 0, 1), reason(FSYNCS, 0.02, 0.498))
    differing = tuple(Differing("a=0", f"a={other}", (), found) for other in range(1, others + 1))
    made = replace(bare, results=replace(bare.results, differing=differing), words=load_words(language))
    chart = why.draw(made)
    assert chart is not None
    picture = ET.fromstring(to_svg(chart))
    said = [part.text for kind in ("text", "tspan") for part in picture.iter(f"{{{SVG}}}{kind}")]
    each = len(chart.records) // others
    assert each == (3 if others < 7 else 1)
    first = f"{number(20_048)} → {number(0.1234)}", ratio_with_interval(*ends_of(0.1234 / 20_048))
    further = (
        f"{number(0)} → {number(1)}",
        f"{number(0.02)} → {number(0.498)}",
        f"× {ratio_with_interval(*ends_of(24.9))}",
    )
    for texts, shown in ((first, others), (further, others if each == 3 else 0)):
        assert [sum((part or "").startswith(text) for part in said) for text in texts] == [shown] * len(texts)
    assert "1" in said
    if others > 1:
        assert all(said.count(one.other) == 1 for one in differing)
    assert all(part in sentence(made, chart) for part in ("20,048", "0.123", "a=0", "a=1"))


def test_where_nothing_differs_there_is_no_picture(bare: Material) -> None:
    equal = replace(bare.results, differing=(Differing("a=0", "a=1", (f"{ROWS}_per_query",)),))
    assert why.draw(replace(bare, results=equal)) is None
