"""The generator measured by itself, what is kept of it, and the doubt that follows from it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from assay.base.errors import HostError
from assay.base.format.job import DiskJob, EngineOptions, Job, Target, Tls
from assay.design.folder import RunResult
from assay.design.plan import Script
from assay.design.storage.study_load import StudyLoad
from assay.measurement.calibration import IO_ENGINES
from assay.measurement.calibration.files import CalibrateFiles, calibrate_files
from assay.measurement.calibration.record import (
    Calibration,
    CalibrationSetting,
    calibration_for,
    near_ceiling,
    save,
    setting_of,
    stored,
)
from assay.measurement.calibration.servers import Calibrate, calibrate
from assay.system.engine import jobs
from assay.system.engine.nullserver import find_nullserver, null_server
from assay.system.server import Address
from assay.testing import run_result
from msgspec.structs import replace

SOCKET = jobs.target(Address(user="root", socket=Path("/tmp/x.sock"), database="assay"))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))


def job(connections: int = 8, **options: object) -> Job:
    return jobs.job(
        "run",
        target=SOCKET,
        workload="oltp_point_select",
        options=options,
        seed=1,
        load=jobs.closed_loop(connections),
    )


def result(queries: int, seconds: float = 1.0) -> RunResult:
    return run_result(queries=queries, seconds=seconds)


def kept(setting: CalibrationSetting, ceiling_qps: float) -> Calibration:
    return Calibration(
        setting=setting,
        cpu="x",
        measured_wall_ns=1,
        window_s=1,
        repeats=1,
        ceiling_qps=ceiling_qps,
        lowest_qps=ceiling_qps,
        highest_qps=ceiling_qps,
        ceiling_tps=ceiling_qps,
        floor_cpu_us_per_query=1,
        engine_cores=1,
        engine_was_limit=True,
    )


def test_what_a_calibration_holds_for() -> None:
    same = setting_of(job(table_size=100, rand_type="pareto"))
    assert same == setting_of(job())  # data, not statements
    others = [
        setting_of(job(9)),
        setting_of(job(skip_trx=True)),
        setting_of(replace(job(), target=replace(SOCKET, ps_mode="disable"))),
        setting_of(replace(job(), target=jobs.target(Address(user="root", database="assay")))),
        setting_of(replace(job(), engine=EngineOptions(threads=2))),
    ]
    assert len({same.key, *(other.key for other in others)}) == 6


def test_a_run_is_set_beside_its_own_calibration_only() -> None:
    assert calibration_for(job()) is None
    save(kept(setting_of(job()), 1000))
    assert calibration_for(job()).ceiling_qps == 1000
    assert calibration_for(job(16)) is None
    save(kept(setting_of(job()), 2000))
    assert [one.ceiling_qps for one in stored()] == [2000]


def test_a_damaged_file_is_none(tmp_path: Path) -> None:
    path = save(kept(setting_of(job()), 1000))
    path.write_text("{")
    assert (calibration_for(job()), stored()) == (None, [])


@pytest.mark.parametrize(("queries", "doubted"), [(499, False), (500, False), (501, True), (2000, True)])
def test_above_half_of_the_ceiling_is_doubted(queries: int, doubted: bool) -> None:
    doubt = near_ceiling(result(queries), kept(setting_of(job()), 1000), "rung-1")
    assert (doubt is not None) == doubted
    if doubt is not None:
        assert (doubt.kind, doubt.limit, doubt.rung) == ("near-ceiling", 0.5, "rung-1")
        assert doubt.value == pytest.approx(queries / 1000)


def test_without_a_calibration_nothing_is_said() -> None:
    assert near_ceiling(result(10**9), None) is None


@pytest.mark.sampled(1)
@pytest.mark.parametrize("transport", ["unix", "tcp"])
def test_the_generator_is_measured_against_the_null_server(transport: str) -> None:
    heard: list[tuple[int, int]] = []
    asked = Calibrate(
        workload="oltp_read_only",
        options={"range_size": 7},
        connections=(1, 4),
        transport=transport,
        window_s=0.2,
        repeats=2,
    )
    found = list(calibrate(asked, on_window=lambda *where: heard.append(where)))

    assert heard == [(1, 1), (1, 2), (4, 1), (4, 2)]
    assert found == stored()
    for one in found:
        assert 0 <= one.lowest_qps <= one.ceiling_qps <= one.highest_qps
        assert one.ceiling_qps > 0  # a short window may hold none on a busy machine
        assert one.ceiling_qps == pytest.approx(one.ceiling_tps * 16, rel=0.2)  # statements of a transaction
        assert one.floor_cpu_us_per_query > 0
        assert one.setting.options == {"range_size": 7}
        assert one.setting.transport == transport
    user = Target(user="root", database="assay")
    place = replace(user, socket="/y.sock") if transport == "unix" else replace(user, host="db1")
    # TLS lowers the ceiling, so that the one without it is a bound.
    for tls in (Tls(), Tls(mode="required"), Tls(mode="disabled")):
        target = replace(place, tls=tls)
        assert calibration_for(asked.job(target, 4, seed=9)) == found[1]


def test_a_script_is_known_by_its_text_whatever_its_folder() -> None:
    text = (
        "function thread_init() con = sysbench.sql.driver():connect() end\n"
        "function event() con:query('SELECT c FROM sbtest1 WHERE id=1') end\n"
    )
    script = Script(text, {"kit/more.lua": ""}, threads=1)
    asked = Calibrate(workload="lua:kit/own.lua", script=script, connections=(2,), window_s=0.2, repeats=1)
    (found,) = calibrate(asked)
    assert found.ceiling_qps > 0
    assert found.setting.workload == "lua:own.lua"

    def known(name: str, source: str) -> Calibration | None:
        of_study = jobs.job(
            "run",
            target=SOCKET,
            workload=name,
            options={},
            seed=1,
            load=jobs.closed_loop(2),
            script=Script(source, {"more.lua": ""}, threads=9),
        )
        return calibration_for(of_study)

    assert known("lua:own.lua", text) == found
    assert known("lua:own.lua", text + "--") is None


def test_a_null_server_that_cannot_start_says_why() -> None:
    refused = null_server("unix", arguments=("--nonsense",))
    with pytest.raises(HostError, match="did not start") as caught, refused:
        pass
    assert "nonsense" in (caught.value.detail or "")


def test_its_binary_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSAY_NULLSERVER", str(tmp_path / "none"))
    with pytest.raises(HostError, match="ASSAY_NULLSERVER"):
        find_nullserver()


@pytest.mark.long
def test_each_io_engine_is_measured_on_a_disk_that_does_nothing() -> None:
    heard: list[tuple[str, int]] = []
    asked = CalibrateFiles(iodepth=(1, 8), window_s=0.1, repeats=2)
    found = list(calibrate_files(asked, on_window=lambda *where: heard.append(where)))

    depths = [(one.setting.transport, one.setting.options["iodepth"]) for one in found]
    assert depths == [
        ("psync", 1),
        ("libaio", 1),
        ("libaio", 8),
        ("io_uring", 1),
        ("io_uring", 8),
        ("mmap", 1),
    ]
    assert {engine for engine, _ in depths} == set(IO_ENGINES)
    assert heard[:3] == [
        ("psync iodepth=1 numjobs=1", 1),
        ("psync iodepth=1 numjobs=1", 2),
        ("libaio iodepth=1 numjobs=1", 1),
    ]
    assert sorted(one.setting.key for one in found) == sorted(one.setting.key for one in stored())
    for one in found:
        assert 0 <= one.lowest_qps <= one.ceiling_qps <= one.highest_qps
        assert one.ceiling_qps > 0  # a short window may hold none on a busy machine
        assert one.floor_cpu_us_per_query > 0


def on_files(text: str, kind: str = "iodepth", point: float = 32) -> DiskJob:
    storage = StudyLoad("fio:x.fio", {}, text).jobs(kind, point, Path("/data"))
    return DiskJob(version=1, action="storage", storage=storage)


RANDREAD = "[a]\nioengine=libaio\nrw=randread\nbs=4k\nsize=1m\n"


def test_what_a_calibration_on_files_holds_for() -> None:
    asked = CalibrateFiles(ioengine=("libaio",), iodepth=(32,))
    same = setting_of(asked.job(("libaio", 32, 1), seed=1))
    # Another file, past the cache, another order of the same operations.
    assert same == setting_of(on_files(RANDREAD + "direct=1\nrandom_distribution=zipf:1.2\n"))
    others = [
        setting_of(on_files(RANDREAD, point=16)),
        setting_of(on_files(RANDREAD + "numjobs=2\n")),
        setting_of(on_files(RANDREAD.replace("4k", "16k"))),
        setting_of(on_files(RANDREAD.replace("4k", "4k-16k").replace("bs=", "bsrange="))),
        setting_of(on_files(RANDREAD.replace("randread", "randrw"))),
        setting_of(on_files(RANDREAD.replace("libaio", "io_uring"))),
    ]
    assert others[2] == others[3]  # the largest counts
    assert len({same.key, *(other.key for other in others)}) == 6


def test_a_rung_of_jobs_of_several_kinds_has_no_ceiling() -> None:
    one = on_files(RANDREAD)
    save(kept(setting_of(one), 1000))
    assert calibration_for(one) is not None
    assert calibration_for(on_files(RANDREAD + RANDREAD.replace("[a]", "[b]").replace("4k", "8k"))) is None


def test_operations_near_the_ceiling_are_doubted() -> None:
    of_files = msgspec.structs.replace(result(0), transactions=600)
    doubt = near_ceiling(of_files, kept(setting_of(on_files(RANDREAD)), 1000))
    assert doubt is not None
    assert "600 operations/s are 60%" in doubt.message
