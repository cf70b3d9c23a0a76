"""What was planted in the samples of a results folder is the first reason that its verdict names."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.results.store import build_store, open_store
from assay.results.verdict import Reason, judge
from assay.testing.results_folder import STUDY_TOML, TREATMENTS, Truth, make_results

OTHER = list(TREATMENTS)[1]
FASTER = 1.3  # what the other treatment gains; the servers' own second by second work is no reason for it


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    toml = STUDY_TOML.replace("[1, 8, 64]", "[8]").replace(", threads=1]", ", threads=8]")
    place = tmp_path_factory.mktemp("planted") / "results"
    truth = Truth(measure_s=5, warmup_s=1)
    return make_results(place, study_toml=toml, loads=(8,), effect=FASTER, truth=truth)


def reasons_of(folder: ResultsFolder) -> tuple[Reason, ...]:
    build_store(folder)
    with open_store(folder) as store:
        (found,) = judge(load_study(folder.study_file.path), store).differing
    assert found.compared
    return found.reasons


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("source", "planted", "first"),
    [
        ("status", {"Innodb_data_fsyncs_total": 47.0}, "Innodb_data_fsyncs_per_query"),
        ("status", {"Innodb_rows_read_total": 0.5}, "Innodb_rows_read_per_query"),
        (
            "processes",
            {"server.user_us_total": 1.4, "server.system_us_total": 1.4},
            "server_cpu_us_per_query",
        ),
        ("status", {}, None),
    ],
)
def test_what_was_planted_comes_first_and_nothing_where_nothing_was(
    made: ResultsFolder, tmp_path: Path, source: str, planted: Mapping[str, float], first: str | None
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    shutil.copytree(made.path, folder.path)
    for run in folder.finished_runs():
        if run.path.name.endswith(OTHER):
            _scale(run.samples(source).path, planted)
    found = reasons_of(folder)
    assert [one.measure for one in found][:1] == ([] if first is None else [first])


def _scale(samples: Path, factors: Mapping[str, float]) -> None:
    lines = [json.loads(line) for line in samples.read_text().splitlines()]
    for line in lines:
        line["values"] |= {name: line["values"][name] * factor for name, factor in factors.items()}
    samples.write_text("".join(json.dumps(line) + "\n" for line in lines))
