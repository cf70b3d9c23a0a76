"""Blocks over hosts whose labs are small programs, which break off, differ in builds, or say errors."""

from __future__ import annotations

import errno
import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from assay.base.errors import AssayError, HostError, InputError
from assay.design.folder import Event, Failure, ResultsFolder, read_manifest
from assay.design.plan import make_plan
from assay.design.study import StudyText, parse_study
from assay.measurement.fleet import AgentAddress, BlockHosts, RemoteBlock, UnkeptFile
from assay.measurement.fleet.agents.agent import Agent
from assay.measurement.run import Outcome, execute_over

_TOKEN = b"of the tests, long enough"
_STUDY = """
[study]
name = "b"
[server]
use = "mariadb"
on = "role=server"
[workload]
use = "oltp_point_select"
[load]
threads = [1]
measure = "1s"
[[factor]]
name = "server.variables.innodb_purge_threads"
levels = [1, 4]
[design]
blocks = 4
"""
_LAB = """
import json, os, sys
order = json.loads(sys.stdin.readline())
what = json.loads(sys.argv[1]).get(order["host"], {})
def say(**line):
    print(json.dumps(line), flush=True)
def ended(kind):
    say(**{"is": "ended", "error": {"kind": kind, "message": "it cannot", "hint": "do so", "detail": None}})
if not order["runs"]:
    if "refuses" in what:
        ended(what["refuses"])
    else:
        build = {"use": "mariadb", "version": "10", "sha256": what.get("build", "0" * 64)}
        say(**{"is": "looked", "builds": [build]})
        say(**{"is": "ended", "error": None})
    sys.exit(0)
if "error" in what:
    ended(what["error"])
    sys.exit(0)
if what.get("ends"):
    sys.exit(3)
for run in order["runs"][what.get("from", 0):]:
    say(**{"is": "began", "run": run})
    say(**{"is": "step", "what": "threads 1"})
    folder = os.path.join(order["folder"], "runs", run)
    os.makedirs(folder)
    failed = run == what.get("fails")
    failure = {"kind": "ServerLost", "message": "it went", "hint": None, "detail": None} if failed else None
    manifest = dict(
        run_id=run, study="b", study_hash=order["hash"], treatment=run[7:], levels={}, block=int(run[1:3]),
        position=int(run[4:6]), seed=1, status="failed" if failed else "complete", started_wall_ns=1,
        ended_wall_ns=2, variables={}, workload="w", workload_options={}, rungs=[],
        dataset={"id": "d", "tables_sha256": what.get("tables", "a")}, server={},
        tools={}, failure=failure, fleet_host=order["host"], files={},
    )
    with open(os.path.join(folder, "run.json"), "w") as out:
        json.dump(manifest, out)
    say(**{"is": "over", "run": run, "headline": "9 tps", "failure": failure})
say(**{"is": "ended", "error": None})
"""


