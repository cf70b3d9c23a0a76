"""Files of a server on other file systems: checked before, moved, read back, removed afterwards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.base.errors import HostError, InputError, ServerError
from assay.measurement.source.placement import redo_bytes, volumes
from assay.system.server import Build, Instance, Layout, PrivateDir, Volumes, snapshot_copy
from assay.system.server.data.snapshot import move_files
from assay.testing import treatment


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A directory on another file system than the home's, where the machine has one that is writable."""
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="place-test-", dir=folder) as path:
        Path(path).chmod(0o755)
        yield Path(path)


@pytest.mark.live
def test_redo_and_binary_log_elsewhere(
    mariadb_build: Build, fresh_data: Path, elsewhere: Path, tmp_path: Path
) -> None:
    with PrivateDir() as private:
        where = Volumes(data=elsewhere, redo=elsewhere, binlog=elsewhere)
        where.check(0, 0)
        data = where.data_dir(private)
        snapshot_copy(fresh_data, data)
        layout = where.place_logs(private, data)
        assert not list(data.glob("ib_logfile*"))
        server = Instance(
            mariadb_build, data, {"log_bin": "mine"}, tmp_path / "log", tmp_path / "cnf", layout=layout
        )
        with server:
            assert server.verify()["log_bin"] == "ON"
            with closing(server.connect()) as connection, connection.cursor() as cursor:
                cursor.execute("CREATE TABLE assay.t (id INT) ENGINE=InnoDB")
                cursor.execute("SELECT @@datadir, @@innodb_log_group_home_dir, @@log_bin_basename")
                assert layout.redo is not None
                assert layout.binlog is not None
                wanted = (f"{data}/", str(layout.redo), f"{layout.binlog}/mine")
                assert cursor.fetchone() == wanted
            assert (layout.redo / "ib_logfile0").stat().st_dev == elsewhere.stat().st_dev
            assert list(layout.binlog.glob("mine.0*"))
            assert not list(data.glob("ib_logfile*"))
            assert server.given()["redo_dir"] == str(elsewhere)
        server.layout = Layout(redo=tmp_path)
        with pytest.raises(ServerError, match=r"server\.redo_dir: the server has no redo log"):
            server.layout.verify({"innodb_log_group_home_dir": str(tmp_path)})
        with pytest.raises(ServerError, match=r"server\.redo_dir: asked for .*, the server has .* = \./"):
            server.layout.verify({"innodb_log_group_home_dir": "./"})
    assert list(elsewhere.iterdir()) == []


def test_both_forms_of_a_redo_log_move(tmp_path: Path, elsewhere: Path) -> None:
    new = tmp_path / "#innodb_redo"
    new.mkdir()
    (new / "#ib_redo7").write_bytes(b"seven" * 1000)
    old = tmp_path / "ib_logfile0"
    with old.open("wb") as file:
        file.truncate(1 << 20)
        file.write(b"head")
    move_files([new, old], elsewhere)
    assert not new.exists()
    assert not old.exists()
    assert (elsewhere / "#innodb_redo/#ib_redo7").read_bytes() == b"seven" * 1000
    assert (elsewhere / "ib_logfile0").read_bytes() == b"head".ljust(1 << 20, b"\0")


def test_what_is_refused(tmp_path: Path, elsewhere: Path) -> None:
    with pytest.raises(HostError, match=r"server\.redo_dir: there is no directory /nowhere"):
        Volumes(redo=Path("/nowhere")).check(0, 0)
    with pytest.raises(HostError, match="no room for what the study puts there"):
        Volumes(data=elsewhere, redo=elsewhere).check(1 << 60, 1)
    if os.geteuid() == 0:
        closed = elsewhere / "closed"
        closed.mkdir(mode=0o700)
        with pytest.raises(HostError, match=r"server\.binlog_dir .* is out of reach"):
            Volumes(binlog=closed).check(0, 0)


def test_a_binary_log_that_nobody_writes() -> None:
    with pytest.raises(InputError, match="default must write a binary log"):
        volumes(treatment(given={"server.binlog_dir": "/mnt/log"}))
    logged = treatment(given={"server.binlog_dir": "/mnt/log"}, variables={"log_bin": True})
    assert volumes(logged).binlog == Path("/mnt/log")


def test_room_for_the_redo_log(tmp_path: Path) -> None:
    assert redo_bytes(treatment(), None) == 100 << 20
    assert redo_bytes(treatment(variables={"innodb_redo_log_capacity": "1G"}), tmp_path) == 1 << 30
    files = {"innodb_log_file_size": "256M", "innodb_log_files_in_group": 4}
    assert redo_bytes(treatment(variables=files), None) == 1 << 30
    (tmp_path / "ib_logfile0").write_bytes(bytes(1 << 20))
    assert redo_bytes(treatment(), tmp_path) == 1 << 20
