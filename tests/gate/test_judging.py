"""Claims on results with a known truth: passed, failed, undecided, and never passed without data."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import ResultsFolder, read_entry, write_study_files
from assay.experiments.gate import (
    Gated,
    annotation_lines,
    as_junit,
    as_markdown,
    as_object,
    as_openmetrics,
    complaint,
)
from assay.experiments.gate import rebuilt as server_files
from assay.reporting.report import in_markdown, lacks_text, load_words
from assay.testing.results_folder import Truth
from two_builds import RATIO, STUDY, Judge, Make


def test_the_figure_of_a_claim_is_the_tolerance(judge: Judge, slower: Path) -> None:
    found = judge(slower, f"{RATIO} >= 0.97", f"{RATIO} >= 0.85", f"{RATIO} >= 0.9")
    outcomes = {(one.number, one.load): one.outcome for one in found.checks}
    assert {outcomes[1, load] for load in (8.0, 64.0)} == {"failed"}
    assert {outcomes[2, load] for load in (8.0, 64.0)} == {"passed"}
    assert "undecided" in {outcomes[3, load] for load in (8.0, 64.0)}
    assert found.outcome == "failed"
    assert (found.gates, len(found.checks)) == (3, 6)
    assert found.alarms == pytest.approx(0.15)


def test_a_check_has_its_figure_and_what_the_blocks_can_show(judge: Judge, slower: Path) -> None:
    (said,) = as_object(judge(slower, f"{RATIO} >= 0.97 at threads = 64"))["checks"]
    assert said["load"] == 64.0
    assert said["figure"]["low"] < 0.9 < said["figure"]["high"] < 0.97
    assert said["blocks"] == 6
    assert 1.0 < said["smallest_ratio"]["blocks"] < 1.05
    assert said["smallest_ratio"]["copies"] is None  # nobody has measured equal copies here


def test_claims_of_every_kind_have_an_outcome(judge: Judge, make: Make) -> None:
    claims = {
        "tps[build=new] ~ 5000": "failed",
        "crashes[build=new] = 0 in every run": "passed",
        "p95_ms[build=new] < 10 s": "passed",
        "tps[build=new] rises over threads": "passed",
        f"{RATIO} >= 0.97 and {RATIO} <= 1.05": "passed",
    }
    study = STUDY + "".join(
        f'\n[[gate]]\nclaim = "{claim}"\n{"margin = 0.01" if "~" in claim else ""}' for claim in claims
    )
    found = judge(make(study=study))
    texts = list(claims)
    assert {(texts[one.number - 1], one.outcome) for one in found.checks} == set(claims.items())


def unjudged(found: Gated) -> str:
    """Returns the reasons of checks, none of which is judged; each has words in every language."""
    assert {one.outcome for one in found.checks} == {"unjudged"}
    assert found.outcome == "unjudged"
    chinese = as_markdown(found, "zh")
    for one in found.checks:
        said = lacks_text(one.lacks, load_words("zh"))
        assert any("\u4e00" <= letter <= "\u9fff" for letter in said), said
        assert in_markdown(said) in chinese
        assert one.why not in chinese
    return " ".join(one.why for one in found.checks)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "claim", [f"{RATIO} >= 0.5", f"{RATIO} >= 2", "crashes[build=new] <= 5 in every run"]
)
def test_a_failed_run_is_not_judged_whatever_the_others_say(judge: Judge, make: Make, claim: str) -> None:
    folder = make(study=STUDY.replace("blocks = 6", "blocks = 8"), blocks=8, fail=((3, "build=new"),))
    assert "b03-0" in (why := unjudged(judge(folder, claim)))
    assert "failed: the server went away" in why


def test_a_missing_block_is_not_judged(judge: Judge, make: Make) -> None:
    folder = make(study=STUDY.replace("blocks = 6", "blocks = 8"))
    assert "has no run in blocks 7, 8." in unjudged(judge(folder, f"{RATIO} >= 0.5"))


def test_too_few_blocks_are_not_judged(judge: Judge, make: Make) -> None:
    folder = make(study=STUDY.replace("blocks = 6", "blocks = 3"), blocks=3)
    assert "needs at least 6 blocks" in unjudged(judge(folder, f"{RATIO} >= 0.5"))


@pytest.mark.long
def test_a_treatment_that_never_ran_is_not_judged(judge: Judge, make: Make) -> None:
    study = STUDY.replace('"base", "new"]', '"base", "new", "other"]').replace(
        '/new"]]', '/new"], ["path:/o"]]'
    )
    folder = make(study=study)
    assert "build=other has no run." in unjudged(judge(folder, "tps > 1"))
    assert judge(folder, f"{RATIO} >= 0.5").outcome == "passed"  # it is not about the other


def test_an_invalid_doubt_is_not_judged(judge: Judge, make: Make) -> None:
    folder = make(truth=Truth(measure_s=4, warmup_s=1, samples=False, build="debug"))
    assert "debug" in unjudged(judge(folder, f"{RATIO} >= 0.5"))


@pytest.mark.long
def test_a_gate_whose_study_file_changed_is_not_judged(judge: Judge, slower: Path, tmp_path: Path) -> None:
    """A digit of its tolerance may be another."""
    folder = ResultsFolder(shutil.copytree(slower, tmp_path / "results"))
    text = folder.study_file.read_bytes()
    write_study_files(folder.entry, read_entry(folder), {folder.study_file: text})
    assert judge(folder.path, f"{RATIO} >= 0.5").outcome == "passed"
    folder.study_file.write_bytes(text.replace(b"blocks = 6", b"blocks = 5"))
    assert "study.toml" in unjudged(judge(folder.path, f"{RATIO} >= 0.5"))


def test_a_measure_that_is_not_there_is_not_judged(judge: Judge, slower: Path) -> None:
    assert "was not measured" in unjudged(judge(slower, "status.No_such_counter per s[build=new] >= 0"))


@pytest.mark.long
def test_results_of_another_file_of_the_server_are_not_judged(
    judge: Judge, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assay.design.study import load_measured
    from assay.experiments.gate.judging import gated_of
    from assay.experiments.lab import judged, results_folder
    from assay.results.verdict import with_hypotheses

    folder = results_folder(make(study=f'{STUDY}\n[[gate]]\nclaim = "{RATIO} >= 0.5"\n'))
    study = with_hypotheses(load_measured(folder.study_file))
    monkeypatch.setattr(server_files, "_sha256", lambda file: "of today")
    with judged(folder, study) as found:
        assert gated_of(found, folder.path, is_current=False).outcome == "passed"
        assert "is another file than the one that build=" in unjudged(
            gated_of(found, folder.path, is_current=True)
        )
    monkeypatch.setattr(
        server_files, "_sha256", lambda file: None
    )  # it is gone: nothing says that it changed
    with judged(folder, study) as found:
        assert gated_of(found, folder.path, is_current=True).outcome == "passed"


@pytest.mark.long
def test_hypotheses_of_the_study_are_no_gates(judge: Judge, make: Make) -> None:
    folder = make(study=f'{STUDY}\n[[hypothesis]]\nclaim = "{RATIO} >= 2"\n')
    found = judge(folder, f"{RATIO} >= 0.5")
    assert [one.outcome for one in found.checks] == ["passed", "passed"]


def test_a_claim_over_the_whole_ladder_is_one_check(judge: Judge, slower: Path) -> None:
    (one,) = judge(slower, "best tps[build=new] over threads is last").checks
    assert (one.load, one.outcome) == (None, "passed")


def test_without_a_gate_there_is_nothing_to_judge(judge: Judge, slower: Path) -> None:
    with pytest.raises(InputError, match="has no \\[\\[gate\\]\\]"):
        judge(slower)


def test_equal_builds_pass(judge: Judge, make: Make) -> None:
    for seed in (2, 3, 4):
        assert judge(make(seed=seed), f"{RATIO} >= 0.97").outcome == "passed"


NOISY = Truth(measure_s=4, warmup_s=1, samples=False, run_sd=0.5)


@pytest.mark.long
def test_blocks_that_cannot_show_the_tolerance_judge_nothing(judge: Judge, make: Make) -> None:
    found = judge(
        make(truth=NOISY),
        f"{RATIO} >= 0.97",
        f"{RATIO} > 0.97",
        "tps[build=base]/tps[build=new] <= 1.03",
        f"{RATIO} >= 0.97 and {RATIO} <= 1.05",
        "p95_ms[build=new]/p95_ms[build=base] <= 1.1",
    )
    assert found.gates == 5
    assert "more than the tolerance of" in unjudged(found)
    error = complaint(found)
    assert error is not None
    assert error.exit_code == 11
    assert "more blocks are unlikely" in (error.hint or "")
    for one, said in zip(found.checks, as_object(found)["checks"], strict=True):
        assert one.tolerance is not None
        assert said["smallest_ratio"]["blocks"] > said["tolerance"]


@pytest.mark.long
def test_the_blocks_that_would_show_the_tolerance_are_in_every_output(judge: Judge, make: Make) -> None:
    truth = Truth(measure_s=4, warmup_s=1, samples=False, run_sd=0.05)
    found = judge(make(truth=truth), f"{RATIO} >= 0.97 at threads = 8")
    (one,) = found.checks
    assert one.outcome == "unjudged"
    assert one.needed is not None
    assert one.needed > 6
    said = f"about {one.needed} blocks would show that"
    for text in (as_markdown(found), as_junit(found), "\n".join(annotation_lines(found)), one.why):
        assert said in text
    assert "blocks_needed{" in as_openmetrics(found)
    assert as_object(found)["checks"][0]["blocks_needed"] == one.needed
    assert f"--blocks {one.needed}" in (getattr(complaint(found), "hint", None) or "")


def test_a_claim_that_allows_no_change_or_that_blocks_decide_is_judged(judge: Judge, make: Make) -> None:
    found = judge(make(truth=NOISY), f"{RATIO} >= 2", "tps[build=new] > 1", f"{RATIO} >= 0.02")
    assert "unjudged" not in {one.outcome for one in found.checks}
