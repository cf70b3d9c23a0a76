"""The contract tests of every chart of the report."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import is_dataclass

from assay.reporting.report.charts import answer
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.render import to_svg
from assay.reporting.report.charts.sentences import sentence
from assay.reporting.report.material import Material
from assay.reporting.report.sections import SECTIONS

Draw = Callable[[Material], Chart | None]


class ChartContract:
    """Tests of a chart."""

    def test_it_is_drawn_or_left_out(self, draw: Draw, material: Material) -> None:
        chart = draw(material)
        if chart is None:
            return
        assert chart.section in (answer.SECTION, *SECTIONS)
        assert re.fullmatch(r"[a-z0-9-]+", chart.name), "the name is a file's"
        assert chart.title
        assert chart.caption
        assert sentence(material, chart), "its sentence is in `charts/sentences.py`"
        picture = ET.fromstring(to_svg(chart))
        assert picture.tag == "{http://www.w3.org/2000/svg}svg"
        assert "NaN" not in ET.tostring(picture, encoding="unicode")

    def test_what_is_drawn_are_records(self, draw: Draw, material: Material) -> None:
        chart = draw(material)
        if chart is not None:
            assert chart.records, "a chart without records is None"
            assert all(is_dataclass(record) for record in chart.records)
            assert len({type(record) for record in chart.records}) == 1, "one CSV has one kind of rows"

    def test_one_run_is_enough_or_too_little(self, draw: Draw, bare: Material) -> None:
        chart = draw(bare)
        if chart is not None:
            assert chart.records
            assert "NaN" not in to_svg(chart)
