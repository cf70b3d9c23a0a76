"""`assay bundle` as a shell sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.testing.results_folder import Truth, make_results
from shell import Shell


def test_results_travel_by_two_commands(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = make_results(tmp_path / "here", loads=(8,), truth=Truth(measure_s=4, warmup_s=1))
    packed = shell("bundle", str(folder.path))
    assert packed.code == 0, packed.err
    (file,) = tmp_path.glob("*.assay.tar.gz")
    assert "12 of 12 runs" in packed.out
    opened = shell("bundle", "--open", str(file), "--to", "there", "--json")
    assert opened.code == 0, opened.err
    assert json.loads(opened.out)["file"] == "there"
    before, after = (json.loads(shell("show", one, "--json").out) for one in (str(folder.path), "there"))
    assert before["judged"] == after["judged"]
    assert before["judged"]["hypotheses"]


def test_the_wrong_way_round(shell: Shell, tmp_path: Path) -> None:
    folder = make_results(tmp_path / "here", loads=(8,), blocks=2, truth=Truth(measure_s=4, warmup_s=1))
    ended = shell("bundle", "--open", str(folder.path))
    assert ended.code == 2
    assert "--open needs an archive" in ended.err
    (file := tmp_path / "a.tar.gz").write_bytes(b"x")
    ended = shell("bundle", str(file))
    assert ended.code == 2
    assert f"assay bundle --open {file}" in ended.err
    ended = shell("bundle", "--open", str(file), "--to", str(tmp_path / "it"))
    assert ended.code == 2
    assert "is damaged" in ended.err
