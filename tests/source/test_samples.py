"""Samples of data: where they are kept, which jobs name them, and when they go."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from assay.base.format.job import Target
from assay.design.plan import Script
from assay.measurement.source.dataset import samples_file, sweep_unfinished
from assay.system.engine import jobs


@pytest.mark.parametrize(("workload", "named"), [("sql:shop.sql", True), ("lua:shop.lua", False)])
def test_jobs_of_own_statements_name_the_samples_of_their_data(workload: str, named: bool) -> None:
    script = Script("SELECT 1;", {}, 1)
    file = Path("/data/x.samples")
    target = Target(database="shop", user="root")
    job = jobs.job("run", target=target, workload=workload, options={}, seed=1, script=script, samples=file)
    assert job.workload.script is not None
    assert (job.workload.script.samples == str(file)) is named


def test_samples_go_when_nobody_has_used_them_for_a_month(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    files = [samples_file("shop-1"), samples_file("shop-2"), samples_file("shop-3")]
    files[0].parent.mkdir(parents=True)
    for file, days in zip(files, (20, 40, 40), strict=True):
        file.write_bytes(b"")
        then = time.time() - days * 86_400
        os.utime(file, (then, then))
    assert samples_file("shop-3") == files[2]
    assert sweep_unfinished() == ["removed the samples shop-2, which nobody has used for a month"]
    assert [file.exists() for file in files] == [True, False, True]
