"""`assay run`: what can be said before anything is measured."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from assay.cli.run import _with_server
from assay.errors import InputError
from shell import QUICKSTART, STUDIES, Shell


@pytest.mark.parametrize("study", sorted(STUDIES.glob("*.toml")), ids=lambda path: path.stem)
def test_another_server_changes_that_line_alone(study: Path) -> None:
    text, server = study.read_text(), 'path:/opt/a "new" one'
    before, after = tomllib.loads(text), tomllib.loads(_with_server(text, server, study))
    assert after["server"].pop("use") == server
    assert before["server"].pop("use") != server
    assert after == before


def test_a_study_without_the_line_is_refused() -> None:
    with pytest.raises(InputError, match=r"x\.toml: --server replaces"):
        _with_server('[server]\nvariables = {}\n[workload]\nuse = "select"\n', "mariadb", Path("x.toml"))


def test_a_server_that_is_not_there_is_said_before_anything_is_done(shell: Shell, tmp_path: Path) -> None:
    ended = shell("run", QUICKSTART, "--results", tmp_path / "r", "--server", "path:/no/such/place")
    assert ended.code == 6
    assert "/no/such/place" in ended.err
    assert not (tmp_path / "r").exists()
