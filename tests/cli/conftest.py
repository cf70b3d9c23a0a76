from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.front.cli import exit_code_of
from assay.system.server import Build, Instance
from shell import Shell
from together import made_once
from undrawn import no_pictures


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def private_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An ASSAY_HOME of the test's own, in a place that an unprivileged server may enter."""
    home = Path(tempfile.mkdtemp(prefix="assay-home-"))
    home.chmod(0o755)
    monkeypatch.setenv("ASSAY_HOME", str(home))
    yield home
    shutil.rmtree(home)


SHARED_STUDY = """\
[study]
name = "shared"

[server]
use = "mariadb"

[server.variables]
innodb_buffer_pool_size = "32M"

[workload]
use = "oltp_read_write"
table_size = 100

[load]
threads = [1]
think_ms = 5
warmup = "none"
measure = "1s"

[[factor]]
name = "server.variables.innodb_flush_log_at_trx_commit"
levels = [0, 2]

[design]
blocks = 1
order = "as-written"
"""


@pytest.fixture(scope="session")
def shared_results(assay_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the smallest study, two runs of a second, with blank pictures. Copy them, do not change
    them.
    """

    def make(place: Path) -> None:
        study = place / "shared.toml"
        study.write_text(SHARED_STUDY, encoding="utf-8")
        with no_pictures():
            assert exit_code_of(["run", str(study), "--results", str(place / "results")]) == 0

    made = made_once(tmp_path_factory, "shared-results", make)
    return shutil.copytree(made, tmp_path_factory.mktemp("shared") / "own") / "results"


@pytest.fixture(scope="session")
def spoilt(mariadb_build: Build, fresh_data: Path, assay_home: Path) -> Iterator[Instance]:
    """A running MariaDB, with one table of a hundred rows and users who may not do everything."""
    data = assay_home / "spoilt-data"
    shutil.copytree(fresh_data, data)
    settings: dict[str, str | int] = {"innodb_buffer_pool_size": "32M", "innodb_flush_log_at_trx_commit": 0}
    log = assay_home / "spoilt"
    with Instance(mariadb_build, data, settings, log / "server.log", log / "my.cnf") as server:
        with closing(server.connect()) as connection, connection.cursor() as cursor:
            for statement in SPOIL:
                cursor.execute(statement)
        where = ["--socket", str(server.socket), "--db", "assay"]
        assert exit_code_of(["bench", "oltp_read_write", "prepare", *where, "--table-size", "100"]) == 0
        yield server


SPOIL = (
    "CREATE DATABASE half",
    "CREATE TABLE half.sbtest1 (id INT PRIMARY KEY, k INT)",
    f"INSERT INTO half.sbtest1 VALUES {', '.join(f'({number}, 1)' for number in range(1, 101))}",
    "CREATE DATABASE nothing",
    "CREATE USER reader@localhost IDENTIFIED BY 'r'",
    "GRANT SELECT ON *.* TO reader@localhost",
    "CREATE USER nobody@localhost IDENTIFIED BY 'n'",
    "CREATE USER few@localhost WITH MAX_USER_CONNECTIONS 1",
    "GRANT ALL ON *.* TO few@localhost",
)
