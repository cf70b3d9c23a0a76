"""The summary of results: kept with the report, of the same files or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.experiments.gate import write_pages
from assay.experiments.lab import figures_of, judged, summary_of
from assay.testing.results_folder import make_results

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    return make_results(tmp_path_factory.mktemp("summary") / "results", loads=(8,))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders whose runs are read from now on."""
    found: list[Path] = []

    def watched(folder: ResultsFolder) -> object:
        found.append(folder.path)
        return figures_of(folder)

    monkeypatch.setattr("assay.experiments.lab.summary.figures_of", watched)
    return found


def test_a_report_leaves_the_summary_that_lists_read(results: ResultsFolder, read: list[Path]) -> None:
    with judged(results) as found:
        write_pages(found, languages=("en",))
        estimates, treatments = found.results.estimates, found.results.treatments
    summary = summary_of(results)
    assert read == []
    assert [one.value for one in summary.estimates] == [one.value for one in estimates]
    assert summary.treatments == treatments
    assert summary.runs == 12


def test_a_summary_of_other_files_is_made_again(results: ResultsFolder, read: list[Path]) -> None:
    before = summary_of(results)
    manifest = next(iter(results.finished_runs())).manifest
    manifest.write_bytes(manifest.read_bytes() + b"\n")
    read.clear()
    assert summary_of(results) == before
    assert summary_of(results) == before
    assert read == [results.path]


def test_a_file_that_changes_under_a_report_makes_its_summary_old(
    results: ResultsFolder, read: list[Path]
) -> None:
    with judged(results) as found:
        manifest = next(iter(results.finished_runs())).manifest
        manifest.write_bytes(manifest.read_bytes() + b"\n")
        write_pages(found, languages=("en",))
    read.clear()
    summary_of(results)
    assert read == [results.path]


@pytest.mark.parametrize("content", [b"", b"{}", b'{"made_by":"","stamp":"","content":"AAAA"}'])
def test_a_damaged_summary_is_made_again(results: ResultsFolder, read: list[Path], content: bytes) -> None:
    before = summary_of(results)
    (results.store / "summary.json").write_bytes(content)
    read.clear()
    assert summary_of(results) == before
    assert read == [results.path]
