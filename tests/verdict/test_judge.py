"""Planted truths come out as the right words, with figures, and nothing is called significant by default."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.results.store import build_store, open_store
from assay.results.verdict import HypothesisVerdict, Results, judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from spoken import english

QUICK = Truth(measure_s=10, warmup_s=1)
ONE, FOUR = "innodb_purge_threads=1", "innodb_purge_threads=4"


def judged(folder: ResultsFolder) -> Results:
    build_store(folder)
    return judge(load_study(folder.study_file), open_store(folder))


def study(*claims: str, loads: str = "[1, 8]", blocks: int = 6, extra: str = "") -> str:
    head = STUDY_TOML.split("[[hypothesis]]")[0]
    head = head.replace("[1, 8, 64]", loads).replace("blocks = 6", f"blocks = {blocks}")
    return head + extra + "".join(f"\n[[hypothesis]]\nclaim = '{claim}'\n" for claim in claims)


def about(tmp_path: Path, *claims: str, effect: float = 1.2, blocks: int = 6) -> list[HypothesisVerdict]:
    toml = study(*claims, blocks=blocks)
    made = make_results(
        tmp_path, study_toml=toml, loads=(1, 8), effect=effect, blocks=blocks, truth=QUICK, seed=4
    )
    return list(judged(made).hypotheses)


@pytest.fixture(scope="module")
def better(tmp_path_factory: pytest.TempPathFactory) -> Results:
    toml = study(f"tps[{FOUR}] > tps[{ONE}]")
    path = tmp_path_factory.mktemp("better")
    return judged(make_results(path, study_toml=toml, loads=(1, 8), effect=1.2, truth=QUICK))


def test_a_planted_effect_is_called_better_in_throughput_and_in_latency(better: Results) -> None:
    words = {(c.measure, c.load): c.word for c in better.comparisons}
    assert words == {(m, load): "better" for m in ("tps", "p95_ms", "p99_ms") for load in (1.0, 8.0)}
    tps = next(c for c in better.comparisons if c.measure == "tps")
    assert tps.low < 1.2 < tps.high
    assert (tps.baseline, tps.other, tps.blocks, tps.p_value) == (ONE, FOUR, 6, 2 / 64)


def test_every_comparison_says_what_it_could_have_seen_and_how_sure_it_is_among_all(better: Results) -> None:
    for one in better.comparisons:
        assert one.detectable is not None
        assert 1 < one.detectable < 1.2
        assert one.beyond_p is not None
        assert one.q_value is not None
        assert one.beyond_p <= one.q_value < 0.05
    assert max(one.q_value or 0 for one in better.comparisons) == max(
        one.beyond_p or 0 for one in better.comparisons
    )


def test_estimates_agree_with_comparisons(better: Results) -> None:
    found = {(e.measure, e.treatment, e.load): e for e in better.estimates}
    for c in better.comparisons:
        ratio = found[c.measure, c.other, c.load].value / found[c.measure, c.baseline, c.load].value
        assert ratio == pytest.approx(c.ratio)
    assert [e.measure for e in better.estimates][:1] == ["tps"]
    tps = found["tps", ONE, 1.0]
    assert tps.low < tps.value < tps.high
    assert [block for block, _ in tps.blocks] == [1, 2, 3, 4, 5, 6]


def test_the_frame(better: Results) -> None:
    assert better.treatments == (ONE, FOUR)
    assert (better.loads, better.load_kind) == ((1.0, 8.0), "threads")
    assert (better.blocks_planned, better.blocks_complete, better.runs_failed) == (6, 6, ())


def test_explanations_are_sentences_with_figures(better: Results) -> None:
    (verdict,) = better.hypotheses
    assert verdict.outcome == "supported"
    text = english(verdict.parts[1].explanation)
    assert text.startswith(f"tps of {FOUR} is 1.")
    assert "95 % interval" in text
    assert "6 blocks" in text
    assert "at 8 threads" in text


@pytest.mark.long
def test_parts_name_their_treatments(tmp_path: Path, better: Results) -> None:
    (verdict,) = better.hypotheses
    assert [(part.load, part.treatments) for part in verdict.parts] == [(1, (FOUR, ONE)), (8, (FOUR, ONE))]
    (level,) = about(tmp_path, "p95_ms < 100 s", blocks=2)
    assert sorted({part.treatments for part in level.parts}) == [(ONE,), (FOUR,)]


def test_nothing_differs_and_so_it_says(tmp_path: Path) -> None:
    quiet = Truth(measure_s=10, warmup_s=0, run_sd=0.001, second_sd=0.005)
    found = judged(make_results(tmp_path, study_toml=study(), loads=(1, 8), truth=quiet, seed=2))
    assert {c.word for c in found.comparisons if c.measure == "tps"} == {"same"}
    assert not {c.word for c in found.comparisons} & {"better", "worse"}


def test_noise_leaves_it_undecided_and_says_what_would_settle_it(tmp_path: Path) -> None:
    noisy = Truth(measure_s=3, warmup_s=0, run_sd=0.08)
    toml = study(f"tps[{FOUR}] > tps[{ONE}]", loads="[1]")
    found = judged(make_results(tmp_path, study_toml=toml, loads=(1,), effect=1.08, truth=noisy, seed=3))
    tps = found.comparisons[0]
    assert tps.word == "more"
    assert tps.more_blocks is not None
    assert tps.more_blocks > 0
    part = found.hypotheses[0].parts[0]
    assert (part.outcome, part.more_blocks is not None) == ("undecided", True)
    assert "more blocks would probably settle it" in english(part.explanation)


@pytest.mark.long
def test_a_hypothesis_and_the_comparison_it_names_have_one_margin(tmp_path: Path) -> None:
    toml = study(f"tps[{FOUR}] ~ tps[{ONE}]", loads="[1]") + "margin = 0.1\n"
    quiet = Truth(measure_s=3, warmup_s=0)
    found = judged(make_results(tmp_path, study_toml=toml, loads=(1,), effect=1.05, truth=quiet))
    assert found.hypotheses[0].outcome == "supported"
    named = {c.measure: (c.word, c.margin) for c in found.comparisons}
    assert named["tps"] == ("same", 0.1)
    assert named["p95_ms"][1] == 0.02


@pytest.mark.long
def test_three_blocks_are_an_estimate_only(tmp_path: Path) -> None:
    (verdict,) = about(tmp_path, f"tps[{FOUR}] > tps[{ONE}]", effect=2.0, blocks=3)
    assert verdict.outcome == "undecided"
    assert verdict.parts[0].more_blocks == 3
    assert "an estimate only" in english(verdict.explanation)
    found = judged(ResultsFolder(tmp_path))
    assert {c.word for c in found.comparisons} == {"estimate-only"}
    assert {c.more_blocks for c in found.comparisons} == {3}
    assert "few-blocks" in {d.kind for d in found.doubts}


def test_one_block_says_nothing_about_noise_and_so_not_how_many_more_would_settle_it(tmp_path: Path) -> None:
    claims = (f"tps[{FOUR}] > tps[{ONE}]", f"tps[{FOUR}] ~ tps[{ONE}]", f"p95_ms[{FOUR}] < 100 s")
    for verdict in about(tmp_path, *claims, effect=2.0, blocks=1):
        assert (verdict.more_blocks, verdict.too_many_blocks) == (None, False)
    assert {c.more_blocks for c in judged(ResultsFolder(tmp_path)).comparisons} == {None}


def test_every_kind_of_claim(tmp_path: Path) -> None:
    claims = {
        f"tps[{FOUR}] > tps[{ONE}]": "supported",
        f"tps[{FOUR}] < tps[{ONE}]": "refuted",
        f"p95_ms[{FOUR}] < p95_ms[{ONE}]": "supported",
        f"tps[{FOUR}] ~ tps[{ONE}]": "refuted",
        f"qps[{FOUR}]/qps[{ONE}] >= 1.15": "supported",
        f"qps[{FOUR}]/qps[{ONE}] > 1.15": "supported",
        f"qps[{FOUR}]/qps[{ONE}] <= 1.15": "refuted",
        f"qps[{FOUR}]/qps[{ONE}] < 1.25": "supported",
        f"qps[{FOUR}]/qps[{ONE}] >= 1000": "refuted",
        f"qps[{FOUR}, threads=8]/qps[{FOUR}, threads=1] >= 2": "supported",
        f"tps[{FOUR}, threads=1] > tps[{ONE}, threads=8]": "refuted",
        f"p95_ms[{FOUR}, threads=1] < 1 s": "supported",
        "p95_ms > 1 s": "refuted",
        "p99_ms[threads=1] >= 0.1 ms": "supported",
        f"errors_per_s[{FOUR}] ~ errors_per_s[{ONE}]": "supported",  # zero on both sides
        f"errors_per_s[{FOUR}] > errors_per_s[{ONE}]": "refuted",
        "errors_per_s <= 0": "supported",
    }
    found = about(tmp_path, *claims)
    assert {v.claim: v.outcome for v in found} == claims
    assert [len(v.parts) for v in found][-6:] == [1, 4, 2, 2, 2, 4]


@pytest.mark.long
def test_a_figure_inside_the_interval_is_undecided(tmp_path: Path) -> None:
    found = about(tmp_path, f"tps[{FOUR}]/tps[{ONE}] > 1.2", f"tps[{FOUR}]/tps[{ONE}] ~ 1.2")
    assert [v.outcome for v in found] == ["undecided", "supported"]


def test_a_claim_holds_at_every_rung_or_not_at_all(tmp_path: Path) -> None:
    toml = study("tps < 2000")
    found = judged(make_results(tmp_path, study_toml=toml, loads=(1, 8), truth=QUICK)).hypotheses[0]
    assert [part.outcome for part in found.parts] == ["supported", "refuted"] * 2
    assert found.outcome == "refuted"
    assert "2 supported, 2 refuted" in english(found.explanation)


def test_a_rung_that_was_not_measured_is_undecided(tmp_path: Path) -> None:
    toml = study(f"tps[{FOUR}] > tps[{ONE}]", loads="[1, 8]")
    found = judged(make_results(tmp_path, study_toml=toml, loads=(1,), effect=1.5, truth=QUICK))
    assert found.hypotheses[0].outcome == "undecided"
    assert "not measured" in english(found.hypotheses[0].parts[1].explanation)


@pytest.mark.long
def test_a_failed_run_takes_its_block_out_of_the_pair(tmp_path: Path) -> None:
    toml = study(f"tps[{FOUR}] > tps[{ONE}]")
    made = make_results(tmp_path, study_toml=toml, loads=(1, 8), effect=1.2, truth=QUICK, fail=[(3, FOUR)])
    found = judged(made)
    assert {c.blocks for c in found.comparisons} == {5}
    assert {c.word for c in found.comparisons} == {"estimate-only"}
    assert (found.blocks_complete, len(found.runs_failed)) == (5, 1)
    assert {"failed-run", "missing-blocks"} <= {d.kind for d in found.doubts}


@pytest.mark.long
def test_what_holds_in_every_run_is_not_said_of_runs_that_failed(tmp_path: Path) -> None:
    toml = study("tps > 1 in every run", loads="[1]")
    made = make_results(tmp_path, study_toml=toml, loads=(1, 8), truth=QUICK, fail=[(3, FOUR)])
    (found,) = judged(made).hypotheses
    assert found.outcome == "supported"
    whole, broken = found.parts
    assert (whole.blocks, broken.blocks) == (6, 5)
    assert english(broken.explanation).endswith(" 1 run failed and is not among them.")
    assert "failed" not in english(whole.explanation)
    assert "failed-run" in broken.doubts
    assert "failed-run" in found.doubts
    assert "failed-run" not in whole.doubts


@pytest.mark.long
def test_two_factors_are_compared_where_all_else_is_equal(tmp_path: Path) -> None:
    extra = '[[factor]]\nname = "server.variables.innodb_flush_neighbors"\nlevels = [0, 1]\n\n'
    toml = study("tps[innodb_purge_threads=4] > tps[innodb_purge_threads=1]", loads="[8]", extra=extra)
    treatments = {
        f"innodb_purge_threads={p},innodb_flush_neighbors={n}": {
            "server.variables.innodb_purge_threads": p,
            "server.variables.innodb_flush_neighbors": n,
        }
        for n in (1, 0)
        for p in (4, 1)
    }
    effect = {name: 1.2 if "purge_threads=4" in name else 1.0 for name in treatments}
    made = make_results(
        tmp_path, study_toml=toml, treatments=treatments, loads=(8,), effect=effect, truth=QUICK
    )
    found = judged(made)
    assert found.treatments[0] == "innodb_purge_threads=1,innodb_flush_neighbors=0"
    assert [t[21] + t[-1] for t in found.treatments] == ["10", "11", "40", "41"]
    (verdict,) = found.hypotheses
    assert [part.outcome for part in verdict.parts] == ["supported"] * 2
    assert "innodb_purge_threads=4,innodb_flush_neighbors=1" in english(verdict.parts[1].explanation)
    pairs = {(c.baseline, c.other) for c in found.comparisons if c.measure == "tps"}
    assert len(pairs) == 4  # three against the first, and the pair that the hypothesis names


def test_no_run_at_all(tmp_path: Path) -> None:
    made = make_results(tmp_path, study_toml=study(f"tps[{FOUR}] > tps[{ONE}]"), blocks=0)
    found = judged(made)
    assert (found.treatments, found.estimates, found.comparisons) == ((), (), ())
    assert english(found.hypotheses[0].explanation) == "No run matches the claim."


@pytest.mark.long
def test_the_run_queue_is_that_of_the_window_and_remembers_nothing(tmp_path: Path) -> None:
    toml = study("run_queue[threads=8] < 6", "run_queue > 4")
    found = judged(make_results(tmp_path, study_toml=toml, loads=(1, 8), truth=QUICK))
    assert [verdict.outcome for verdict in found.hypotheses] == ["supported", "supported"]
    assert {one.value for one in found.estimates if one.measure == "run_queue"} == {5.0}
