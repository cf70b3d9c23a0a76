"""What differs where treatments differ is found among many counters, and where nothing does, nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from assay.design.study import Study, load_study
from assay.results.stats import Gate
from assay.results.verdict.compared import Reason
from assay.results.verdict.data_loads import DataLoads
from assay.results.verdict.observations import Observations
from assay.results.verdict.reasons import MAIN_COSTS, differing
from assay.results.verdict.treatments import Treatment
from assay.testing.results_folder import FACTOR, STUDY_TOML, TREATMENTS

A, B = TREATMENTS
BOTH = [Treatment(name, {FACTOR: str(levels[FACTOR])}) for name, levels in TREATMENTS.items()]
FSYNCS, ROWS = "Innodb_data_fsyncs_per_query", "Handler_read_rnd_next_per_query"
CPU, GENERATOR = "server_cpu_us_per_query", "generator_cpu_us_per_query"
OTHERS = tuple(f"Counter_{number}_per_query" for number in range(50))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    file = tmp_path_factory.mktemp("study") / "study.toml"
    file.write_text(STUDY_TOML, encoding="utf-8")
    return load_study(file)


def counted(
    seed: int, planted: Mapping[str, float], blocks: int = 6, loads: tuple[float, ...] = (8.0,)
) -> Observations:
    """Counters with noise of many kinds: of blocks, of runs, few events, rare bursts, constants, zeros."""
    random = np.random.default_rng(seed)
    values: dict[tuple[str, str, float], dict[int, float]] = {}
    for place, measure in enumerate((*MAIN_COSTS, ROWS, *OTHERS)):
        level = float(np.exp(random.normal(0, 4)))
        noise, is_constant = float(random.choice([0.003, 0.02, 0.08])), place % 17 == 5
        for load in loads:
            of_blocks = np.exp(random.normal(0, 0.05, blocks))
            for treatment in (A, B):
                found = level * of_blocks * np.exp(random.normal(0, noise, blocks))
                if place % 7 == 3:  # a few events in a window
                    found = random.poisson(2.0, blocks) / 10_000
                if place % 11 == 4:
                    found = found * np.where(random.random(blocks) < 0.2, 30, 1)
                if is_constant:
                    found = np.full(blocks, level)
                if place % 19 == 6:
                    found = np.zeros(blocks)
                if treatment == B:
                    found = found * planted.get(measure, 1.0)
                values[measure, treatment, load] = dict(enumerate(found.tolist(), start=1))
    return Observations(values, {})


def found_in(study: Study, seen: Observations, loads: tuple[float, ...] = (8.0,)) -> tuple[Reason, ...]:
    (one,) = differing(study, seen, BOTH, loads, Gate.of(0.95))
    return one.reasons


@pytest.mark.long
def test_where_nothing_differs_a_line_is_claimed_in_at_most_five_of_a_hundred(study: Study) -> None:
    named = sum(bool(found_in(study, counted(seed, {}))) for seed in range(60))
    assert named <= 0.05 * 60 + 2 * (0.05 * 0.95 * 60) ** 0.5


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("measure", "factor"), [(FSYNCS, 47.0), (ROWS, 1 / 70_000), (CPU, 1.6), (CPU, 0.5)])
def test_what_alone_differs_is_named_first(study: Study, measure: str, factor: float) -> None:
    for seed in range(20):
        seen = counted(seed, {measure: factor})
        first, *_ = found_in(study, seen)
        assert first.measure == measure, seed
        assert first.after / first.before == pytest.approx(factor, rel=0.3)
        assert first.low <= first.change <= first.high


def test_a_tenth_more_processor_time_is_seen_among_hundreds_of_counters(study: Study) -> None:
    random = np.random.default_rng(3)
    hits = 0
    for seed in range(10):
        seen = counted(seed, {})
        cpu = {block: 100 * float(np.exp(random.normal(0, 0.015))) for block in range(1, 7)}
        more = {block: value * 1.1 * float(np.exp(random.normal(0, 0.015))) for block, value in cpu.items()}
        values = {**seen.values, (CPU, A, 8.0): cpu, (CPU, B, 8.0): more}
        hits += CPU in [one.measure for one in found_in(study, replace(seen, values=values))]
    assert hits >= 8


def test_what_counts_one_thing_twice_is_one_line(study: Study) -> None:
    seen = counted(1, {FSYNCS: 3.0})
    twice = {(f"twice_{FSYNCS}", *key[1:]): of for key, of in seen.values.items() if key[0] == FSYNCS}
    doubled = {key: {block: 2 * value for block, value in of.items()} for key, of in twice.items()}
    (first, *rest) = found_in(study, replace(seen, values={**seen.values, **doubled}))
    assert {first.measure, *first.alike} == {FSYNCS, f"twice_{FSYNCS}"}
    assert not rest


@pytest.mark.parametrize("values", [(0.0, 0.5), (0.5, 0.0)])
def test_something_against_nothing_has_no_ratio_and_is_named(
    study: Study, values: tuple[float, float]
) -> None:
    seen = counted(1, {})
    sides = {
        (ROWS, side, 8.0): {block: value * (1 + block / 100) for block in range(1, 7)}
        for side, value in zip((A, B), values, strict=True)
    }
    first, *_ = found_in(study, replace(seen, values={**seen.values, **sides}))
    assert first.measure == ROWS
    assert first.change == pytest.approx(2.0 if values[0] == 0 else -2.0)


@pytest.mark.parametrize("blocks", [1, 2, 5])
def test_too_few_blocks_name_nothing(study: Study, blocks: int) -> None:
    (one,) = differing(study, counted(1, {FSYNCS: 100.0}, blocks), BOTH, (8.0,), Gate.of(0.95))
    assert (one.compared, one.reasons) == ((), ())


def test_windows_that_bar_any_verdict_compare_nothing(study: Study) -> None:
    barred = replace(counted(1, {FSYNCS: 100.0}), barred=("debug-build",))
    (one,) = differing(study, barred, BOTH, (8.0,), Gate.of(0.95))
    assert (one.compared, one.reasons) == ((), ())


def test_what_was_compared_and_does_not_differ_is_known(study: Study) -> None:
    (one,) = differing(study, counted(1, {}), BOTH, (8.0,), Gate.of(0.95))
    assert one.reasons == ()
    assert set(one.compared) == {*MAIN_COSTS, ROWS, *OTHERS} - {GENERATOR}


def test_the_luck_of_a_load_of_data_is_no_reason(study: Study) -> None:
    """Six blocks over three loads of each dataset: the luck of a load is 8 %, that of a run 0.3 %."""
    random = np.random.default_rng(7)
    named = 0
    for _ in range(40):
        values = {}
        for side in (A, B):
            of_loads = np.exp(random.normal(0, 0.08, 3))
            runs = [of_loads[block % 3] * np.exp(random.normal(0, 0.003)) for block in range(6)]
            values[CPU, side, 8.0] = {block: float(value) for block, value in enumerate(runs, start=1)}
        data = {
            side: {block: frozenset({f"{side}-{(block - 1) % 3}"}) for block in range(1, 7)}
            for side in (A, B)
        }
        seen = Observations(values, {}, data=DataLoads(data))
        named += bool(found_in(study, seen))
    assert named <= 5


def test_load_points_are_taken_together_and_figures_are_of_the_highest(study: Study) -> None:
    loads = (1.0, 8.0, 64.0)
    seen = counted(5, {FSYNCS: 2.0}, loads=loads)
    first, *_ = found_in(study, seen, loads)
    assert (first.measure, first.load) == (FSYNCS, 64.0)
    assert first.before == pytest.approx(np.mean(list(seen.values[FSYNCS, A, 64.0].values())))


RATES = {A: 500.0, B: 2000.0}  # queries a second


def at_rates(per_second: Mapping[str, float], per_query: Mapping[str, float]) -> Observations:
    """Two treatments of which one is four times as fast, with counters that go by the clock or by work."""
    random = np.random.default_rng(11)
    noise = {(side, block): float(np.exp(random.normal(0, 0.01))) for side in (A, B) for block in range(1, 7)}
    values = {
        ("qps", side, 8.0): {block: rate * noise[side, block] for block in range(1, 7)}
        for side, rate in RATES.items()
    }
    for side, rate in RATES.items():
        for measure, each in per_second.items():
            values[measure, side, 8.0] = {
                block: each * float(np.exp(random.normal(0, 0.01))) / (rate * noise[side, block])
                for block in range(1, 7)
            }
        for measure, each in per_query.items():
            values[measure, side, 8.0] = dict.fromkeys(range(1, 7), each)
    return Observations(values, {})


def test_what_goes_by_the_clock_is_no_reason(study: Study) -> None:
    """A sampler's statements and a server's own threads cost a fast operation less than a slow one."""
    seen = at_rates({"Com_show_status_per_query": 1.0, "Handler_tmp_write_per_query": 620.0, FSYNCS: 2.0}, {})
    assert found_in(study, seen) == ()
    assert found_in(study, at_rates({GENERATOR: 1e6}, {})) == ()


def test_what_is_used_up_is_a_reason_although_it_is_as_much_a_second(study: Study) -> None:
    """Both sides keep the processors busy, read as many rows as they can, and flush as often as the disk
    can.
    """
    seen = at_rates({CPU: 2e6, ROWS: 8e6, FSYNCS: 900.0}, {"Com_select_per_query": 1.0})
    assert {one.measure for one in found_in(study, seen)} == {CPU, ROWS, FSYNCS}


@pytest.mark.parametrize(
    ("names", "figures"),
    [
        ((ROWS, "Rows_read_per_query"), ((20_048.0, 0.12), (19_826.0, 77.0))),
        ((FSYNCS, "Innodb_os_log_fsyncs_per_query"), ((0.5, 0.02), (0.43, 0.017))),
        (("Innodb_data_reads_per_query", "Innodb_buffer_pool_reads_per_query"), ((3.0, 1.0), (2.7, 0.9))),
    ],
)
def test_names_of_one_thing_are_one_line(
    study: Study, names: tuple[str, str], figures: tuple[tuple[float, float], ...]
) -> None:
    random = np.random.default_rng(2)
    values = {
        (name, side, 8.0): {block: value * float(np.exp(random.normal(0, 0.01))) for block in range(1, 7)}
        for name, of in zip(names, figures, strict=True)
        for side, value in zip((A, B), of, strict=True)
    }
    (first,) = found_in(study, Observations(values, {}))
    assert {first.measure, *first.alike} == set(names)
    assert first.ratio == pytest.approx(first.after / first.before, rel=0.05)
    assert first.ratio_low is not None
    assert first.ratio_high is not None
    assert first.ratio_low <= first.ratio <= first.ratio_high


def test_of_exact_counters_the_large_one_comes_first(study: Study) -> None:
    """A counter without any noise is not more of a reason than one that is known to a hundredth."""
    random = np.random.default_rng(4)
    rows = {block: 20_048 * float(np.exp(random.normal(0, 0.002))) for block in range(1, 7)}
    values = {
        (ROWS, A, 8.0): rows,
        (ROWS, B, 8.0): dict.fromkeys(range(1, 7), 0.12),
        ("Handler_read_key_per_query", A, 8.0): dict.fromkeys(range(1, 7), 0.0),
        ("Handler_read_key_per_query", B, 8.0): dict.fromkeys(range(1, 7), 1.0),
    }
    first, *_ = found_in(study, Observations(values, {}))
    assert first.measure == ROWS
