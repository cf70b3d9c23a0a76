"""Adding a flavour or a version is data: an entry made here is found and configured like the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.folder.manifest import Scalar
from assay.system.server import Build, find_build
from assay.system.server.flavour import (
    FLAVOURS,
    Flavour,
    Initialize,
    Preset,
    Renamed,
    flavour_named,
    flavour_of,
)
from assay.system.server.process.options import options_text
from assay.system.server.release import find as find_module
from assay.system.server.variables.translate import TranslatedVariable

ENTRY = Flavour(
    name="mysql",
    title="Sample",
    binaries=("sampled",),
    ways=(Initialize(options=("--initialize",), since=(3,)),),
    how_to_get="write it",
    presets=(
        Preset(name="quiet", value="ON", why="noise", since=(3,)),
        Preset(name="loud", value="ON", why="it was once", until=(3,)),
        Preset(name="skip_journal", value=None, why="not asked for", unless="journal"),
    ),
    renamed=(Renamed(old="cache", new="page_cache", since=(2,)), Renamed(old="spin", new=None, since=(3,))),
)


def build(version: tuple[int, ...]) -> Build:
    return Build("mysql", version, "Ver 3", Path("/opt/sample/bin/sampled"), Path("/opt/sample"), None)


@pytest.fixture(autouse=True)
def _entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FLAVOURS, "mysql", ENTRY)


def said(**variables: Scalar) -> list[TranslatedVariable]:
    return [TranslatedVariable(name, value, name, value) for name, value in variables.items()]


def settings(text: str) -> list[str]:
    lines = (line.partition("  #")[0] for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def test_presets_of_a_version() -> None:
    text = options_text(build((3, 1)), places={"datadir": "/d"}, variables=said(quiet=False, path_x="/a#b"))
    assert settings(text) == [
        "[mysqld]", "basedir=/opt/sample", "datadir=/d", "skip_journal", "quiet=OFF", "path_x='/a#b'",
    ]  # fmt: skip
    old = settings(options_text(build((2, 9)), places={}, variables=said(journal="x")))
    assert old == ["[mysqld]", "basedir=/opt/sample", "loud=ON", "journal=x"]


def test_what_became_of_a_variable() -> None:
    successor = ENTRY.successor("cache", (2, 0))
    assert successor
    assert successor.new == "page_cache"
    assert ENTRY.successor("cache", (1, 9)) is None
    predecessor = ENTRY.predecessor("page_cache", (1, 9))
    assert predecessor
    assert predecessor.old == "cache"
    removed = ENTRY.successor("spin", (3,))
    assert removed
    assert removed.new is None


def test_it_is_found_by_its_binary(assay_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = assay_home / "sample" / "bin"
    folder.mkdir(parents=True)
    binary = folder / "sampled"
    binary.write_text("#!/bin/sh\necho 'sampled  Ver 3.1.4 for Linux on x86_64'\n")
    binary.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(find_module, "USUAL_PLACES", ())
    found = find_build("mysql@3")
    assert (found.flavour, found.version) == (ENTRY, (3, 1, 4))


def test_flavours_by_what_servers_say() -> None:
    assert flavour_of("10.11.6-MariaDB-log").name == "mariadb"
    assert flavour_of("8.0.36").name == "mysql"


@pytest.mark.parametrize(
    ("version", "comment", "more", "name"),
    [
        ("8.0.36", "MySQL Community Server - GPL", {}, "mysql"),
        ("5.7.44-log", "MySQL Community Server (GPL)", {}, "mysql"),
        ("8.4.2-commercial", "MySQL Enterprise Server - Commercial", {}, "mysql"),
        ("5.5.9", "Source distribution", {}, "mysql"),
        ("8.0.36-0ubuntu0.22.04.1", "(Ubuntu)", {}, "mysql"),
        ("10.11.6-MariaDB-log", "MariaDB Server", {"wsrep_on": "OFF"}, "mariadb"),
        ("5.5.5-10.4.32-MariaDB-1:10.4.32+maria~deb10", "mariadb.org binary distribution", {}, "mariadb"),
        ("8.0.36-28", "Percona Server (GPL), Release 28, Revision 47601f19", {}, "percona"),
        ("8.0.35-27.1", "Percona XtraDB Cluster (GPL), Release rel27", {"wsrep_on": "ON"}, "pxc"),
        ("8.0.11-TiDB-v7.5.0", "TiDB Server (Apache License 2.0)", {}, "tidb"),
        ("8.0.36", "MySQL Community Server - GPL", {"tidb_server_memory_limit": "80%"}, "tidb"),
        ("8.0.28", "Source distribution", {"aurora_version": "3.04.0"}, "aurora"),
        ("8.0.35", "Source distribution", {"basedir": "/rdsdbbin/mysql-8.0.35.R2/"}, "rds"),
        ("10.6.14-MariaDB-log", "managed", {"basedir": "/rdsdbbin/mariadb-10.6.14/"}, "rds"),
        ("8.0.31-google", "(Google)", {}, "cloudsql"),
        ("8.0.36-azure", "MySQL Community Server (GPL)", {}, "azure"),
        ("5.7.25-OceanBase_CE-v4.2.1.0", "OceanBase_CE 4.2.1.0", {}, "oceanbase"),
        ("8.0.33", "StarRocks version 3.2.4", {}, "starrocks"),
        ("5.7.32", "SingleStoreDB source distribution (compatible; MySQL Enterprise)", {}, "singlestore"),
        ("8.0.30-Vitess", "Version: 19.0", {}, "vitess"),
        ("8.0.33", "Dolt", {}, "dolt"),
        ("5.6.35-fb", "(Facebook)", {}, "fb"),
        ("8.0.36", "Source distribution", {"wsrep_cluster_name": "x"}, "galera"),
        # nobody has heard of it
        ("8.0.36", "AcmeDB 1.0", {}, "not-known"),
        ("8.0.36-acme", "MySQL Community Server - GPL", {}, "not-known"),
        ("1.0-beta", "", {}, "not-known"),
        ("", "", {}, "not-known"),
    ],
)
def test_whatever_is_not_mariadb_is_not_mysql(
    version: str, comment: str, more: dict[str, str], name: str
) -> None:
    found = flavour_of(version, {"innodb_buffer_pool_size": "1", "version_comment": comment, **more})
    assert found.name == name
    if name not in FLAVOURS:
        assert not any((found.renamed, found.presets, found.divided, found.replication, found.ways))
    assert flavour_named(name).name == name
    assert flavour_named(name).title == found.title


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Ver 8.0.36 for Linux on x86_64 (MySQL Community Server - GPL)", "mysql"),
        ("Ver 8.0.36-0ubuntu0.22.04.1 for Linux on x86_64 ((Ubuntu))", "mysql"),
        ("Ver 5.6.24 for Linux on x86_64 (Source distribution)", "mysql"),
        (
            "Ver 8.0.36-28 for Linux on x86_64 (Percona Server (GPL), Release 28, Revision 47601f19)",
            "percona",
        ),
        ("Ver 10.11.6-MariaDB for Linux on x86_64 (MariaDB Server)", "mariadb"),
        ("Ver 8.0.36 for Linux on x86_64 (an office's own)", "not-known"),
        ("Ver 8.0.32-fb for Linux on x86_64 (Source distribution)", "fb"),
    ],
)
def test_binaries_say_whose_they_are(said: str, name: str) -> None:
    assert flavour_of(said).name == name
