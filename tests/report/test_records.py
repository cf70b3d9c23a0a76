"""Records: right figures in plain rows."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from assay.base.tally import EDGES_MS
from assay.reporting.report.charts.sentences import SENTENCES
from assay.reporting.report.material import Material
from assay.reporting.report.records.costs import costs, headline
from assay.reporting.report.records.curves import blocks, curve
from assay.reporting.report.records.distribution import BEYOND, chosen_loads, spectrum
from assay.reporting.report.records.errors import error_records
from assay.reporting.report.records.facts import differences, environment
from assay.reporting.report.records.heat import COLUMNS, FEWEST, heat
from assay.reporting.report.records.order import order
from assay.reporting.report.records.paired import paired, pairs
from assay.reporting.report.records.ridge import ridge, trail_loads, trails
from assay.reporting.report.records.runs import run_records
from assay.reporting.report.records.spread import MOST, seconds, spreads
from assay.reporting.report.records.timeline import machine_timeline, timeline, typical_block
from assay.reporting.report.records.trade import trade
from assay.results.verdict import Reason
from assay.testing.histograms import EDGES, encode_hdr
from synthetic import VARIABLE, make_material


def test_a_curve_has_every_treatment_and_load_in_the_study_s_order(material: Material) -> None:
    points = curve(material, "tps")
    assert [(p.treatment, p.load) for p in points] == [
        (treatment, load) for treatment in material.results.treatments for load in material.results.loads
    ]
    assert all(p.low is not None and p.low < p.value < (p.high or 0) for p in points)
    assert len(blocks(material, "tps")) == len(points) * 6


def test_spectra_rise_and_stop_where_too_few_operations_lie_beyond(material: Material) -> None:
    points = [p for p in spectrum(material) if p.load == 64 and p.treatment == material.results.treatments[0]]
    assert all(a.ms <= b.ms and a.one_in < b.one_in for a, b in itertools.pairwise(points))
    assert points[-1].operations / points[-1].one_in >= BEYOND
    p95 = min(points, key=lambda p: abs(p.quantile - 0.95)).ms
    estimate = material.estimate(points[0].treatment, 64, "mean_ms")
    assert estimate is not None
    assert p95 > estimate.value


def test_three_loads_are_chosen_of_many() -> None:
    assert chosen_loads((1, 4, 16, 64, 256)) == (1, 16, 256)
    assert chosen_loads((8,)) == (8,)


def test_the_time_line_takes_one_block_for_all_and_marks_warm_up(material: Material) -> None:
    block = typical_block(material, 64)
    assert block in range(1, 7)
    points = timeline(material, 64, block or 0)
    assert {p.treatment for p in points} == set(material.results.treatments)
    assert {p.panel for p in points} == {"tps", "p95", "cpu", "processes", "dirty", "disk"}
    assert all(p.warmup == (p.t_s < 0) for p in points)
    assert len({p.run_id for p in points}) == 2
    details = machine_timeline(material, 64, block or 0)
    assert {p.panel for p in details} == {"tps", "switches"}


def test_server_and_generator_are_lines_of_their_own(material: Material) -> None:
    points = [p for p in timeline(material, 64, typical_block(material, 64) or 0) if p.panel == "processes"]
    assert {p.series for p in points} == {"server", "generator"}
    assert {p.unit for p in points} == {"cores"}
    server = [p.value for p in points if p.series == "server"]
    assert sum(server) / len(server) == pytest.approx(1.1, rel=0.1)  # user and system


def test_disks_have_a_line_each_where_several_are_at_work(tmp_path: Path) -> None:
    material = make_material(tmp_path)

    def add(name: str, value: str) -> None:
        material.store.execute(
            f"insert into rates select * replace ('{name}' as name, {value} as value)"
            " from rates where source = 'disks' and name = 'vda.write_bytes'"
        )

    def lines(panel: str) -> dict[str, set[float]]:
        points = [p for p in timeline(material, 64, 1) if p.panel == panel]
        return {name: {p.value for p in points if p.series == name} for name in {p.series for p in points}}

    add("sr0.write_bytes", "0")
    assert set(lines("disk")) == {"disk"}  # what is idle gets no line
    for disk, time_us in (("vda", 2e6), ("dm-0", 6e6)):
        add(f"{disk}.write_time_us", f"{time_us}")
        add(f"{disk}.writes", "1000")
    assert lines("disk_wait") == {"vda": {2.0}, "dm-0": {6.0}}
    material.store.close()


def test_a_silent_panel_is_drawn_once_something_is_heard(tmp_path: Path) -> None:
    material = make_material(tmp_path)
    (run, treatment) = material.store.execute("select run_id, treatment from rates limit 1").fetchone()  # type: ignore[misc]
    where = "source = 'disks' and name = 'vda.write_bytes'"
    for name, value in (("vda.flushes", "0"), ("lo.sent_bytes", "value")):
        source = "disks" if name.startswith("vda") else "network"
        material.store.execute(
            f"insert into rates select * replace ('{source}' as source, '{name}' as name, {value} as value)"
            f" from rates where {where}"
        )
    assert run
    points = [*timeline(material, 64, 1), *machine_timeline(material, 64, 1)]
    panels = {point.panel for point in points if point.treatment == treatment}
    assert "network" in panels
    assert "flushes" not in panels
    material.store.close()


def test_what_an_experiment_traced_is_on_the_time_line(tmp_path: Path) -> None:
    material = make_material(tmp_path)
    name = material.results.treatments[0]
    who = ("b01-01", name, 1, 3, 64.0, "lag", "ms")
    for at_ns, t_s, value in ((1, 0.5, 12.0), (2, 0.6, 14.0), (3, None, 99.0)):
        row = (*who, at_ns, t_s, value)
        material.store.execute(f"insert into traces values ({', '.join('?' * len(row))})", row)
    points = [point for point in timeline(material, 64, 1) if point.panel == "lag"]
    assert [(p.treatment, p.unit, p.t_s, p.value) for p in points] == [
        (name, "ms", 0.5, 12.0),
        (name, "ms", 0.6, 14.0),
    ]
    assert "lag" not in {point.panel for point in timeline(material, 64, 2)}
    material.store.close()


def test_costs_put_the_telling_ones_first(material: Material) -> None:
    found = costs(material)
    assert found[0].measure == "server_cpu_us_per_query"
    assert {c.load for c in headline(found, 64, ())} == {64}


def test_varied_and_unequal_settings_are_told_apart(material: Material) -> None:
    found = {d.variable: d for d in differences(material)}
    assert found[VARIABLE].state == "varied"
    assert found[VARIABLE].values == {f"{VARIABLE}=1": "1", f"{VARIABLE}=2": "2"}
    assert found["sort_buffer_size"].state == "follows"
    assert "port" not in found
    assert "autocommit" not in found


def test_facts_that_differ_between_runs_keep_all_values(material: Material) -> None:
    facts = {f.key: f for f in environment(material)}
    assert len(facts["clock.drift"].values) == 6
    assert facts["cpu.model"].headline
    assert not facts["clock.drift"].headline


def test_errors_have_names_and_rates(material: Material) -> None:
    worst = error_records(material)[0]
    assert (worst.code, worst.name, worst.load, worst.count) == (1213, "LOCK_DEADLOCK", 64, 384)
    assert worst.per_million is not None
    asked = material.rows(
        "select sum(queries) as n from rungs where treatment = ? and load = 64", (worst.treatment,)
    )
    assert worst.per_million == pytest.approx(384 / asked[0]["n"] * 1e6)


def test_runs_stand_in_the_order_in_which_they_ran(material: Material) -> None:
    records = run_records(material)
    assert [r.started_ns for r in records] == sorted(r.started_ns for r in records)
    for record in records:
        assert [load for load, _ in record.events] == [1, 8, 64]


def test_one_block_of_one_treatment_at_one_rung_has_records_without_intervals(tmp_path: Path) -> None:
    lonely = make_material(tmp_path, treatments=1, loads=(8,), blocks=1, clean=True)
    (point,) = curve(lonely, "tps")
    assert (point.low, point.high, point.blocks) == (None, None, 1)
    assert error_records(lonely) == []
    assert differences(lonely) == []


def test_runs_stand_in_the_order_of_time_each_against_its_treatment(material: Material) -> None:
    points = order(material)
    runs = [point for point in points if point.lane == "throughput"]
    began = material.rows("select run_id from runs order by started_ns")
    assert [(point.number, point.run_id) for point in runs] == list(
        enumerate((row["run_id"] for row in began), start=1)
    )
    for treatment in material.results.treatments:
        ratios = [point.ratio for point in runs if point.treatment == treatment]
        assert math.prod(ratios) == pytest.approx(1.0)
    # What befell a block befell all of its treatments.
    by_block = [{point.ratio for point in runs if point.block == block} for block in range(1, 7)]
    luckiest, unluckiest = max(by_block, key=max), min(by_block, key=min)
    assert min(luckiest) > max(unluckiest)


def test_the_canary_stands_beside_its_run(material: Material) -> None:
    """The canary's work costs 400 µs plus the block's number in the synthetic store."""
    lane = [point for point in order(material) if point.lane == "canary"]
    assert [point.ratio for point in lane] == [pytest.approx((400 + point.block) / 403.5) for point in lane]
    assert len(lane) == 6 * len(material.results.treatments)


def test_one_block_has_no_order_to_speak_of(tmp_path: Path) -> None:
    one = make_material(tmp_path, blocks=1)
    assert order(one) == []
    one.store.close()


def test_throughput_and_tail_go_along_the_load(material: Material) -> None:
    points = [point for point in trade(material) if point.treatment == material.results.treatments[0]]
    assert [point.load for point in points] == sorted(material.results.loads)
    for point in points:
        estimate = material.estimate(point.treatment, point.load, "p99_ms")
        assert estimate is not None
        assert point.p99_ms == estimate.value


def test_a_heat_map_has_each_operation_once(material: Material) -> None:
    cells = heat(material, 64, 2)
    for treatment in material.results.treatments:
        mine = [cell for cell in cells if cell.treatment == treatment]
        seconds = {cell.t_s: cell.warmup for cell in mine}
        assert list(seconds) == [float(t) for t in range(-5, 20)]
        assert all(warmup == (t_s < 0) for t_s, warmup in seconds.items())
        for t_s in seconds:
            column = [cell for cell in mine if cell.t_s == t_s]
            assert sum(cell.operations for cell in column) == 200
            assert sum(cell.share for cell in column) == pytest.approx(1)
            assert column[-1].low_ms < column[-1].max_ms <= column[-1].high_ms
            # Half of the operations lie in cells up to that of the median.
            until = sum(cell.share for cell in column if cell.low_ms < column[0].p50_ms)
            assert until - max(cell.share for cell in column) < 0.5 <= until + 1e-9
            assert column[0].p50_ms < column[0].p99_ms <= column[0].max_ms


def test_a_long_heat_map_adds_neighbours_and_keeps_the_slowest(tmp_path: Path) -> None:
    made = make_material(tmp_path, treatments=1, loads=(8,), blocks=1)
    made.store.execute(
        "insert into heat select 'r', 'default', 1, '01', 8, 'measure', t::double, 1.0,"
        " if(t = 777, 9e3, 2.0), if(t = 777, 63, 27), [if(t = 777, 1, 10)] from range(20, 1000) as seen(t)"
    )
    cells = heat(made, 8, 1)
    columns = {cell.t_s: cell for cell in cells}
    assert FEWEST < len(columns) <= COLUMNS
    assert sum(cell.operations for cell in cells) == 25 * 200 + 979 * 10 + 1
    (slow,) = [cell for cell in cells if cell.low_ms == EDGES_MS[-1]]
    assert (slow.operations, slow.high_ms, slow.max_ms) == (1, 9e3, 9e3)
    assert slow.t_s <= 777 < slow.t_s + slow.seconds
    made.store.close()


def test_trails_show_two_humps_and_every_operation(tmp_path: Path) -> None:
    made = make_material(tmp_path, treatments=1, loads=(8,), blocks=2)
    random = np.random.default_rng(3)
    times = [*random.lognormal(math.log(1e6), 0.1, 9000), *random.lognormal(math.log(2e7), 0.1, 1000), 9e9]
    index, counts = np.unique(np.searchsorted(EDGES, [0.0, *times], side="right") - 1, return_counts=True)
    made.store.execute("update histograms set hdr = ?", [encode_hdr(index, counts)])
    bins = ridge(made)
    (trail,) = trails(bins)
    assert trail.operations == 2 * len(times)  # without what took no time at all
    assert 0.5 < trail.fastest_ms < 1
    assert trail.humps_ms == (pytest.approx(1.0, rel=0.06), pytest.approx(20.0, rel=0.06))
    assert trail.slowest_ms > 8000
    assert [one.operations for one in bins if one.sparse][-1] == 2  # the slowest, of two blocks
    assert all(one.high_ms == pytest.approx(other.low_ms) for one, other in itertools.pairwise(bins))
    assert "most humps: 2, at" in SENTENCES["ridge"](made, bins)
    made.store.close()


@pytest.mark.parametrize(
    ("loads", "treatments", "drawn"),
    [((1, 8, 64, 128), 3, (1, 8, 64, 128)), ((1, 8, 64, 128), 4, (1, 64, 128)), ((1, 8), 7, (8,))],
)
def test_trails_are_twelve_at_most_or_of_one_load(
    loads: tuple[float, ...], treatments: int, drawn: tuple[float, ...]
) -> None:
    assert trail_loads(loads, treatments) == drawn


def test_pairs_are_of_one_block(material: Material) -> None:
    points = paired(material)
    one, other = material.results.treatments
    estimates = [material.estimate(treatment, 8, "tps") for treatment in (one, other)]
    first, second = (dict(estimate.blocks) for estimate in estimates if estimate is not None)
    assert pairs(points, one, other, 8) == [(block, first[block], second[block]) for block in range(1, 7)]
    lonely = [point for point in points if (point.treatment, point.block) != (other, 3)]
    assert [block for block, _, _ in pairs(lonely, one, other, 8)] == [1, 2, 4, 5, 6]


def test_a_spread_is_of_the_measured_window(material: Material) -> None:
    for spread in spreads(material, 64, 2):
        (row,) = material.rows(
            "select count(*) as n, min(tps) as low, median(tps) as middle, max(tps) as high from intervals"
            " where treatment = ? and load = 64 and block = 2 and t_s > 0",
            (spread.treatment,),
        )
        found = (spread.seconds, spread.lowest, spread.median, spread.highest)
        assert found == (row["n"], row["low"], pytest.approx(row["middle"]), row["high"])
        assert spread.lowest < spread.quarter < spread.median < spread.three_quarters < spread.highest


def test_of_many_seconds_neighbours_are_one_and_the_ends_stay(tmp_path: Path) -> None:
    made = make_material(tmp_path, treatments=1, loads=(8,), blocks=1)
    made.store.execute("delete from intervals")
    made.store.execute(
        "insert into intervals select 'r', 'default', 1, '01', 8, 'measure', t,"
        " if(t = 70, 3.0, 100 + t % 50), 1 from range(1, 1000) as seen(t)"
    )
    shown = seconds(made, 8, 1)
    assert len(shown) <= MOST + 2
    assert sum(point.stands_for for point in shown) == 999
    assert (shown[0].value, shown[-1].value) == (3.0, 149.0)
    assert shown[0].density < 0.05 < 1.0 == max(point.density for point in shown)
    made.store.close()


def test_costs_that_differ_come_before_the_known_ones(material: Material) -> None:
    found = costs(material)
    last = found[-1].measure
    reason = Reason(last, "", 64, 1.0, 2.0, 0.67, 0.6, 0.7, 3.0, 6, alike=("server_cpu_us_per_query",))
    shown = dict.fromkeys(cost.measure for cost in headline(found, 64, (reason,)))
    assert next(iter(shown)) == last
    assert "server_cpu_us_per_query" not in shown
