"""`assay run` on real servers: whole, resumed, interrupted, killed, refused."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from assay.design.folder import (
    Doubt,
    Interval,
    Manifest,
    ResultsFolder,
    RunResult,
    read_events,
    read_manifest,
    read_plans,
)
from assay.design.folder.live import LabEnded, read_live
from assay.reporting.live import Course, EngineEvent, Follower, Sampled, wish
from assay.system.server import Instance, sweep_dead
from forked import Command
from live_command import PATIENCE_S, Finished, at_ease, wait_for, written

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]
Start = Callable[..., Command]
Write = Callable[..., Path]


def manifests(folder: ResultsFolder) -> list[Manifest]:
    return [read_manifest(run) for run in folder.finished_runs()]


def measuring(folder: ResultsFolder) -> bool:
    """Whether some run's engine is in its measured window: its connections are open and at work."""
    return written(folder.runs.glob(".*.unfinished/rungs/*/events.jsonl"), '"phase":"measure"')


def servers(home: Path) -> list[int]:
    """Processes of private servers that labs of these tests left or have now; not the tests' own server."""
    pids = []
    for record in (home / "records").glob("*/server.json"):
        if record.parent.name.startswith(f"{os.getpid()}-"):
            continue
        with suppress(FileNotFoundError):  # Its lab has stopped the server meanwhile.
            pid = json.loads(record.read_text())["pid"]
            if Path(f"/proc/{pid}").exists():
                pids.append(pid)
    return pids


