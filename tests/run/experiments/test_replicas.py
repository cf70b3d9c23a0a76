"""A replica that has ended: the error says how it ended, and it restarts with its earlier state."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from assay.base.errors import ServerLost
from assay.measurement.run.experiments.replicas import Replicas
from assay.measurement.run.experiments.stage import Stage
from assay.system.server import DATABASE, Build, Instance, PrivateDir, snapshot_copy
from assay.system.server.replication import Replicating

pytestmark = pytest.mark.live


@pytest.fixture
def replicas(mariadb_build: Build, fresh_data: Any, tmp_path: Any) -> Any:
    with PrivateDir() as private:
        data = private.path / "data"
        snapshot_copy(fresh_data, data)
        with Instance(mariadb_build, data, {}, tmp_path / "log", tmp_path / "cnf") as instance:
            stage = cast(Stage, SimpleNamespace(options={"mode": "async"}, database=DATABASE))
            yield Replicas(stage, [instance], Replicating(mariadb_build, gtid=True))


def killed_while_asked(replicas: Replicas) -> None:
    with replicas.talking(0) as connection, connection.cursor() as cursor:
        os.kill(replicas.instances[0].pid, signal.SIGKILL)
        cursor.execute("SELECT SLEEP(30)")


def killed_before(replicas: Replicas) -> None:
    replicas.kill(0)
    replicas.state(0)


@pytest.mark.parametrize("killed", [killed_before, killed_while_asked])
def test_how_a_replica_ended(replicas: Replicas, killed: Callable[[Replicas], None]) -> None:
    with pytest.raises(ServerLost, match="replica 1: the server was ended by signal 9") as caught:
        killed(replicas)
    assert "ready for connections" in (caught.value.detail or "")


def test_a_replica_comes_back_with_what_was_set_while_it_ran(replicas: Replicas) -> None:
    replicas.instances[0].set_running({"innodb_io_capacity": 333})
    replicas.kill(0)
    before_ns = time.time_ns()
    launched_ns = replicas.restart(0)
    assert before_ns < launched_ns < time.time_ns()
    assert replicas.column(0, "SELECT @@GLOBAL.innodb_io_capacity") == {333}


def test_runs_ask_in_the_database_of_the_data() -> None:
    """A dump may name its own: no code of runs and experiments takes the usual one for granted."""
    files = sorted((Path(__file__).parents[3] / "python/assay/measurement/run").rglob("*.py"))
    assert len(files) > 40
    assert [file.name for file in files if re.search(r"\bDATABASE\b", file.read_text())] == []
