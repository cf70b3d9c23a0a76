"""The report says which gates failed, by which number, and leads to the events of its runs."""

from __future__ import annotations

import csv
import shutil
from inspect import Parameter, signature
from pathlib import Path

import pytest
from assay.experiments import lab
from assay.experiments.gate import gate_of_judged, gate_tables, write_pages
from assay.experiments.lab import judged, results_folder
from assay.reporting.report import material_in
from two_builds import RATIO, STUDY, Make

pytestmark = pytest.mark.usefixtures("undrawn")

GATES = f"""
[[gate]]
claim = "{RATIO} >= 0.97"
at = [64]

[[gate]]
claim = "{RATIO} >= 0.5"
at = [8]
"""


@pytest.fixture
def folder(make: Make, tmp_path: Path) -> Path:
    made = make(study=STUDY + GATES, effect=0.9)
    return Path(shutil.copytree(made, tmp_path / "results"))


def test_the_number_that_failed_stands_in_the_report(folder: Path) -> None:
    with judged(results_folder(folder)) as found:
        gated = gate_of_judged(found)
        page = write_pages(found)
    assert gated is not None
    failed, passed = gated.checks
    assert (failed.outcome, passed.outcome) == ("failed", "passed")
    with (folder / "tables" / "gates.csv").open(encoding="utf-8") as lines:
        first, second = csv.DictReader(lines)
    assert failed.part is not None
    assert failed.part.figure is not None
    assert (first["outcome"], float(first["figure"])) == ("failed", failed.part.figure.value)
    events = first["numbers"].split()
    assert len(events) == 12  # six blocks of two builds
    assert all((folder / one).is_file() and "threads-64" in one for one in events)
    assert (second["outcome"], second["numbers"]) == ("passed", "")
    for file, section, said in (
        (page, "Gates", "failed (1 failed, 1 passed)."),
        (page.with_name("report.zh.html"), "门禁", "未通过（未通过 1 项、通过 1 项）。"),
    ):
        text = file.read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")
        assert f'<a href="#gates">{section}</a>' in text
        assert said in text
        assert text.count("/events.jsonl") >= 12


def test_without_all_runs_no_gate_is_judged(folder: Path) -> None:
    shutil.rmtree(sorted((folder / "runs").iterdir())[-1])
    with judged(results_folder(folder)) as found:
        gated = gate_of_judged(found)
        (table,) = gate_tables(gated, material_in("en", found.study, found.results, found.store))
    assert gated is None
    assert not table.rows
    assert "a gate judges complete studies only" in table.empty


def test_no_other_function_writes_the_pages_of_results() -> None:
    """Whoever writes pages without saying which tables stand beside those of the report, loses the gates."""
    assert not hasattr(lab, "write_pages")
    assert signature(lab.write_results).parameters["gated"].default is Parameter.empty
    assert signature(lab.run_studies).parameters["write"].default is Parameter.empty
