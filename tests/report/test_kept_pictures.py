"""Drawn charts that are kept: one file for each picture, and never a wrong one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from assay.reporting.report import Chart, kept_svg, to_svg
from assay.reporting.report.charts import pictures


def _chart(x: int) -> Chart:
    axes = {name: {"field": name, "type": "quantitative"} for name in "xy"}
    spec = {"data": {"values": [{"x": x, "y": 2}]}, "mark": "point", "encoding": axes}
    return Chart("results", "points", "", "", spec, ())


CHART = _chart(1)


def test_a_picture_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = kept_svg(CHART, tmp_path)
    assert first == to_svg(CHART)
    monkeypatch.setattr(pictures, "to_svg", lambda chart: pytest.fail("drawn again"))
    assert kept_svg(replace(CHART, title="another title"), tmp_path) == first


def test_other_records_are_another_picture(tmp_path: Path) -> None:
    first = kept_svg(CHART, tmp_path)
    assert kept_svg(_chart(5), tmp_path) == to_svg(_chart(5)) != first


def test_a_torn_file_is_drawn_again(tmp_path: Path) -> None:
    whole = kept_svg(CHART, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text(whole[: len(whole) // 2])
    assert kept_svg(CHART, tmp_path) == whole == file.read_text()


def test_without_a_place_it_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert kept_svg(CHART, tmp_path / "file" / "below") == kept_svg(CHART, None) == to_svg(CHART)


def test_the_oldest_pictures_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(kept_svg(CHART, tmp_path))
    monkeypatch.setattr(pictures, "MOST_BYTES", size * 2 + 200)
    for x in range(2, 6):
        kept_svg(_chart(x), tmp_path)
    assert 1 <= len(list(tmp_path.iterdir())) <= 2
