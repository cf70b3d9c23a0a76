"""The published ladder of sysbench's fileio: bandwidth and operations a second of six modes at each rung."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import forked
import pytest
from assay.design.study import load_study
from undrawn import UNDRAWN

SHIPPED = Path(__file__).parents[2] / "studies/storage/fileio.toml"
MODES = ["rndrd", "seqrd", "seqwr", "seqrewr", "rndwr", "rndrw"]


def test_the_shipped_study_is_the_published_one() -> None:
    """Its settings, but for sizes and times."""
    study = load_study(SHIPPED)
    assert study.load.rungs == (1, 16, 32, 64, 128, 512, 1024, 2048)
    assert study.factors[0].levels == tuple(MODES)
    options = study.workload.options
    assert (options["file_num"], options["file_block_size"], options["file_fsync_freq"]) == (64, "16k", 0)
    assert options["file_extra_flags"] == "direct"


@pytest.mark.long
def test_every_mode_has_both_figures_at_every_rung(tmp_path: Path) -> None:
    """Really run, with its ends and its middle."""
    study = SHIPPED.read_text(encoding="utf-8")
    for said, instead in (
        ("[1, 16, 32, 64, 128, 512, 1024, 2048]", "[1, 32, 2048]"),
        ('warmup = "1s"', 'warmup = "none"'),
        ('measure = "10s"', 'measure = "200ms"'),
        ('"256M"', '"64M"'),
    ):
        assert said in study
        study = study.replace(said, instead)
    path = tmp_path / "fileio.toml"
    path.write_text(study[: study.index("[[hypothesis]]")])
    words = ["run", path, "--results", tmp_path / "results", "--blocks", 1]
    done = forked.run(*words, env={**os.environ, UNDRAWN: "1"}, timeout=500)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((tmp_path / "results/tables/files.csv").open(encoding="utf-8")))
    found = {
        (row["name"], float(row["threads"]), mode): float(row[f"file_test_mode={mode}"] or 0)
        for row in rows
        for mode in MODES
    }
    for mode in MODES:
        for threads in (1.0, 32.0, 2048.0):
            iops = found["iops", threads, mode]
            assert iops > 0
            assert found["mib_per_s", threads, mode] == pytest.approx(iops / 64)  # in blocks of 16 KiB
            assert found["workers", threads, mode] == threads