def engines(home: Path) -> list[str]:
    """Processes of engines at work that were started with this home."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            program = (process / "cmdline").read_bytes().split(b"\0")[0]
            environment = (process / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if program.endswith(b"assay-engine") and f"ASSAY_HOME={home}".encode() in environment:
            found.append(process.name)
    return found


def course_of(folder: ResultsFolder) -> Course:
    return Course.of(read_live(folder.live))


def test_a_study_runs_once(assay: Assay, write_study: Write, tmp_path: Path, assay_home: Path) -> None:
    folder = ResultsFolder(tmp_path / "results")
    study = write_study(load=at_ease("[1, 4]"), factor="", variables="innodb_flush_log_at_trx_commit = 2")
    run = ["run", str(study), "--results", str(folder.path), "--no-report"]

    first = assay(*run)

    assert first.code == 0, first.err
    assert "\x1b" not in first.out
    done = manifests(folder)
    assert [one.status for one in done] == ["complete"]
    for one in done:
        assert one.variables == {"innodb_flush_log_at_trx_commit": 2}
        assert sorted(rung.load for rung in one.rungs) == [1, 4]
        run_folder = folder.run(one.run_id)
        for rung in one.rungs:
            events = list(read_events(run_folder.rung_at(rung.dir).events))
            assert isinstance(events[-1], RunResult)
            # The server counted what the engine sent, the lab's own samplers allowed for.
            assert not [
                event for event in events if isinstance(event, Doubt) and event.kind == "conservation"
            ]
        for source in ("status", "cpu", "memory", "disks", "processes"):
            assert run_folder.samples(source).stat().st_size > 0
        for scope in ("host", "server"):
            for moment in ("before", "after"):
                assert json.loads(run_folder.facts(scope, moment).read_text())
        plans = read_plans(run_folder)
        assert plans is not None
        assert plans.unknown is None
        assert any(step.key_parts == ["id"] for one in plans.statements for step in one.steps)
        without = {one.statement for one in plans.statements if not one.has_plan}
        assert {"COMMIT", "INSERT INTO sbtestN (id, k, c, pad) VALUES (?)"} <= without, without
        assert "innodb_flush_log_at_trx_commit" in run_folder.options_file.read_text()
        assert "ready for connections" in run_folder.server_log.read_text()
    assert servers(assay_home) == []

    told = list(Follower(folder).read())
    seconds = [one.event for one in told if isinstance(one, EngineEvent) and isinstance(one.event, Interval)]
    results = [one.event for one in told if isinstance(one, EngineEvent) and isinstance(one.event, RunResult)]
    assert sum(one.transactions for one in seconds if one.phase == "measure") == sum(
        one.transactions for one in results
    )
    assert {"cpu", "viewers"} <= {one.source for one in told if isinstance(one, Sampled)}
    course = course_of(folder)
    assert (course.counted("done"), isinstance(course.ended, LabEnded)) == (1, True)
    assert course.ended is not None
    assert course.ended.why == "complete"
    assert {"starting the server", "threads 1", "threads 4"} <= set(course.steps)

    second = assay(*run)
    assert (second.code, "1 of them done before" in second.err) == (0, True)
    assert manifests(folder) == done

    more = assay(*run, "--blocks=2")
    assert more.code == 0, more.err
    assert manifests(folder)[:1] == done
    planned = [run["loads"] for run in json.loads(folder.plan.read_bytes())["runs"]]
    assert sorted(planned) == [[1, 4], [4, 1]]
    assert [[rung.load for rung in one.rungs] for one in manifests(folder)] == planned
    assert [one.block for one in manifests(folder)] == [1, 2]


@pytest.mark.long
def test_a_killed_lab_goes_on(
    assay: Assay, start: Start, write_study: Write, tmp_path: Path, assay_home: Path
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    run = ["run", str(write_study(measure="2s")), "--results", str(folder.path), "--no-report"]
    lab = start(*run)
    wait_for(lambda: measuring(folder))
    wish(folder, "pause")
    wait_for(lambda: course_of(folder).is_paused)
    (kept,) = manifests(folder)
    assert not measuring(folder)
    wish(folder, "go-on")
    wait_for(lambda: measuring(folder))
    assert course_of(folder).lab_is_alive()
    lab.kill()
    lab.communicate()
    assert manifests(folder) == [kept]
    assert not course_of(folder).lab_is_alive()

    again = assay(*run)

    assert again.code == 0, again.err
    assert manifests(folder)[0] == kept
    assert [one.status for one in manifests(folder)] == ["complete", "complete"]
    assert servers(assay_home) == []
    assert engines(assay_home) == []
    assert not list(folder.runs.glob(".*"))
    assert course_of(folder).counted("done") == 2


@pytest.mark.long
def test_a_killed_server_fails_one_run(
    assay: Assay, start: Start, write_study: Write, tmp_path: Path, assay_home: Path
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    run = ["run", str(write_study(measure="2s")), "--results", str(folder.path), "--no-report"]
    lab = start(*run)
    wait_for(lambda: measuring(folder))
    for pid in servers(assay_home):
        os.kill(pid, signal.SIGKILL)
    out, err = lab.communicate(timeout=PATIENCE_S)

    failed, other = manifests(folder)
    assert (lab.returncode, failed.status, other.status) == (1, "failed", "complete"), err
    assert failed.seed == other.seed
    assert [one.variables["innodb_flush_log_at_trx_commit"] for one in (failed, other)] == [0, 2]
    assert failed.failure is not None
    assert failed.failure.kind == "ServerLost"
    assert "signal 9" in failed.failure.message
    assert "ready for connections" in (failed.failure.detail or "")
    assert f"{failed.run_id}: " in out

    assert assay(*run).code == 0
    assert [one.status for one in manifests(folder)] == ["complete", "complete"]
    for one, why in ((failed, "failed"), (other, "superseded")):  # the block is done again, all of it
        assert (folder.runs / f".{one.run_id}.{why}-1" / "run.json").is_file()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("signals", [1, 2])
def test_ctrl_c_keeps_finished_runs(
    start: Start, write_study: Write, tmp_path: Path, assay_home: Path, signals: int
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    run = ["run", str(write_study(measure="600s")), "--results", str(folder.path), "--no-report"]
    lab = start(*run)
    wait_for(lambda: measuring(folder))
    wish(folder, "now")  # what a page sends is a first Ctrl-C
    for _ in range(signals - 1):
        lab.send_signal(signal.SIGINT)
    _, err = lab.communicate(timeout=PATIENCE_S)

    assert lab.returncode == 130
    assert "same command again" in err
    assert "Traceback" not in err
    assert servers(assay_home) == []
    assert engines(assay_home) == []
    assert sweep_dead() == []


def test_another_studys_results_are_not_touched(assay: Assay, write_study: Write, tmp_path: Path) -> None:
    folder = ResultsFolder(tmp_path / "results")
    assert assay("run", str(write_study(factor="")), "--results", str(folder.path), "--no-report").code == 0
    before = {path: path.stat().st_mtime_ns for path in folder.path.rglob("*")}

    for other in (write_study(name="other"), write_study(rows=501)):
        refused = assay("run", str(other), "--results", str(folder.path))
        assert refused.code == 7
        assert "--results" in refused.err
    assert {path: path.stat().st_mtime_ns for path in folder.path.rglob("*")} == before


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({"variables": 'innodb_bufer_pool_size = "32M"'}, 4, "innodb_buffer_pool_size"),
        ({"variables": "innodb_io_capacity = 1", "factor": ""}, 4, "innodb_io_capacity"),
        ({"rows": 90_000_000_000}, 6, "free"),
        ({"use": "mariadb@3.23"}, 6, "mariadb"),
        ({"use": "dsn:mysql://u@localhost/a?socket=/no.sock", "variables": "", "factor": ""}, 3, "running"),
    ],
)
def test_refused_before_any_load(
    assay: Assay, write_study: Write, tmp_path: Path, change: dict[str, object], code: int, said: str
) -> None:
    results = tmp_path / "results"
    refused = assay("run", str(write_study(**change)), "--results", str(results))

    assert refused.code == code, refused.err
    assert said in refused.err
    assert "Traceback" not in refused.err
    assert not results.exists()


def test_a_running_server_is_used_as_it_is(
    assay: Assay, write_study: Write, tmp_path: Path, mariadb: Instance
) -> None:
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE OR REPLACE DATABASE study")
        use = f"dsn:mysql://root@localhost/study?socket={mariadb.socket}"
        study = write_study(use=use, factor="", variables="innodb_flush_log_at_trx_commit = 0")
        for results in ("first", "second"):
            ran = assay("run", str(study), "--results", str(tmp_path / results), "--no-report")
            assert ran.code == 0, ran.err
            (run,) = manifests(ResultsFolder(tmp_path / results))
            assert run.server["flavour"] == "mariadb"
        cursor.execute("DROP DATABASE study")

    wrong = write_study(use=use, factor="", variables="innodb_flush_log_at_trx_commit = 2")
    refused = assay("run", str(wrong), "--results", str(tmp_path / "third"))
    assert refused.code == 4
    assert "innodb_flush_log_at_trx_commit" in refused.err


@pytest.mark.long
def test_variables_of_a_running_server(assay: Assay, write_study: Write, tmp_path: Path) -> None:
    name = "server.dynamic.innodb_io_capacity"
    study = write_study(factor=f'\n[[factor]]\nname = "{name}"\nlevels = [300, 400]\n')
    folder = ResultsFolder(tmp_path / "results")
    ran = assay("run", str(study), "--results", str(folder.path))
    assert ran.code == 0, ran.err
    for run in manifests(folder):
        facts = json.loads(folder.run(run.run_id).facts("server", "before").read_text())
        assert facts["variables"]["innodb_io_capacity"] == str(run.levels[name])
        assert run.variables["innodb_io_capacity"] == run.levels[name]
        assert "innodb_io_capacity" not in folder.run(run.run_id).options_file.read_text()
    assert "innodb_io_capacity: set with SET GLOBAL" in folder.report.read_text()

    factor = '\n[[factor]]\nname = "server.dynamic.performance_schema"\nlevels = [true, false]\n'
    refused = assay("run", str(write_study(factor=factor)), "--results", str(tmp_path / "other"))
    assert refused.code == 4
    assert "is a read only variable" in refused.err
    assert not (tmp_path / "other").exists()
