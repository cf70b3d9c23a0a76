"""A closed loop that stands still for seconds has no word in favour of its percentiles."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.results.store import build_store, open_store
from assay.results.verdict import Results, judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from spoken import english

BASE, OTHER = "innodb_purge_threads=1", "innodb_purge_threads=4"
CLAIMS = (
    "p99_ms[innodb_purge_threads=4] <= p99_ms[innodb_purge_threads=1]",
    "p95_ms[innodb_purge_threads=4] ~ p95_ms[innodb_purge_threads=1]",
    "p99_ms[innodb_purge_threads=4] < 1 s",
    "max_ms[innodb_purge_threads=4] < 10 s in every run",
    "p99_ms[innodb_purge_threads=4] < 1 s in last 10s",
)
LOADS = STUDY_TOML.split("[[hypothesis]]")[0].replace("[1, 8, 64]", "[8]")
STUDY = LOADS + "".join(f'[[hypothesis]]\nclaim = "{claim}"\n' for claim in CLAIMS)
QUIET = Truth(run_sd=0.002, block_sd=0.01, second_sd=0.01, latency_sigma=0.2, base_tps=4000.0, samples=False)
Stalled = Callable[[int, int], bool]  # block, second


def stalling(path: Path, stalled: Stalled, treatments: tuple[str, ...] = (OTHER,)) -> ResultsFolder:
    """Results of which these seconds are empty in every run of these treatments."""
    folder = make_results(path, study_toml=STUDY, loads=(8,), truth=QUIET)
    for run in folder.finished_runs():
        entry = json.loads(run.manifest.read_text())
        if entry["treatment"] in treatments:
            events = run.rung(1, "threads", 8).events
            lines = [json.loads(line) for line in events.read_text().splitlines()]
            for event in lines:
                is_second = event["event"] == "interval" and event["phase"] == "measure"
                if is_second and stalled(entry["block"], event["index"]):
                    event.update(transactions=0, queries=0, labels={})
            events.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder


def judged_of(folder: ResultsFolder) -> Results:
    build_store(folder)
    with open_store(folder) as store:
        return judge(load_study(folder.study_file), store)


def words(results: Results) -> dict[str, str]:
    return {one.measure: one.word for one in results.comparisons}


def test_without_a_stall_there_are_words(tmp_path: Path) -> None:
    found = judged_of(stalling(tmp_path, lambda block, second: False))
    assert words(found) == {"tps": "same", "p95_ms": "same", "p99_ms": "same"}
    assert {one.outcome for one in found.hypotheses} == {"supported"}
    assert {one.stalled_pct for one in found.comparisons if one.measure != "tps"} == {(0.0, 0.0)}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("stalled", "of"),
    [
        (lambda block, second: second % 8 == 7, (OTHER,)),
        (lambda block, second: second in (9, 10), (BASE, OTHER)),
        (lambda block, second: second == 3 * block % 20, (OTHER,)),
        (lambda block, second: block == 2 and second in (4, 5), (OTHER,)),
        (lambda block, second: second == 6, (BASE,)),
    ],
    ids=["each eighth second", "two on end of both", "one anywhere", "in one block", "the baseline's"],
)
def test_stalled_seconds_take_the_words_in_favour(
    tmp_path: Path, stalled: Stalled, of: tuple[str, ...]
) -> None:
    found = judged_of(stalling(tmp_path, stalled, of))
    tails = [one for one in found.comparisons if one.measure != "tps"]
    assert {one.word for one in tails} == {"undecided"}
    assert all("stalled" in one.doubts for one in found.comparisons)
    if OTHER in of:
        assert [one.outcome for one in found.hypotheses] == ["undecided"] * len(CLAIMS)
        assert "stood still" in english(found.hypotheses[0].explanation)


def test_the_corrected_percentile_is_the_stall(tmp_path: Path) -> None:
    found = judged_of(stalling(tmp_path, lambda block, second: second % 8 == 7))
    (p99,) = [one for one in found.comparisons if one.measure == "p99_ms"]
    assert p99.stalled_pct == (0.0, 10.0)
    assert p99.corrected_ms is not None
    before, after = p99.corrected_ms
    assert before is not None
    assert after is not None
    assert before < 10
    assert 800 < after <= 1000  # 10 % of the time, waits even up to a second: p99 is at nine tenths


def test_a_stalled_treatment_may_still_be_worse(tmp_path: Path) -> None:
    folder = stalling(tmp_path, lambda block, second: second == 9)
    for run in folder.finished_runs():
        if json.loads(run.manifest.read_text())["treatment"] == BASE:
            events = run.rung(1, "threads", 8).events
            lines = events.read_text().splitlines()
            result = json.loads(lines[-1])
            result["labels"] = {"transaction": result["labels"]["point_select"]}
            events.write_text("\n".join([*lines[:-1], json.dumps(result)]) + "\n", encoding="utf-8")
    assert words(judged_of(folder))["p99_ms"] == "worse"
