"""Results folders, read as the command reads them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from assay.errors import InputError
from assay.history import Wanted, as_csv, as_object, history, picture

BUILDS = ["10.6.1", *(f"11.4.{number}" for number in range(1, 11))]


def test_a_change_between_builds_is_found_in_results(root: Path) -> None:
    found = history([root], Wanted(canary="mariadb@10.6"))
    (series,) = found.series
    assert [point.build for point in series.points] == [f"mariadb {version}" for version in BUILDS[1:]]
    assert series.where.host == "2 x Synthetic CPU @ 2.60GHz, 8 GiB"
    (shift,) = found.shifts
    assert (shift.before, shift.after) == ("mariadb 11.4.5", "mariadb 11.4.6")
    assert shift.largest.ratio == pytest.approx(1 / 1.1, rel=0.02)
    assert not list(root.rglob("looks.json"))  # reading a history gives no verdict

    answer = json.loads(json.dumps(as_object(found)))
    assert answer["shifts"][0]["changes"][0]["series"] == 0
    assert [point["blocks"] for point in answer["series"][0]["points"]] == [2] * 10
    rows = list(csv.DictReader(as_csv(found).splitlines()))
    assert [row["build"] for row in rows] == [point.build for point in series.points]
    assert float(rows[0]["value"]) == series.points[0].value
    drawn = picture(found)
    assert drawn.startswith("<svg")
    assert "ratio to mariadb 10.6.1" in drawn


def test_what_cannot_be_read_is_named_and_the_rest_is_told(root: Path, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "study.json").write_text("{", encoding="utf-8")
    found = history([root, tmp_path], Wanted())
    assert found.folders == 2
    assert "broken" in found.unread[0]
    assert found.series


@pytest.mark.parametrize(
    ("wanted", "said"),
    [(Wanted(measures=("tsp",)), 'did you mean "tps"'), (Wanted(canary="mariadb@9"), "no results have")],
)
def test_what_is_not_there_is_refused(root: Path, wanted: Wanted, said: str) -> None:
    with pytest.raises(InputError, match=said):
        history([root], wanted)


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains no results"):
        history([tmp_path], Wanted())
