"""Whether two results may be compared: one difference of each kind, planted in all places that compare."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from assay.base.errors import InputError
from assay.design.study import Conditions, Study, Work, forbidding, host_class_of, unlikenesses
from assay.design.study.storage import NO_SERVER
from assay.experiments.comparison import Grid
from assay.experiments.comparison.likeness import OF_GRIDS, refuse_other_work
from assay.experiments.gate.baseline.record import Identity, read_baseline
from assay.experiments.history.reading import OF_BLOCKS, OF_LEVELS, OF_RATIOS, Build, Cell
from assay.experiments.history.series import series_of
from assay.experiments.lab import noise_around
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.compare.likeness import OF_LOOKS, obstacles
from assay.measurement.calibration import (
    NOISE_OF_FLAVOUR,
    Noise,
    NoiseSetting,
    keep_noise,
    kept_noise,
    noise_of,
)

from studies import read

TEXT = (
    '[study]\nname = "s"\n[server]\nuse = "mariadb"\n'
    '[workload]\nuse = "tpcc"\n[load]\nthreads = [8]\nmeasure = "4s"\n'
)
PAGE = Path(__file__).parents[2] / "docs" / "method" / "statistics.md"
HERE = Conditions(
    study="a" * 64, host="2 x CPU, 8 GiB", configuration="default", regime="", window_s=4.0,
    load_kind="threads", load=8.0, server="MariaDB 11.4.1", hostname="one", server_flavour="mariadb",
    server_version="11.4.1", server_sha256="1" * 64, dataset="d-1", data="d", workload="tpcc", assay="1",
    engine="1", canary_us=400.0, work=Work("server", ("tpcc",)), stated=read(TEXT),
)  # fmt: skip
OTHER = "b" * 64
PLANTED: Mapping[str, Mapping[str, Any]] = {
    "kind of work": {"work": Work("storage"), "workload": "files", "study": OTHER},
    "workload": {"workload": "lua:tpcc", "study": OTHER},
    "load": {"load": 64.0, "study": OTHER, "stated": read(TEXT.replace("[8]", "[64]"))},
    "class of the machine": {"host": "4 x CPU, 8 GiB"},
    "data, whatever the build": {"data": "e"},
    "canary, by more than 5 %": {"canary_us": 480.0},
    "version of the engine": {"engine": "2"},
    "version of Assay": {"assay": "2"},
    "length of the window": {"window_s": 60.0, "study": OTHER, "stated": read(TEXT.replace("4s", "60s"))},
    "flavour of the server": {"server_flavour": "mysql", "server": "MySQL 11.4.1"},
    "build of the server": {"server": "MariaDB 11.4.2", "server_version": "11.4.2", "dataset": "d-2"},
    "name of the host": {"hostname": "two"},
}
"""What differs, by the rows of the table on the page; the hash of the study follows what it states."""


def baseline(one: Conditions, other: Conditions) -> bool:
    mine, its = (
        Identity(
            study=of.study,
            host=of.host,
            data=of.data,
            canary_us=of.canary_us,
            assay=of.assay,
            engine=of.engine,
        )
        for of in (one, other)
    )
    return mine.differing(its) is not None


def history(one: Conditions, other: Conditions) -> bool:
    cells = [
        Cell(
            "f",
            of,
            Build(of.server_flavour, of.server_version, of.server_sha256),
            "b",
            0,
            "tps",
            "/s",
            {1: 9.0},
        )
        for of in (one, other)
    ]
    return len(series_of(cells, "date", None)) == 2


def noise(one: Conditions, other: Conditions) -> bool:
    setting = NoiseSetting(
        host=one.host, server=one.server, workload=one.workload, regime=one.regime, window_s=one.window_s or 0
    )
    keep_noise([_noise(setting, one.load or 0.0)])
    load = SimpleNamespace(measure_s=other.window_s, kind=other.load_kind)
    found = noise_around(cast(Study, SimpleNamespace(load=load)))
    return not found("default", other, "tps")


def grids(one: Conditions, other: Conditions) -> bool:
    left, right = (Grid("g", cast(Work, of.work), (), {}, {}, (), conditions=of) for of in (one, other))
    try:
        refuse_other_work(left, right)
    except InputError:
        return True
    return False


def page(one: Conditions, other: Conditions) -> bool:
    results = SimpleNamespace(blocks_complete=6, gate=SimpleNamespace(fewest=6), estimates=(), doubts=())
    opened = cast(OpenResults, SimpleNamespace(judged=SimpleNamespace(results=results)))
    return bool(list(obstacles(opened, opened, one, other)))


PLACES: Mapping[str, Callable[[Conditions, Conditions], bool]] = {
    "a baseline": baseline,
    "a history": history,
    "kept noise": noise,
    "`assay compare`": grids,
    "a page of two results": page,
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    # The regime is the engine's answer; a treatment without a server has none, and nothing is asked.
    plan = SimpleNamespace(treatment=lambda _: SimpleNamespace(server_use=NO_SERVER))
    monkeypatch.setattr("assay.experiments.lab.noise.make_plan", lambda *_, **__: plan)
    return tmp_path


def _noise(setting: NoiseSetting, load: float) -> Noise:
    return Noise(
        setting=setting, load_kind="threads", load=load, measure="tps", log_sd=0.01, degrees=15, blocks=6,
        measured_wall_ns=1,
    )  # fmt: skip


def _printed() -> dict[str, dict[str, str]]:
    """The table on the page: what differs -> place -> what that does."""
    text = PAGE.read_text(encoding="utf-8").partition("### Which results may be compared")[2]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    head, *rest = rows
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rest if row[0] in PLANTED}


@pytest.mark.parametrize("what", PLANTED)
def test_a_planted_difference_has_the_printed_answer_in_all_places(what: str) -> None:
    changed = replace(HERE, **PLANTED[what])
    printed = _printed()[what]
    assert {name: place(HERE, changed) for name, place in PLACES.items()} == {
        name: printed[name] == "forbids" for name in PLACES
    }


def test_nothing_forbids_comparing_what_is_alike() -> None:
    assert not any(place(HERE, HERE) for place in PLACES.values())


@pytest.mark.parametrize("choice", [OF_BLOCKS, OF_RATIOS, OF_LEVELS, NOISE_OF_FLAVOUR])
def test_what_forbids_comparing_is_what_series_and_noise_are_looked_up_by(choice: Any) -> None:
    for what, parts in PLANTED.items():
        if what not in ("canary, by more than 5 %", "kind of work"):  # which nobody is looked up by
            changed = replace(HERE, **parts)
            differs = HERE.only(choice) != changed.only(choice)
            assert differs == bool(forbidding(HERE, changed, choice)), what


def test_whatever_differs_is_said_with_its_effect() -> None:
    for what, parts in PLANTED.items():
        found = unlikenesses(HERE, replace(HERE, **parts), OF_LOOKS)
        effect = _printed()[what]["a page of two results"]
        assert effect in {one.effect for one in found}, what
    assert unlikenesses(HERE, HERE, OF_GRIDS) == ()


@pytest.mark.parametrize("part", ["host", "data", "workload", "canary"])
def test_what_nobody_noted_is_no_equal_condition_of_a_page(part: str) -> None:
    unknown = replace(
        HERE, **{"data": {"data": "", "dataset": ""}, "canary": {"canary_us": None}}.get(part, {part: ""})
    )
    assert [one.part for one in forbidding(unknown, unknown, OF_LOOKS)] == [part]
    assert [one.part for one in forbidding(HERE, unknown, OF_LOOKS)] == [part]


def test_older_results_without_an_id_of_their_data_are_told_by_their_datasets() -> None:
    old = replace(HERE, data="")
    assert not forbidding(HERE, old, OF_LOOKS)
    assert [one.name for one in forbidding(HERE, replace(old, dataset="d-9"), OF_LOOKS)] == ["data"]


def test_a_class_of_machines_has_processors_and_memory_in_common() -> None:
    assert host_class_of("Xeon", 16, 64 << 30) == "16 x Xeon, 64 GiB"
    assert host_class_of("Xeon", "16", str((64 << 30) - 5)) == "16 x Xeon, 64 GiB"
    assert host_class_of(None, None, None) == "? x unknown processor"


OLD_BASELINE = {
    "format": 1,
    "name": "purge",
    "identity": {
        "study": "a" * 64,
        "host": "2 x CPU, 8 GiB",
        "canary_us": 400.0,
        "assay": "1",
        "engine": "1",
    },
    "load_kind": "threads",
    "confidence": 0.95,
    "series": [
        {
            "configuration": "default",
            "load": 8,
            "measure": "tps",
            "unit": "1/s",
            "mean_log": 1,
            "log_sd": 0,
            "blocks": 6,
        }
    ],
    "accepted": [{"at": "2026-11-24T06:30:00Z", "servers": ["mariadb 11.4.1"], "reason": "first baseline"}],
}
"""A baseline of before the id of the data and the noise of copies were kept."""


@pytest.mark.parametrize(
    ("here", "said"),
    [
        ({}, None),
        ({"data": "d"}, "the data differs: unknown in the baseline, d here"),
        ({"study": OTHER}, "the study differs: aaaaaaaaaaaa… in the baseline, bbbbbbbbbbbb… here"),
        ({"engine": "2", "assay": "2"}, "the version of assay differs: 1 in the baseline, 2 here"),
        ({"canary_us": None}, "the canary was sampled on one side alone"),
        (
            {"canary_us": 440.0},
            "the canary differs by +10%: the same work cost 400 µs in the baseline, 440 µs here",
        ),
    ],
)
def test_an_old_baseline_has_the_words_that_it_had(
    home: Path, here: dict[str, Any], said: str | None
) -> None:
    file = home / "baseline.json"
    file.write_text(json.dumps(OLD_BASELINE), encoding="utf-8")
    identity = read_baseline(file).identity
    known: dict[str, Any] = {
        "study": "a" * 64,
        "host": "2 x CPU, 8 GiB",
        "canary_us": 400.0,
        "assay": "1",
        "engine": "1",
    }
    assert identity.differing(Identity(**(known | here))) == said


def test_old_noise_is_found_by_the_setting_that_it_has(home: Path) -> None:
    setting = {
        "host": "2 x CPU, 8 GiB",
        "server": "MariaDB 11.4.1",
        "workload": "tpcc",
        "regime": "",
        "window_s": 4.0,
    }
    row = {
        "setting": setting, "load_kind": "threads", "load": 8.0, "measure": "tps", "log_sd": 0.02,
        "degrees": 15, "blocks": 6, "measured_wall_ns": 1,
    }  # fmt: skip
    (home / "noise.json").write_text(json.dumps({"format": 1, "kept": [row]}), encoding="utf-8")
    (kept,) = kept_noise()
    assert noise_of(NoiseSetting(**setting), "threads", [8.0], "tps") == [kept]
    keep_noise([kept])
    assert json.loads((home / "noise.json").read_text(encoding="utf-8")) == {"format": 1, "kept": [row]}
