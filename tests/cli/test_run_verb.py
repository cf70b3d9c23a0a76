"""`assay run`: what can be said before anything is measured."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from assay.cli.run import _with
from shell import QUICKSTART, STUDIES, Shell

SETTINGS = [("server", "use", 'path:/opt/a "new" one'), ("design", "blocks", 99), ("load", "measure", "7s")]


@pytest.mark.parametrize("study", sorted(STUDIES.glob("*.toml")), ids=lambda path: path.stem)
@pytest.mark.parametrize(("table", "key", "value"), SETTINGS)
def test_one_setting_is_changed_and_nothing_else(study: Path, table: str, key: str, value: str | int) -> None:
    text = study.read_text()
    before, after = tomllib.loads(text), tomllib.loads(_with(text, table, key, value))
    assert before[table].pop(key, None) != value
    assert after[table].pop(key) == value
    assert after == before


def test_a_setting_that_is_not_there_is_added() -> None:
    text = '[study]\nname = "x"\n[design]\norder = "as-written"\n[[factor]]\nname = "y"\n'
    assert tomllib.loads(_with(text, "design", "blocks", 2))["design"] == {"order": "as-written", "blocks": 2}
    assert tomllib.loads(_with(text, "load", "measure", "1s"))["load"] == {"measure": "1s"}


def test_a_server_that_is_not_there_is_said_before_anything_is_done(shell: Shell, tmp_path: Path) -> None:
    ended = shell("run", QUICKSTART, "--results", tmp_path / "r", "--server", "path:/no/such/place")
    assert ended.code == 6
    assert "/no/such/place" in ended.err
    assert not (tmp_path / "r").exists()
