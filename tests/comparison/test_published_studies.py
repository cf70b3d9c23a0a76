"""Study files of published reports: every claim is tested, every scale plans, small ones take an hour."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.design.folder import ResultsFolder
from assay.experiments.comparison.published import PublishedReport, ReportStudy, published_reports, studies_of
from assay.experiments.lab import Forecast, foresee, open_study

REPORTS = [report for report in published_reports() if studies_of(report.id)]
STUDIES = [study for report in REPORTS for study in studies_of(report.id)]
AN_HOUR_S = 3600


def planned(study: ReportStudy, scale: str | None, place: Path) -> Forecast:
    return foresee(open_study(study.file, scale=scale), ResultsFolder(place / study.name))


def scales_of(study: ReportStudy) -> dict[str, dict[str, object]]:
    scales: dict[str, dict[str, object]] = tomllib.loads(study.file.read_text(encoding="utf-8"))["scale"]
    return scales


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.id)
def test_every_claim_is_tested_or_has_its_reason(report: PublishedReport) -> None:
    tested = {claim for study in studies_of(report.id) for claim in study.claims}
    assert tested <= {claim.id for claim in report.claims}
    assert [claim.id for claim in report.claims if claim.id not in tested and not claim.not_testable] == []


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.id)
def test_a_study_tests_what_an_ordinary_machine_can_test_or_what_it_cannot(report: PublishedReport) -> None:
    """Only then can a study that this machine refuses be passed over without losing a verdict."""
    reasons = {claim.id for claim in report.claims if claim.not_testable}
    for study in studies_of(report.id):
        assert study.needs_other_machine or not reasons & set(study.claims), study.file


@pytest.mark.sampled(15)
@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_a_study_plans_in_every_scale(study: ReportStudy, tmp_path: Path) -> None:
    scales = scales_of(study)
    assert {"small", "original"} <= set(scales)
    assert all(one["about"] for one in scales.values())
    assert study.name.startswith(f"{study.report}-")
    for scale in (None, *scales):
        found = planned(study, scale, tmp_path)
        assert found.plan.runs
        assert found.refusal is None or isinstance(found.refusal, HostError), found.refusal


@pytest.mark.sampled(1)
@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.id)
def test_the_small_scale_takes_less_than_an_hour(
    report: PublishedReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(
        "ASSAY_HOME", str(tmp_path)
    )  # what other tests have taken on a busy machine is not known there
    here = [study for study in studies_of(report.id) if not study.needs_other_machine]
    seconds = {study.name: planned(study, "small", tmp_path).seconds_left for study in here}
    assert all(seconds.values())
    assert sum(seconds.values()) < AN_HOUR_S, seconds


@pytest.mark.parametrize("language", ["", ".zh-CN"])
@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.id)
def test_the_page_of_a_report_names_its_tables_charts_and_studies(
    report: PublishedReport, language: str
) -> None:
    studies = studies_of(report.id)
    page = (studies[0].file.parent / f"README{language}.md").read_text(encoding="utf-8")
    named = [table.id for table in report.tables] + [chart.name for chart in report.charts]
    assert [name for name in named if name not in page] == []
    assert [one.file.name for one in studies if f"({one.file.name})" not in page] == []
