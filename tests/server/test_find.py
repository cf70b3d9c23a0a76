"""From `server.use` to a build, or to words that say how to get one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from assay.base.errors import HostError, InputError
from assay.system.server import Build, find_build, find_only_build
from assay.system.server.release import find as find_module
from assay.system.server.release.build import read_build


def announces(path: Path, version: str) -> Path:
    """A program that says a version, as a server binary does."""
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\necho '{path}  Ver {version}'\n")
    path.chmod(0o755)
    return open_to_all(path)


def open_to_all(path: Path) -> Path:
    """The path, with folders that every user may enter: server binaries do not run as root."""
    for folder in path.parents:
        if folder.stat().st_uid != 0 or folder == Path("/tmp"):
            break
        folder.chmod(0o755)
    return path


def test_the_installed_one(mariadb_build: Build) -> None:
    assert mariadb_build.flavour_name == "mariadb"
    assert mariadb_build.version >= (10, 3)
    assert mariadb_build.messages_dir is not None
    assert mariadb_build.key.startswith(f"mariadb-{mariadb_build.version_number}-")
    major, minor, *_ = mariadb_build.version
    assert find_build(f"mariadb@{major}.{minor}") == mariadb_build
    assert find_build(f"path:{mariadb_build.basedir}") == mariadb_build
    assert find_build(f"path:{mariadb_build.mysqld}").version == mariadb_build.version


@pytest.mark.parametrize(("other", "is_one_build"), [("10.11.14-MariaDB", True), ("10.11.15-MariaDB", False)])
def test_binaries_of_one_build_have_one_version(tmp_path: Path, other: str, is_one_build: bool) -> None:
    first = announces(tmp_path / "a/bin/mariadbd", "10.11.14-MariaDB for Linux")
    second = announces(tmp_path / "b/bin/mariadbd", f"{other} for Linux")
    use = f"path:{tmp_path}/a:{tmp_path}/b"
    if is_one_build:
        assert find_build(use).mysqld == first
        with pytest.raises(InputError, match="has 2 binaries: only blocks of a study take them in turn"):
            find_only_build(use)
    else:
        with pytest.raises(InputError, match=f"{second.parents[1]}.*are not the same version"):
            find_build(use)
    with pytest.raises(HostError, match="contains no server binary"):
        find_build(f"{use}:{tmp_path}/c")


def test_another_version_than_is_there(mariadb_build: Build) -> None:
    with pytest.raises(HostError) as caught:
        find_build("mariadb@5.1")
    assert "no MariaDB 5.1 server on this machine; there is MariaDB" in caught.value.message
    hint = caught.value.hint or ""
    assert "mariadb@10.11" in hint
    assert "assay server get FILE.tar.gz" in hint
    assert "apt-get" not in hint, "a package of another version"


def test_none_there_says_where_it_looked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(find_module, "USUAL_PLACES", ("/nowhere/sbin",))
    with pytest.raises(HostError) as caught:
        find_build("mariadb")
    assert caught.value.message == "no MariaDB server on this machine"
    for way in ("apt-get install mariadb-server-core", "path:", "dsn:"):
        assert way in (caught.value.hint or "")
    assert str(tmp_path) in (caught.value.detail or "")
    assert "/nowhere/sbin" in (caught.value.detail or "")


@pytest.mark.parametrize(
    ("use", "words"),
    [
        ("mariadbd", "nearest is 'mariadb'"),
        ("postgres", "no such server"),
        ("mariadb@ten", "'ten' is not a version"),
        ("dsn:mysql://root@localhost/", "is a running server"),
    ],
)
def test_words_that_name_no_build(use: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        find_build(use)


def test_a_base_directory_of_another_flavour(assay_home: Path) -> None:
    base = assay_home / "mysql-8"
    announces(base / "bin" / "mysqld", "8.0.36 for Linux on x86_64 (MySQL Community Server - GPL)")
    (base / "share" / "english").mkdir(parents=True)
    (base / "share" / "english" / "errmsg.sys").touch()
    build = find_build(f"path:{base}")
    assert (build.flavour_name, build.version, build.basedir) == ("mysql", (8, 0, 36), base)
    assert build.placement["lc_messages_dir"] == str(base / "share")


@pytest.mark.parametrize(
    ("text", "flavour", "version"),
    [
        ("5.5.9 for linux2.6 on x86_64 (MySQL Community Server (GPL))", "mysql", (5, 5, 9)),
        ("10.1.23-MariaDB for Linux on x86_64 (MariaDB Server)", "mariadb", (10, 1, 23)),
        ("9.7.4 for Linux on x86_64 ((Debian))", "mysql", (9, 7, 4)),
        ("8.0.36-28 for Linux on x86_64 (Percona Server (GPL), Release 28)", "percona", (8, 0, 36)),
    ],
)
def test_how_servers_say_their_version(
    assay_home: Path, text: str, flavour: str, version: tuple[int, ...]
) -> None:
    binary = announces(assay_home / f"says-{version}" / "mysqld", text)
    build = find_build(f"path:{binary}")
    assert (build.flavour_name, build.version) == (flavour, version)


def test_a_directory_without_a_server(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="no server binary") as caught:
        find_build(f"path:{tmp_path}")
    assert f"{tmp_path}/bin/mysqld" in (caught.value.detail or "")


def test_a_binary_that_is_no_server(assay_home: Path) -> None:
    binary = announces(assay_home / "broken" / "mysqld", "none at all")
    with pytest.raises(HostError, match="does not print its version"):
        find_build(f"path:{binary}")


def test_a_binary_without_its_library_names_the_library(tmp_path: Path) -> None:
    """A real binary, linked with a library that is removed afterwards."""
    (tmp_path / "library.c").write_text("int answer(void) { return 0; }\n")
    (tmp_path / "server.c").write_text("int answer(void); int main(void) { return answer(); }\n")
    library, server = tmp_path / "libassay-test.so.7", tmp_path / "mysqld"
    compiler = ["cc", "-o"]
    subprocess.run(
        [*compiler, library, "-shared", "-fPIC", "-Wl,-soname,libassay-test.so.7", tmp_path / "library.c"],
        check=True,
    )
    subprocess.run([*compiler, server, tmp_path / "server.c", library, f"-Wl,-rpath,{tmp_path}"], check=True)
    library.unlink()
    with pytest.raises(HostError) as caught:
        read_build(open_to_all(server))
    assert caught.value.message == f"{server} needs libassay-test.so.7, which this machine does not have"
    assert "apt-file search libassay-test.so.7" in (caught.value.hint or "")
