"""What a study file may say, and what becomes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.base.format import job
from assay.design.study import ComparisonClaim, Warmup, load_study, parse_study
from assay.design.study.arrivals import at_rate, kind_of
from assay.design.study.claims import Figure
from pydantic import ValidationError

from studies import FILE, VALID, changed, read, valid

ROOT = Path(__file__).parents[2]


def test_every_part_arrives_typed() -> None:
    study = valid()
    assert study.name == "a"
    assert study.server.use == "mariadb"
    assert study.server.variables == {"innodb_buffer_pool_size": "1G"}
    assert study.workload.use == "oltp_read_write"
    assert study.workload.options == {"tables": 4}
    assert study.load.threads == (1, 8, 64)
    assert study.load.kind == "threads"
    assert study.load.rungs == (1.0, 8.0, 64.0)
    assert study.load.measure_s == 10.0
    assert [factor.levels for factor in study.factors] == [(1, 4), (True, False)]
    assert study.design.blocks == 6
    assert study.verdict.margin == 0.02


def test_a_claim_is_resolved_to_full_names_and_the_studys_own_levels() -> None:
    left = valid().hypotheses[0].terms[0]
    assert left.selector.levels == (("server.variables.innodb_purge_threads", 4),)
    assert type(left.selector.levels[0][1]) is int


@pytest.mark.parametrize("word", ["on", "true", "1"])
def test_a_level_that_is_true_has_several_spellings(word: str) -> None:
    text = changed(
        "tps[innodb_purge_threads=4] > tps[innodb_purge_threads=1]",
        f"tps[schema.index={word}] > tps[index=off]",
    )
    left, right = read(text).hypotheses[0].terms
    assert left.selector.levels == (("schema.index", True),)
    assert right.selector.levels == (("schema.index", False),)


@pytest.mark.parametrize(
    ("written", "seconds"), [('"500ms"', 0.5), ('"60s"', 60), ('"2m"', 120), ('"1h"', 3600), ('"1.5s"', 1.5)]
)
def test_lengths_of_time(written: str, seconds: float) -> None:
    assert read(changed('"10s"', written)).load.measure_s == seconds


@pytest.mark.parametrize(
    ("written", "warmup"),
    [
        ("until-steady", Warmup(kind="until-steady", seconds=120)),
        ("until-steady <= 45s", Warmup(kind="until-steady", seconds=45)),
        ("30s", Warmup(kind="fixed", seconds=30)),
        ("0s", Warmup(kind="none")),
        ("none", Warmup(kind="none")),
    ],
)
def test_warmups(written: str, warmup: Warmup) -> None:
    assert read(changed('"5s"', f'"{written}"')).load.warmup == warmup


def test_an_open_loop() -> None:
    load = read(changed("threads = [1, 8, 64]", 'rate = [500, 1000]\narrivals = "constant"')).load
    assert (load.kind, load.rungs, load.threads) == ("rate", (500.0, 1000.0), None)
    assert load.arrivals == "constant"


WAVE = '{ kind = "wave", mean = 1, amplitude = 0.5, period_ms = 60_000 }'


def test_a_shape_of_the_engine_is_a_shape_of_a_study() -> None:
    load = read(changed("threads = [1, 8, 64]", f"rate = [500, 1000]\narrivals = {WAVE}")).load
    wave = {"kind": "wave", "mean": 1, "amplitude": 0.5, "period_ms": 60_000}
    assert load.arrivals == wave
    assert kind_of(load.arrivals) == "wave"
    shape = job.WaveArrivals(mean=1, amplitude=0.5, period_ms=60_000)
    assert at_rate(load.arrivals, load.rungs[0]) == job.ScaledArrivals(rate=500.0, shape=shape)
    assert at_rate("poisson", 500.0) == job.PoissonArrivals(rate=500.0)


@pytest.mark.parametrize(
    "value", ['"1G"', '"128M"', "2", "0.5", "true", '"O_DIRECT"', '"READ-COMMITTED"', '""']
)
def test_values_of_server_variables(value: str) -> None:
    assert read(changed('"1G"', value)).server.variables


def test_the_first_level_of_server_use_stands_for_the_server() -> None:
    text = (
        changed('use = "mariadb"\n', "") + '[[factor]]\nname = "server.use"\nlevels = ["mysql", "mariadb"]\n'
    )
    assert read(text).server.use == "mysql"


def test_a_title_may_be_one_string() -> None:
    assert read(changed('name = "a"', 'name = "a"\ntitle = "One"')).title == {"en": "One"}


@pytest.mark.parametrize(
    "claim",
    [
        "tps[innodb_purge_threads=4] >= 5",
        "tps[innodb_purge_threads=4] = 5 in every run",
        "tps[innodb_purge_threads=4]/tps[innodb_purge_threads=1] >= 1",
        "best tps over innodb_purge_threads = 4",
        "crossover tps[innodb_purge_threads=4], tps[innodb_purge_threads=1] over threads = 8..64",
        "bottleneck = cpu",
    ],
)
def test_a_margin_that_changes_nothing_is_refused_but_in_results_of_earlier(claim: str) -> None:
    text = changed("tps[innodb_purge_threads=4] > tps[innodb_purge_threads=1]", claim) + "margin = 0.05\n"
    with pytest.raises(
        InputError, match=r"hypothesis\[0\]\.margin: has no effect here: a comparison with a figure"
    ):
        read(text)
    (hypothesis,) = parse_study(text, FILE, measured=True).hypotheses
    assert hypothesis.text == claim


@pytest.mark.parametrize(
    "claim",
    [
        "tps[innodb_purge_threads=4] ~ 5",
        "tps[innodb_purge_threads=4]/tps[innodb_purge_threads=1] ~ 1",
        "tps[innodb_purge_threads=4] >= tps[innodb_purge_threads=1]",
    ],
)
def test_a_margin_that_counts_is_taken(claim: str) -> None:
    text = changed("tps[innodb_purge_threads=4] > tps[innodb_purge_threads=1]", claim) + "margin = 0.05\n"
    assert read(text).hypotheses[0].margin == 0.05


def test_margin_source_and_rungs_of_a_hypothesis() -> None:
    study = read(VALID + 'margin = 0.05\nsource = "somebody"\nat = [8, 64]\n')
    hypothesis = study.hypotheses[0]
    assert (hypothesis.margin, hypothesis.source, hypothesis.at) == (0.05, {"en": "somebody"}, (8.0, 64.0))


def test_fairness_is_reported_unless_the_study_demands_it() -> None:
    assert valid().design.fair == "report"
    assert read(changed("blocks = 6", 'blocks = 6\nfair = "strict"')).design.fair == "strict"


def test_the_workload_may_be_a_factor() -> None:
    factor = '\n[[factor]]\nname = "workload.use"\nlevels = ["oltp_point_select", "oltp_read_write"]\n'
    study = read(changed('use = "oltp_read_write"\n', "") + factor)
    assert study.workloads == ("oltp_point_select", "oltp_read_write")
    assert study.workload.use == "oltp_point_select"
    assert valid().workloads == ("oltp_read_write",)


def test_a_unit_is_turned_into_the_measures_own() -> None:
    study = read(VALID + '[[hypothesis]]\nclaim = "p99[index=on] < 2 s"\n')
    (claim,) = study.hypotheses[1].claims
    (part,) = claim.parts
    assert isinstance(part, ComparisonClaim)
    assert part.terms[0].measure == "p99_ms"
    assert part.sides[1] == Figure(2000.0)


def test_a_study_does_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        valid().name = "b"  # type: ignore[misc]


@pytest.mark.parametrize("path", sorted((ROOT / "studies").glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_studies(path: Path) -> None:
    study = load_study(path)
    assert study.name == path.stem
    assert set(study.title) == {"en", "zh"}
    assert study.hypotheses
    assert all(hypothesis.source for hypothesis in study.hypotheses)
    assert study.design.blocks >= 6
