"""What a build has answered is read again by the next command, and asked again from another binary."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from assay.system.server import Build
from assay.system.server.process.program import run_tool
from assay.system.server.release.answers import Answers
from assay.system.server.release.build import read_build
from assay.system.server.variables import catalogue as asking
from assay.system.server.variables.catalogue import catalogue, try_options


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    return tmp_path


def _as_a_new_process() -> None:
    asking._catalogue.cache_clear()
    asking._try.cache_clear()


def test_a_build_is_asked_once(mariadb_build: Build, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options: list[dict[str, int | str]] = [{"max_connections": 70}, {"max_connections": 10**9}]
    read = read_build(mariadb_build.mysqld)
    _as_a_new_process()
    first = catalogue(mariadb_build), [try_options(mariadb_build, one) for one in options]
    assert first[1][0].values["max_connections"] == "70"
    assert first[1][0].accepted
    assert (home / "answers").is_dir()

    asked = _count_questions(monkeypatch)
    _as_a_new_process()
    again = catalogue(mariadb_build), [try_options(mariadb_build, one) for one in options]
    assert again == first
    assert read_build(mariadb_build.mysqld) == read
    assert asked == []


@pytest.mark.parametrize(
    "options",
    [{"sql_mode": "FOO"}, {"plugin_load_add": "auth_ed25519"}, {"init_file": "/dev/null"}],
    ids=["refused", "plugin", "file"],
)
def test_what_may_be_answered_otherwise_tomorrow_is_asked_again(
    mariadb_build: Build, home: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, int | str]
) -> None:
    _as_a_new_process()
    catalogue(mariadb_build)
    first = try_options(mariadb_build, options)
    assert first.accepted == ("sql_mode" not in options)
    asked = _count_questions(monkeypatch)
    _as_a_new_process()
    again = try_options(mariadb_build, options)
    assert (again.accepted, again.values) == (first.accepted, first.values)
    assert len(asked) == 1


def _count_questions(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """Returns a list that grows by the command line of each question to a build."""
    asked: list[Sequence[str]] = []

    def counted(command: Sequence[str], **how: Any) -> Any:
        asked.append(command)
        return run_tool(command, **how)

    monkeypatch.setattr(asking, "run_tool", counted)
    monkeypatch.setattr("assay.system.server.release.build.run_tool", counted)
    return asked


def test_a_binary_that_has_changed_is_asked_again(home: Path, tmp_path: Path) -> None:
    binary = tmp_path / "mysqld"
    binary.write_text("one")
    question = ("--version",)

    def answers() -> Answers:
        return Answers([str(binary)], {}, [binary])

    answers().keep(question, "1")
    assert answers().get(question, str) == "1"
    assert answers().get(("--help",), str) is None
    assert Answers([str(binary), "more"], {}, [binary]).get(question, str) is None
    binary.write_text("other")
    assert answers().get(question, str) is None
    answers().keep(question, "2")
    assert answers().get(question, str) == "2"


def test_a_torn_or_unwritable_file_keeps_nothing(home: Path, tmp_path: Path) -> None:
    one = Answers(["x"], {}, [tmp_path / "absent"])
    one.keep(("a",), "1")
    (file,) = (home / "answers").iterdir()
    file.write_bytes(b'["a"]\t"to')
    assert one.get(("a",), str) is None
    file.unlink()
    (home / "answers").rmdir()
    (home / "answers").write_text("a file where the folder should be")
    one.keep(("a",), "1")
    assert one.get(("a",), str) is None


def test_a_binary_is_read_once_in_each_of_its_states(
    mariadb_build: Build, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary = home / "mariadbd"
    build = replace(mariadb_build, mysqld=binary)
    digest_of, read = hashlib.file_digest, []

    def read_by(file: Any, name: str) -> Any:
        read.append(file.name)
        digest = digest_of(file, name)
        if len(read) == 2:  # an upgrade while it is being read
            binary.write_bytes(b"the newest of all")
        return digest

    monkeypatch.setattr(hashlib, "file_digest", read_by)
    for content in (b"old", b"newer"):
        binary.write_bytes(content)
        found = [replace(build).sha256 for _ in range(2)]
        assert found[0] == hashlib.sha256(content).hexdigest()
    assert len(read) == 3
    assert found[1] == replace(build).sha256 == hashlib.sha256(b"the newest of all").hexdigest()
