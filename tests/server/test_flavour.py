"""Adding a flavour or a version is data: an entry made here is found and configured like the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.folder.manifest import Scalar
from assay.server import Build, find_build
from assay.server.flavour import FLAVOURS, Flavour, Initialize, Preset, Renamed, flavour_of
from assay.server.process.options import options_text
from assay.server.release import find as find_module
from assay.server.variables.translate import TranslatedVariable

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
