"""What was judged is kept until a file changes, and never said of other files."""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from pathlib import Path

import assay
import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_measured
from assay.experiments.lab import judged, kept_results
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from recorded_results import NAMES, unpack

STUDY = STUDY_TOML.replace("[1, 8, 64]", "[1, 8]")
TRUTH = Truth(measure_s=4, warmup_s=1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ResultsFolder:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    return make_results(tmp_path / "results", study_toml=STUDY, loads=(1, 8), effect=1.2, truth=TRUTH)


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Grows by one each time that something is judged."""
    found: list[object] = []
    judging = import_module("assay.experiments.lab.judging")  # the room's face has a function of this name
    real = judging.judge

    def judge(*asked: object) -> object:
        found.append(asked)
        return real(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "judge", judge)
    return found


def said(folder: ResultsFolder) -> str:
    with judged(folder) as found:
        return repr(found.results)


def outcomes(folder: ResultsFolder) -> list[str]:
    with judged(folder) as found:
        return [one.outcome for one in found.results.hypotheses]


def slower(folder: ResultsFolder, treatment: str, factor: float) -> None:
    """Changes what was measured of a treatment, and nothing else."""
    for run in folder.finished_runs():
        if json.loads(run.manifest.read_bytes())["treatment"] == treatment:
            for events in (rung.events for rung in run.rungs()):
                lines = [json.loads(line) for line in events.read_text().splitlines()]
                for line in lines:
                    if "transactions" in line:
                        line["transactions"] = int(line["transactions"] / factor)
                events.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_the_second_opening_judges_nothing(folder: ResultsFolder, counts: list[object]) -> None:
    first = said(folder)
    assert said(folder) == first
    assert len(counts) == 1


def test_a_changed_file_never_gives_an_old_verdict(folder: ResultsFolder, counts: list[object]) -> None:
    before, first = outcomes(folder), said(folder)
    assert "supported" in before
    with judged(folder) as found:
        faster = max(found.results.estimates, key=lambda one: (one.measure == "tps", one.value)).treatment
    slower(folder, faster, 2.0)
    assert outcomes(folder) != before
    assert said(folder) != first
    assert len(counts) == 2


@pytest.mark.long
def test_a_file_of_the_same_length_counts_by_its_time(folder: ResultsFolder, counts: list[object]) -> None:
    said(folder)
    events = next(folder.finished_runs()).rungs()[0].events
    found = events.stat()
    os.utime(events, ns=(found.st_atime_ns, found.st_mtime_ns + 1))
    said(folder)
    assert len(counts) == 2


@pytest.mark.long
def test_another_study_or_a_run_less_is_judged_anew(folder: ResultsFolder, counts: list[object]) -> None:
    said(folder)
    study = load_measured(folder.study_file)
    with judged(folder, study.model_copy(update={"hypotheses": study.hypotheses[:0]})) as found:
        assert found.results.hypotheses == ()
    last = [run.path for run in folder.finished_runs()][-1]
    last.rename(folder.path / last.name)
    with judged(folder) as found:
        assert found.results.blocks_complete == 5
    assert len(counts) == 3


@pytest.mark.long
def test_a_torn_file_and_a_place_that_cannot_be_written_are_no_harm(
    folder: ResultsFolder, counts: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = said(folder)
    (kept,) = (Path(os.environ["ASSAY_HOME"]) / "results").iterdir()
    kept.write_bytes(kept.read_bytes()[:-100])
    assert said(folder) == first
    monkeypatch.setenv("ASSAY_HOME", str(folder.study_file / "below"))
    assert said(folder) == first
    assert len(counts) == 3


def test_other_code_judges_anew(
    folder: ResultsFolder, counts: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    said(folder)
    monkeypatch.setattr(kept_results, "code_of", lambda *_: "of tomorrow")
    said(folder)
    assert len(counts) == 2


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_recorded_results_come_back_as_they_were(
    name: str, tmp_path: Path, counts: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    folder = unpack(name, tmp_path)
    assert said(folder) == said(folder)
    assert len(counts) == 1


def test_results_are_kept_for_all_code_that_judging_imports() -> None:
    """A change of a doubt or of a storage figure, which stand in other wings, makes results anew."""
    root = Path(assay.__file__).parent
    code = [file.read_text("utf-8") for wing in kept_results._MAKERS for file in (root / wing).rglob("*.py")]
    imported = {wing for text in code for wing in re.findall(r"^ *(?:from|import) assay\.(\w+)", text, re.M)}
    assert imported <= set(kept_results._MAKERS)
