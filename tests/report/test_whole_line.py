"""From run folders to the page: store, verdict and report together."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.study import load_study
from assay.reporting.report import write_report
from assay.results.store import build_store, open_store
from assay.results.verdict import judge
from assay.testing.results_folder import Truth, make_results
from reading import Page

pytestmark = pytest.mark.usefixtures("undrawn")


def test_a_planted_effect_reaches_the_page(tmp_path: Path) -> None:
    truth = Truth(deadlocks=2.0, measure_s=8, warmup_s=2)
    folder = make_results(tmp_path / "results", effect=1.2, loads=(1, 8), truth=truth)
    # The generator plants three rungs' worth of belief; what it ran must be what the study says.
    text = folder.study_file.read_text(encoding="utf-8").replace("[1, 8, 64]", "[1, 8]")
    folder.study_file.write_text(text, encoding="utf-8")
    study = load_study(folder.study_file)
    build_store(folder)
    with open_store(folder) as store:
        path = write_report(study, judge(study, store), store, folder.path, languages=("en",))
    page = Page(path.read_text(encoding="utf-8"))
    assert page.tables["hypotheses"][1][2] == "✓ supported"
    assert all("▲ better" in row[-1] for row in page.tables["tps"][1:])
    assert page.sections_closed["h-errors"] == "Errors with code 1213"
    assert len(page.tables["runs"]) == 1 + 12
    for link in page.links:
        if link.endswith("events.jsonl"):
            assert (folder.path / link.replace("%3D", "=")).is_file()
