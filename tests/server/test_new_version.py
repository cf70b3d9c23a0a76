"""docs/adding/server.md: a version is one entry. By that alone it is listed, unpacked, found and started."""

from __future__ import annotations

import contextlib
import tarfile
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.design.folder.manifest import Scalar
from assay.front.cli.server_list import servers
from assay.system.server import Build, Instance, find_build, get_release, initialise
from assay.system.server.flavour import FLAVOURS, Flavour, Part, Release, Tarball
from assay.system.server.release import find as find_module
from assay.system.server.release.unpacked import servers_dir, unpacked

pytestmark = pytest.mark.live

TOP = "acme-db-1-linux"
SQL = (
    "mysql_system_tables.sql",
    "mysql_performance_tables.sql",
    "mysql_system_tables_data.sql",
    "fill_help_tables.sql",
)


@pytest.fixture(scope="module")
def vendors(mariadb_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed MariaDB as a vendor might pack it: other folders than where it is installed."""
    file = tmp_path_factory.mktemp("vendor") / "acme-db.tar"
    messages = mariadb_build.messages_dir
    assert messages is not None
    with tarfile.open(file, "w") as archive:
        archive.add(mariadb_build.mysqld.resolve(), f"{TOP}/lib/exec/acmed")
        for name in (*SQL, "english", "charsets"):
            archive.add(messages / name, f"{TOP}/data/acme/{name}")
        archive.add(messages / SQL[0], f"{TOP}/a-test-suite-that-nobody-wants/{SQL[0]}")
    return file


@pytest.fixture
def entry(
    vendors: Path, mariadb_build: Build, assay_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Release:
    """The entry, in a catalogue that has nothing else, on a machine where nothing is installed."""
    release = Release(
        version=mariadb_build.version[:2],
        megabytes=30,
        source=Tarball(str(vendors)),
        parts=(
            Part(f"{TOP}/lib/exec/acmed", "bin/mariadbd"),
            Part(f"{TOP}/data/acme", "share"),
        ),
        mysqld="bin/mariadbd",
    )
    use_only(release, monkeypatch)
    monkeypatch.setattr(find_module, "USUAL_PLACES", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    home = assay_home / tmp_path.name
    home.mkdir(mode=0o755)
    monkeypatch.setenv("ASSAY_HOME", str(home))
    return release


def use_only(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    flavour = FLAVOURS["mariadb"]
    monkeypatch.setitem(FLAVOURS, "mariadb", Flavour(**{**vars(flavour), "releases": (release,)}))


def listed() -> list[tuple[str, str]]:
    return [(line.use, line.state) for line in servers() if line.use.startswith("mariadb")]


def test_an_entry_is_all_it_takes(entry: Release, mariadb_build: Build, tmp_path: Path) -> None:
    use = f"mariadb@{entry.number}"
    assert listed() == [(use, "to get")]
    with pytest.raises(HostError, match="no MariaDB") as caught:
        find_build(use)
    assert f"assay server get {use}" in (caught.value.hint or "")

    build = get_release(use)

    assert listed() == [(f"mariadb@{mariadb_build.version_number}", "unpacked")]
    ((folder, manifest),) = unpacked()
    assert build.mysqld == folder / "tree/bin/mariadbd"
    assert build.messages_dir == folder / "tree/share"
    assert sorted(path.name for path in (folder / "tree").iterdir()) == ["bin", "share"]
    assert manifest.binary_sha256 == mariadb_build.sha256
    assert find_build(use) == build

    where = servers_dir().parent / "data"
    initialise(build, where)
    asked: dict[str, Scalar] = {"innodb_redo_log_capacity": "32M", "tx_isolation": "READ-COMMITTED"}
    with Instance(build, where, asked, tmp_path / "log", tmp_path / "cnf") as server:
        assert server.verify()["tx_isolation"] == "READ-COMMITTED"
        with contextlib.closing(server.connect()) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT VERSION(), @@basedir")
            version, base = cursor.fetchone() or ("", "")
            assert version.startswith(mariadb_build.version_number)
            assert Path(base) == folder / "tree"


def test_an_entry_that_is_wrong_is_told(entry: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong, said in (
        ({"version": (9, 9)}, r"hold MariaDB \S+, not MariaDB 9\.9"),
        ({"mysqld": "sbin/mariadbd"}, "sbin/mariadbd"),
        ({"parts": (Part(f"{TOP}/lib/acmed", "bin/mariadbd"),)}, "lib/acmed"),
    ):
        release = Release(**{**vars(entry), **wrong})
        use_only(release, monkeypatch)
        with pytest.raises(HostError, match=said):
            get_release(f"mariadb@{release.number}")
        assert not list(servers_dir().glob("[!.]*")) + list(servers_dir().glob(".partial-*"))
