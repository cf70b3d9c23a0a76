"""Results folders, read as the command reads them."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.history import HistoryRequest, as_csv, as_object, history, kept_cells, picture
from assay.experiments.history.reading import Cell, read_cells
from assay.front.cli import exit_code_of
from assay.measurement.calibration import Noise, NoiseSetting, keep_noise
from assay.testing.results_folder import Truth, make_results
from msgspec.structs import replace

BUILDS = ["10.6.1", *(f"11.4.{number}" for number in range(1, 11))]


def test_a_change_between_builds_is_found_in_results(root: Path) -> None:
    found = history([root], HistoryRequest(canary="mariadb@10.6"))
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


@pytest.mark.long
def test_the_noise_of_copies_is_taken_where_they_ran_as_the_builds_did(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    (unknown,) = history([root], HistoryRequest(canary="mariadb@10.6")).series
    assert unknown.noise == ()
    assert unknown.least < 0.06

    setting = NoiseSetting(
        host=unknown.where.host,
        server="MariaDB 11.4.3",
        workload="oltp_read_write",
        regime="pool holds the data",
        window_s=4.0,
    )
    noise = Noise(
        setting=setting,
        load_kind="threads",
        load=8.0,
        measure="tps",
        log_sd=0.05,
        degrees=15,
        blocks=6,
        measured_wall_ns=1,
    )
    others = [
        replace(noise, **{part: value})
        for part, value in (("load", 64.0), ("measure", "p95_ms"), ("load_kind", "rate"))
    ] + [
        replace(noise, setting=replace(setting, **{part: value}))
        for part, value in (
            ("host", "64 x CPU"),
            ("server", "MySQL 11.4.3"),
            ("workload", "tpcc"),
            ("regime", "pool 1/4 of the data"),
            ("window_s", 60.0),
        )
    ]
    keep_noise(others)
    assert history([root], HistoryRequest(canary="mariadb@10.6")).series[0].noise == ()
    keep_noise([noise])
    (known,) = history([root], HistoryRequest(canary="mariadb@10.6")).series
    assert known.noise == (noise,)
    assert known.least == pytest.approx(0.163, abs=0.005)


def test_a_factor_that_sets_the_build_and_more_is_followed_over_builds(root: Path, tmp_path: Path) -> None:
    """The build is the axis; the other key of the factor tells series apart."""
    tied = (
        '[[factor]]\nname = "stack"\nkeys = ["server.use", "server.variables.sync_binlog"]\n'
        'levels = ["old", "new", "safe"]\n'
        'values = [["mariadb@1.1", 0], ["mariadb@1.2", 0], ["mariadb@1.2", 1]]\n'
    )
    text = (root / "deep" / "releases" / "study.toml").read_text(encoding="utf-8")
    factor = text[text.index("[[factor]]") : text.index("[design]")]
    make_results(
        tmp_path / "tied",
        study_toml=text.replace(factor, tied),
        blocks=2,
        loads=(8,),
        treatments={f"stack={level}": {"stack": level} for level in ("old", "new", "safe")},
        truth=Truth(measure_s=4, warmup_s=1, samples=False),
        versions={"stack=old": "1.1", "stack=new": "1.2", "stack=safe": "1.2"},
    )
    cells = list(read_cells(tmp_path / "tied", ["tps"]))
    assert [(one.build.version, one.use, one.where.configuration) for one in cells] == [
        ("1.1", "mariadb@1.1", "sync_binlog=0"),
        ("1.2", "mariadb@1.2", "sync_binlog=0"),
        ("1.2", "mariadb@1.2", "sync_binlog=1"),
    ]


@pytest.mark.long
def test_a_folder_is_read_once_until_a_file_of_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    folder = make_results(
        tmp_path / "one", blocks=2, loads=(8,), truth=Truth(measure_s=2, warmup_s=1, samples=False)
    )
    read = list(read_cells(folder.path, ["tps", "p95_ms"]))
    assert kept_cells.cells_of(folder.path, ["tps", "p95_ms"]) == read
    asked: list[Path] = []

    def watched(path: Path, measures: Collection[str]) -> Iterator[Cell]:
        asked.append(path)
        return read_cells(path, measures)

    monkeypatch.setattr(kept_cells, "read_cells", watched)
    assert kept_cells.cells_of(folder.path, ["p95_ms", "tps"]) == read
    assert asked == []
    assert {one.measure for one in kept_cells.cells_of(folder.path, ["tps"])} == {"tps"}
    assert len(asked) == 1  # other measures are another question
    shutil.rmtree(sorted(folder.runs.iterdir())[-1])
    assert kept_cells.cells_of(folder.path, ["tps", "p95_ms"]) != read
    for kept in (tmp_path / "home" / "histories").iterdir():
        kept.write_bytes(b"torn")
    assert kept_cells.cells_of(folder.path, ["tps"])


def test_what_cannot_be_read_is_named_and_the_rest_is_told(root: Path, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "study.json").write_text("{", encoding="utf-8")
    found = history([root, tmp_path], HistoryRequest())
    assert found.folders == 2
    assert "broken" in found.unread[0]
    assert found.series


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (HistoryRequest(measures=("tsp",)), 'did you mean "tps"'),
        (HistoryRequest(canary="mariadb@9"), "no results have"),
    ],
)
def test_what_is_not_there_is_refused(root: Path, wanted: HistoryRequest, said: str) -> None:
    with pytest.raises(InputError, match=said):
        history([root], wanted)


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains no results"):
        history([tmp_path], HistoryRequest())


def test_imported_results_are_named_as_such_that_have_no_build(tmp_path: Path) -> None:
    printed = Path(__file__).parents[1] / "adopt/outputs/sysbench-oltp-read-write.txt"
    assert exit_code_of(["import", str(printed), "--results", str(tmp_path / "theirs")]) == 0
    found = history([tmp_path], HistoryRequest())
    assert found.series == ()
    assert found.unread == (
        f"{tmp_path / 'theirs'}: no run measured one of these on a server whose build is known",
    )
