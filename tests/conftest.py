"""What tests share: a home of their own for servers, and one real MariaDB for the whole session."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from assay.server import Build, Instance, find_build, initialise
from assay.server.process.port import LOOPBACK


@pytest.fixture(scope="session", autouse=True)
def assay_home() -> Iterator[Path]:
    """`$ASSAY_HOME` of the session. Not under tmp_path: servers of root run as another user."""
    path = Path(tempfile.mkdtemp(prefix="assay-test-"))
    path.chmod(0o755)
    before = os.environ.get("ASSAY_HOME")
    os.environ["ASSAY_HOME"] = str(path)
    yield path
    if before is None:
        del os.environ["ASSAY_HOME"]
    else:
        os.environ["ASSAY_HOME"] = before
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="session")
def mariadb_build(assay_home: Path) -> Build:
    """The MariaDB of this machine. HostError, not a skip, when there is none: it says how to get it."""
    return find_build("mariadb")


@pytest.fixture(scope="session")
def fresh_data(mariadb_build: Build, assay_home: Path) -> Path:
    """A data directory as `initialise` leaves it. Copy it (`snapshot_copy`), do not start on it."""
    path = assay_home / "fresh"
    initialise(mariadb_build, path)
    return path


@pytest.fixture(scope="session")
def mariadb(mariadb_build: Build, fresh_data: Path, assay_home: Path) -> Iterator[Instance]:
    """A running MariaDB with an empty database `assay`. Leave it as it was found."""
    data = assay_home / "shared-data"
    shutil.copytree(fresh_data, data)
    settings = {"innodb_buffer_pool_size": "64M", "innodb_flush_log_at_trx_commit": 0}
    log = assay_home / "shared"
    files = (log / "server.log", log / "my.cnf")
    with Instance(mariadb_build, data, settings, *files, listen=LOOPBACK) as server:
        yield server
