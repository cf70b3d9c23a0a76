"""`assay disk`: a page about one disk, from a real measurement that is much too short."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.experiments.bench.disk import loads as loads_of_disk
from assay.experiments.bench.disk import scratch
from assay.reporting.report import load_words
from shell import ROOT, Shell, start


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """A directory for files, with a folder that a killed measurement has left."""
    place = tmp_path / "disk"
    left = place / ".assay-disk-left"
    left.mkdir(parents=True)
    (left / "pages").write_bytes(b"x")
    return place


def test_a_disk_has_its_page_and_its_figures(
    shell: Shell, disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loads_of_disk, "BLOCKS", 2)
    page = tmp_path / "page.html"
    ended = shell("disk", disk, "--seconds", "1", "--size", "16M", "--output", page, "--json")
    if "is in memory" in ended.err:
        pytest.skip("the directory of tests is in memory")
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    loads = found["measured"]["loads"]
    assert {(one["load"]["kind"], one["load"]["block_bytes"], one["load"]["depth"]) for one in loads} == {
        ("log", 512, 1),
        ("log", 16384, 1),
        ("read", 16384, 1),
        ("read", 16384, 32),
        ("write", 16384, 32),
    }
    assert all(len(one["rates"]) == 2 for one in loads)
    assert found["fitness"]["word"] in ("too-short", "unfit")  # two blocks are never enough to praise a disk
    assert all(one["times"]["count"] > 0 for one in loads)
    assert found["measured"]["course"]["pages"]
    assert {"small-file", "few-blocks"} <= {one["kind"] for one in found["doubts"]}
    settings = {one["setting"]: one["value"] for one in found["settings"]}
    assert settings["innodb_flush_log_at_trx_commit"] == "1"
    assert "Lines for my.cnf" in page.read_text(encoding="utf-8")
    assert list(disk.iterdir()) == []  # nothing stays, and what a killed one left is gone


def test_ctrl_c_keeps_what_was_measured_and_leaves_no_file(disk: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    process = start("disk", str(disk), "--seconds", "4", "--size", "16M", "--output", str(page))
    assert process.stdout is not None
    for line in process.stdout:
        if "block 2 of 6" in line:
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    if "is in memory" in err:
        pytest.skip("the directory of tests is in memory")
    assert process.returncode == 130, err
    assert re.search("Too short to say: [1-5] of 6 blocks", out)
    assert f"page: {page}" in out
    assert "interrupted" in page.read_text(encoding="utf-8")
    assert list(disk.iterdir()) == []


def test_too_little_room_is_told_before_anything_is_written(disk: Path) -> None:
    with pytest.raises(HostError, match="free"), scratch.scratch(disk, 1 << 44):
        pass
    assert not [one for one in disk.iterdir() if one.name != ".assay-disk-left"]


def test_every_doubt_about_a_disk_has_a_sentence() -> None:
    raised = set[str]()
    for folder in ("experiments/bench/disk", "results/advice/fitness"):
        for file in (ROOT / "python/assay" / folder).glob("*.py"):
            raised |= set(re.findall(r'DiskDoubt\(\s*"([a-z-]+)"', file.read_text(encoding="utf-8")))
    known = sorted(load_words("en").keys())
    keys = {key.removeprefix("disk.doubt.") for key in known if key.startswith("disk.doubt.")}
    assert raised == keys
