"""A campaign of real studies: a budget cuts it, and the same command completes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from live_command import Finished

pytestmark = pytest.mark.live


def test_a_campaign_is_cut_by_its_budget_and_continues(
    assay: Callable[..., Finished], write_study: Callable[..., Path], tmp_path: Path
) -> None:
    for name in ("first", "second"):
        write_study(name=name, factor="")
    (file := tmp_path / "night.toml").write_text(
        '[campaign]\nname = "night"\n[[study]]\nfile = "first.toml"\n[[study]]\nfile = "second.toml"\n'
    )
    results = tmp_path / "results"
    run = ["campaign", "run", str(file), "--results", str(results)]
    cut = assay(*run, "--budget", "1s")
    assert cut.code == 1, cut.err
    assert "first: the time sufficed for 0 of 1 block" in cut.out
    assert "0 of 2 studies are complete." in (results / "index.html").read_text(encoding="utf-8")
    whole = assay(*run)
    assert whole.code == 0, whole.err
    text = (results / "index.html").read_text(encoding="utf-8")
    assert "2 of 2 studies are complete." in text
    assert 'href="second/report.html"' in text
    kept = (results / "first/report.html").stat().st_mtime_ns
    again = assay(*run)
    assert again.code == 0, again.err
    assert (results / "first/report.html").stat().st_mtime_ns == kept
