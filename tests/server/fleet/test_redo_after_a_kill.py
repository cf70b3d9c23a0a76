"""Redo that a recovery needs is never removed, whatever size a restart asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest
from assay.base.errors import ServerError
from assay.design.plan import Treatment
from assay.measurement.source.dataset.manifest import Dataset
from assay.measurement.source.own_server import OwnServer
from assay.system.server import Build, Instance, PrivateDir, fit_files, initialise

pytestmark = [
    pytest.mark.fleet,
    pytest.mark.live,
    pytest.mark.parametrize("member", ["mysql@5.5.9"], indirect=True),
]


@pytest.fixture
def server(member: Build, tmp_path: Path) -> Iterator[OwnServer]:
    """A server of the last MySQL whose redo files somebody else must make fit."""
    treatment = Treatment("default", {}, "mysql@5.5.9", {}, "", {}, "auto")
    with PrivateDir() as private:
        initialise(member, private.path / "data")
        fit_files(member, private.path / "data", {})
        with Instance(member, private.path / "data", {}, tmp_path / "log", tmp_path / "cnf") as instance:
            yield OwnServer(member, instance, cast(Dataset, None), "", {}, treatment)


def test_a_restart_after_a_kill_keeps_the_redo_files(server: OwnServer) -> None:
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE assay.kept (a INT PRIMARY KEY) ENGINE=InnoDB")
        cursor.execute("INSERT INTO assay.kept VALUES (1)")
        connection.commit()
    server.kill()
    before = {file.name: file.stat().st_ino for file in server.instance.data_dir.glob("ib_logfile*")}
    with pytest.raises(ServerError, match="did not start"):
        server.restart({"innodb_log_file_size": "16M"})
    after = {file.name: file.stat().st_ino for file in server.instance.data_dir.glob("ib_logfile*")}
    assert after == before != {}

    del server.instance.variables["innodb_log_file_size"]
    server.restart({})
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT a FROM assay.kept")
        assert cursor.fetchall() == ((1,),)
