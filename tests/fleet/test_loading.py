"""Tables that several generators load together: the rows of one engine, on a real server."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from agent_process import TOKEN, AgentProcess
from assay.base.errors import GeneratorLost, ServerError
from assay.base.format.event import Progress
from assay.base.format.job import EngineOptions, Job
from assay.design.folder import Event
from assay.measurement.fleet import AgentBackend, load_with_fleet
from assay.measurement.source.dataset import DATA_SEED
from assay.system.engine import Interrupts, jobs, run_job
from assay.system.server import Build, Instance, PrivateDir, snapshot_copy
from msgspec.structs import replace

_ROWS = 30_000


@pytest.fixture
def server(mariadb_build: Build, fresh_data: Path, tmp_path: Path) -> Iterator[Instance]:
    with PrivateDir() as private:
        data = private.path / "data"
        snapshot_copy(fresh_data, data)
        instance = Instance(mariadb_build, data, {}, tmp_path / "log", tmp_path / "cnf", listen="127.0.0.1")
        with instance:
            with closing(instance.connect()) as connection, connection.cursor() as cursor:
                for database in ("assay", "alone"):
                    cursor.execute(f"CREATE DATABASE IF NOT EXISTS {database}")
            yield instance


@pytest.fixture
def backend() -> Iterator[AgentBackend]:
    agents = [AgentProcess("h1"), AgentProcess("h2")]
    at = [agent.at for agent in agents]
    yield AgentBackend(at, TOKEN, loops={"h1": 1, "h2": 2}, allow_same_machine=True)
    for agent in agents:
        agent.end()


def _job(server: Instance, database: str = "assay", rows: int = _ROWS) -> Job:
    target = replace(jobs.target(server.tcp_address), database=database)
    return jobs.job(
        "prepare",
        target=target,
        workload="oltp_read_write",
        options={"tables": 2, "table_size": rows},
        seed=DATA_SEED,
        engine=EngineOptions(loaders=1),
    )


def _sums(server: Instance, database: str) -> list[tuple[object, ...]]:
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute(f"CHECKSUM TABLE {database}.sbtest1, {database}.sbtest2")
        return [row[1:] for row in cursor.fetchall()]


def test_the_rows_are_those_of_one_engine(server: Instance, backend: AgentBackend) -> None:
    heard: list[Event] = []
    env = server.tcp_address.environment()
    outcome = load_with_fleet(
        _job(server), generators=2, backend=backend, interrupts=Interrupts(), env=env, on_event=heard.append
    )
    done = outcome.require().done
    assert done is not None
    alone = run_job(_job(server, "alone"), interrupts=Interrupts(), env=env).require().done
    assert alone is not None
    assert (done.rows, done.rows_by_table) == (alone.rows, alone.rows_by_table)
    assert done.loaded_as == alone.loaded_as
    assert done.load_statements >= alone.load_statements > 0
    assert _sums(server, "assay") == _sums(server, "alone")
    progress = [one for one in heard if isinstance(one, Progress) and one.unit == "rows"]
    assert (progress[-1].done, progress[-1].total) == (2 * _ROWS, 2 * _ROWS)

    again = load_with_fleet(
        _job(server), generators=2, backend=backend, interrupts=Interrupts(), env=env, on_event=heard.append
    )
    assert isinstance(again.error, ServerError)  # the tables are there


def test_one_that_is_killed_is_lost(server: Instance, backend: AgentBackend) -> None:
    killed: list[str] = []

    def hear(event: Event) -> None:
        if isinstance(event, Progress) and event.unit == "rows" and not killed:
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                words = path.read_bytes().split(b"\0")
                if words[0].endswith(b"assay-engine") and b"--listen" in words:
                    environment = (path.parent / "environ").read_bytes()
                    if server.password is not None and server.password.encode() in environment:
                        killed.append(path.parent.name)
                        os.kill(int(path.parent.name), signal.SIGKILL)
                        return

    outcome = load_with_fleet(
        _job(server, rows=400_000),
        generators=2,
        backend=backend,
        interrupts=Interrupts(),
        env=server.tcp_address.environment(),
        on_event=hear,
    )
    assert killed
    assert isinstance(outcome.error, GeneratorLost)
    assert "was lost while it loaded" in outcome.error.message
    assert outcome.done is None
