"""`assay aa`: what it refuses before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from shell import QUICKSTART, Shell


@pytest.mark.parametrize(("blocks", "said"), [("1", "2"), ("100", "99"), ("six", "six")])
def test_one_block_too_many_and_words_are_refused(shell: Shell, blocks: str, said: str) -> None:
    ended = shell("aa", QUICKSTART, "--blocks", blocks)
    assert ended.code == 2
    assert said in ended.err
    assert ended.out == ""


def test_a_study_that_is_wrong_is_refused_as_it_is_by_plan(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(QUICKSTART.read_text(encoding="utf-8").replace("threads =", "treads ="), encoding="utf-8")
    planned, ran = shell("plan", file), shell("aa", file)
    assert (ran.code, ran.err) == (planned.code, planned.err)
    assert "treads" in ran.err
