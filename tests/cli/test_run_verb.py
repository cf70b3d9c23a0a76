"""`assay run`: checks before anything is measured."""

from __future__ import annotations

from pathlib import Path

from shell import QUICKSTART, Shell


def test_a_server_that_is_not_there_is_said_before_anything_is_done(shell: Shell, tmp_path: Path) -> None:
    ended = shell("run", QUICKSTART, "--results", tmp_path / "r", "--server", "path:/no/such/place")
    assert ended.code == 6
    assert "/no/such/place" in ended.err
    assert not (tmp_path / "r").exists()
