"""Profiles of a results folder in the forms of other programs, and the page of the differences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import (
    Function,
    ObjectFile,
    ProfileSource,
    ProfileWindow,
    ResultsFolder,
    SampledStack,
    StackProfile,
    Stretch,
    ThreadName,
    write_packed,
    write_window,
)
from assay.experiments.lab import judged, write_profiles
from assay.results.ledger.export import FORMS, HTML
from assay.testing.results_folder import Truth, make_results

NAMES = ["row_search_mvcc", "dispatch_command", "MYSQLparse"]


def watch(folder: ResultsFolder) -> None:
    """Writes a profile window into every rung: the parser takes more from run to run."""
    for number, run in enumerate(folder.finished_runs()):
        for rung in run.rungs():
            rung.profile.path.mkdir()
            stretch = Stretch(begin_wall_ns=0, end_wall_ns=10**9, queries=1000, transactions=100)
            window = ProfileWindow(main=stretch, sources={"stacks": ProfileSource(read={"samples": 1000})})
            write_window(rung.profile, window)
            stacks = StackProfile(
                period_ns=1_000_000,
                threads=[ThreadName("connection", 8)],
                objects=[ObjectFile("mysqld")],
                functions=[Function(name, 0, True) for name in NAMES],
                stacks=[SampledStack(0, [0, 1], 600 - number), SampledStack(0, [2, 1], 400 + number)],
            )
            write_packed(rung.profile, "stacks", stacks)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    truth = Truth(measure_s=4, warmup_s=1)
    return ResultsFolder(
        make_results(tmp_path_factory.mktemp("of") / "results", loads=(8,), truth=truth, effect=0.8).path
    )


def test_every_form_is_written_for_every_treatment(folder: ResultsFolder, tmp_path: Path) -> None:
    with judged(folder) as found, pytest.raises(InputError, match="no run has call stacks"):
        write_profiles(found, "pprof")
    watch(folder)
    (folder.store / "index.json").unlink()
    with judged(folder) as found:
        for form in FORMS:
            files = write_profiles(found, form, tmp_path).files
            assert len(files) == 2
            assert all(file.name.endswith(FORMS[form].ending) and file.stat().st_size for file in files)
            assert {file.name.partition(" threads")[0][:20] for file in files} == {"innodb_purge_threads"}
        measured = dict(
            found.store.execute(
                "SELECT treatment, avg(value) FROM measures WHERE measure = 'server_cpu_us_per_query'"
                " GROUP BY treatment"
            ).fetchall()
        )
        for file in tmp_path.glob("*.speedscope.json"):
            profile = json.loads(file.read_text())["profiles"][0]
            treatment = profile["name"].removesuffix(" threads 8")
            assert sum(profile["weights"]) == pytest.approx(measured[treatment])
        (page,) = write_profiles(found, HTML).files
        assert page == folder.inner("profiles").path / "flame.html"
        assert "MYSQLparse" in page.read_text(encoding="utf-8")
