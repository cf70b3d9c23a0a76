"""`assay advise` on real results: a disk at a time, and nothing of jobs that differ."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from live_command import Finished

READS = """\
[study]
name = "two-places"
[workload]
use = "fileio"
file_test_mode = "rndrd"
file_num = 2
file_total_size = "2M"
[load]
threads = [1]
warmup = "none"
measure = "200ms"
[[factor]]
name = "storage.directory"
levels = ["{one}", "{other}"]
[design]
blocks = 1
"""
SIDE_BY_SIDE = """\
[study]
name = "side-by-side"
[workload]
use = "fio:two.fio"
[load]
rate = [100]
warmup = "none"
measure = "200ms"
[design]
blocks = 1
"""
JOBS = """\
[global]
size=1m
[reads]
rw=randread
[redo]
rw=write
fsync=1
"""


def results(assay: Callable[..., Finished], folder: Path, text: str) -> str:
    path = folder / "study.toml"
    path.write_text(text)
    done = assay("run", str(path), "--results", str(folder / "results"), "--no-report")
    assert done.code == 0, done.err
    return str(folder / "results")


def test_places_are_disks_of_their_own(assay: Callable[..., Finished], tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    folder = results(assay, tmp_path, READS.format(one=one, other=other))
    entries = json.loads(assay("advise", folder, "--json").out)
    disks = {f"storage.directory={place}" for place in (one, other)}
    assert {entry["disk"] for entry in entries} == disks
    assert len(entries) == 2 * len({entry["setting"] for entry in entries})
    text = assay("advise", folder).out
    assert all(f"# {disk}\n" in text for disk in disks)
    assert text.count("innodb_flush_neighbors: not known") == 2  # the page cache answered


def test_jobs_that_differ_side_by_side_are_refused(assay: Callable[..., Finished], tmp_path: Path) -> None:
    (tmp_path / "two.fio").write_text(JOBS)
    refused = assay("advise", results(assay, tmp_path, SIDE_BY_SIDE))
    assert refused.code == 2, refused.err
    assert "contains no finished run of a load on files" in refused.err