class _Heard:
    """A `RunProgress` that keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.begun: list[str] = []
        self.over: list[str] = []

    def begin(self, *, runs: int, done: int, loading_s: float, run_s: float, judging_s: float = 0.0) -> None:
        pass

    def run_started(self, run_id: str, number: int) -> None:
        self.begun.append(run_id)

    def step(self, what: str) -> None:
        assert what in ("h1: threads 1", "h2: threads 1")

    def event(self, event: Event) -> None:
        pass

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        self.over.append(headline)

    def note(self, message: str) -> None:
        self.notes.append(message)

    def end(self) -> None:
        pass


@contextmanager
def _agent(lab: list[str]) -> Iterator[int]:
    agent = Agent("127.0.0.1", 0, _TOKEN, lab=lab)
    thread = threading.Thread(target=agent.serve)
    thread.start()
    try:
        yield agent.port
    finally:
        agent.close()
        thread.join()


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))


def _carried_out(tmp_path: Path, heard: _Heard | None = None, **labs: dict[str, object]) -> Outcome:
    """Carries the study out on the hosts h1 and h2, whose labs behave as told."""
    text = StudyText(tmp_path / "b.toml", _STUDY)
    study = parse_study(_STUDY, text.path)
    folder = ResultsFolder(tmp_path / "results")
    with ExitStack() as stack:
        lab = [sys.executable, "-c", _LAB, json.dumps(labs)]
        ports = {name: stack.enter_context(_agent(lab)) for name in ("h1", "h2")}
        agents = {name: AgentAddress(name, "127.0.0.1", port) for name, port in ports.items()}
        hosts = BlockHosts(agents, _TOKEN, allow_same_machine=True)
        return execute_over(study, make_plan(study, seed=7), folder, heard or _Heard(), text, hosts)


def _hosts_of_blocks(tmp_path: Path) -> dict[int, set[str | None]]:
    found: dict[int, set[str | None]] = {}
    for run in ResultsFolder(tmp_path / "results").finished_runs():
        manifest = read_manifest(run)
        found.setdefault(manifest.block, set()).add(manifest.fleet_host)
    return found


def test_each_block_is_whole_on_one_host_and_hosts_have_as_many(tmp_path: Path) -> None:
    heard = _Heard()
    outcome = _carried_out(tmp_path, heard)
    assert (outcome.done, outcome.skipped, outcome.failed) == (8, 0, ())
    of_blocks = _hosts_of_blocks(tmp_path)
    assert [len(hosts) for hosts in of_blocks.values()] == [1] * 4
    assert Counter(host for hosts in of_blocks.values() for host in hosts) == {"h1": 2, "h2": 2}
    assert len(heard.begun) == 8
    assert {line.partition(":")[0] for line in heard.over} == {"h1", "h2"}
    assert {path.name for path in (tmp_path / "results" / "runs").iterdir()} == set(heard.begun)
    again = _carried_out(tmp_path)
    assert (again.done, again.skipped) == (0, 8)


def test_hosts_with_different_builds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="h1 and h2 have different builds of mariadb"):
        _carried_out(tmp_path, h2={"build": "1" * 64})
    assert not (tmp_path / "results").exists()


def test_hosts_that_made_different_tables_end_the_study(tmp_path: Path) -> None:
    with pytest.raises(
        HostError, match=r"h[12] and h[12] have made different tables of the dataset d"
    ) as differ:
        _carried_out(tmp_path, h2={"tables": "b"})
    assert "assay dataset rm" in (differ.value.hint or "")
    (kept,) = set().union(*_hosts_of_blocks(tmp_path).values())
    other = "h2" if kept == "h1" else "h1"
    with pytest.raises(HostError, match=f"{kept} and {other} have made different tables"):
        _carried_out(tmp_path, h2={"tables": "b"})
    first = "b" if kept == "h2" else "a"
    outcome = _carried_out(tmp_path, h1={"tables": first}, h2={"tables": first})
    assert len(_hosts_of_blocks(tmp_path)) == 4
    assert outcome.failed == ()


@pytest.mark.parametrize(
    ("kind", "error"), [("InputError", InputError), ("HostError", HostError), ("Unknown", AssayError)]
)
def test_a_host_that_cannot_is_refused_before_anything_starts(
    kind: str, error: type[AssayError], tmp_path: Path
) -> None:
    with pytest.raises(error, match="h2: it cannot") as refused:
        _carried_out(tmp_path, h2={"refuses": kind})
    assert refused.value.hint == "do so"
    assert not (tmp_path / "results").exists()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("how", [{"ends": True}, {"error": "HostError"}, {"from": 1}])
def test_a_host_that_loses_its_blocks_is_left_out(how: dict[str, object], tmp_path: Path) -> None:
    heard = _Heard()
    outcome = _carried_out(tmp_path, heard, h2=how)
    assert (outcome.done, outcome.failed) == (8, ())
    assert set().union(*_hosts_of_blocks(tmp_path).values()) == {"h1"}
    assert [note for note in heard.notes if note.endswith("; h2 is left out")]


@pytest.mark.long
def test_a_block_that_is_lost_three_times_ends_the_study(tmp_path: Path) -> None:
    heard = _Heard()
    with pytest.raises(
        HostError, match=r"block \d was lost on its host 3 times, the last time on h\d"
    ) as lost:
        _carried_out(tmp_path, heard, h1={"ends": True}, h2={"ends": True})
    assert lost.value.exit_code == 6
    assert sum("is begun again" in note for note in heard.notes) >= 2
    assert _hosts_of_blocks(tmp_path) == {}
    assert _carried_out(tmp_path).done == 8  # both are mended


def test_an_error_that_every_host_would_meet_ends_the_study(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="h2: it cannot"):
        _carried_out(tmp_path, h2={"error": "InputError"})


def test_a_disk_that_takes_no_results_ends_the_study_and_names_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: RemoteBlock, *_: object) -> str:
        raise UnkeptFile(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))

    monkeypatch.setattr(RemoteBlock, "_copied", full)
    with pytest.raises(HostError, match=r"cannot write in .*results: no space left on device"):
        _carried_out(tmp_path)
    monkeypatch.undo()
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    assert _carried_out(tmp_path).done == 8


def test_a_failed_run_is_kept_as_failed(tmp_path: Path) -> None:
    plan = make_plan(parse_study(_STUDY, tmp_path / "b.toml"), seed=7)
    fails = {"fails": plan.runs[0].run_id}
    outcome = _carried_out(tmp_path, h1=fails, h2=fails)
    assert outcome.failed == ((plan.runs[0].run_id, "it went"),)
    assert outcome.done == 7
    assert _carried_out(tmp_path).done == 2  # its block, all of it
