"""The noise of single runs is kept by what it belongs to, once each, and not without end."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from assay.base.errors import InputError
from assay.measurement.calibration import Noise, NoiseSetting, host_class, keep_noise, noise_of
from assay.measurement.calibration import noise as kept_noise

SETTING = NoiseSetting(
    host="a processor × 2",
    server="MariaDB 11.4.2",
    workload="tpcc",
    regime="pool holds the data",
    window_s=60.0,
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def figure(
    load: float = 8.0, log_sd: float = 0.01, setting: NoiseSetting = SETTING, measure: str = "tps"
) -> Noise:
    return Noise(
        setting=setting, load_kind="threads", load=load, measure=measure,
        log_sd=log_sd, degrees=15, blocks=6, measured_wall_ns=1,
    )  # fmt: skip


def test_nothing_is_kept_before_the_first() -> None:
    assert noise_of(SETTING, "threads", [8], "tps") == []


def test_what_is_kept_is_found_by_load_in_the_order_asked_for() -> None:
    keep_noise([figure(1), figure(8), figure(64), figure(8, measure="p95_ms", log_sd=0.3)])
    assert [one.load for one in noise_of(SETTING, "threads", [64, 32, 1], "tps")] == [64, 1]


@pytest.mark.parametrize("key", ["host", "server", "workload", "regime"])
def test_another_setting_has_none(key: str) -> None:
    keep_noise([figure()])
    assert noise_of(msgspec.structs.replace(SETTING, **{key: "another"}), "threads", [8], "tps") == []
    assert noise_of(msgspec.structs.replace(SETTING, window_s=2.0), "threads", [8], "tps") == []
    assert noise_of(SETTING, "rate", [8], "tps") == []


def test_a_newer_figure_takes_the_place_of_an_older_one(home: Path) -> None:
    keep_noise([figure(log_sd=0.01), figure(1)])
    keep_noise([figure(log_sd=0.02)])
    assert [one.log_sd for one in noise_of(SETTING, "threads", [8], "tps")] == [0.02]
    assert len(msgspec.json.decode((home / "noise.json").read_bytes())["kept"]) == 2


def test_the_oldest_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_noise, "MOST_KEPT", 3)
    keep_noise(figure(load) for load in (1, 2, 3, 4))
    keep_noise([figure(2)])
    keep_noise([figure(5)])
    assert [one.load for one in noise_of(SETTING, "threads", [1, 2, 3, 4, 5], "tps")] == [2, 4, 5]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b'{"format": 2}'])
def test_a_file_that_cannot_be_read_is_named_and_left_alone(home: Path, content: bytes) -> None:
    home.mkdir()
    (home / "noise.json").write_bytes(content)
    with pytest.raises(InputError, match=r"noise\.json"):
        noise_of(SETTING, "threads", [8], "tps")
    with pytest.raises(InputError, match=r"noise\.json"):
        keep_noise([figure()])
    assert (home / "noise.json").read_bytes() == content


def test_machines_of_a_class_have_processors_and_memory_in_common() -> None:
    assert " x " in host_class()
    assert host_class().endswith(" GiB")
