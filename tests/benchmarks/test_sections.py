from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import ConflictError

from benchmarks import tpcc
from benchmarks.document import chapters, page, write_page
from benchmarks.linkbench_java import LINKBENCH
from benchmarks.outcome import Origin, Outcome, begun, read, save
from benchmarks.rows import Conditions, Samples
from benchmarks.sections import SECTIONS, cheap, export, grid, honest
from benchmarks.sections.honest import gap
from benchmarks.sections.statements import largest_gap
from benchmarks.servers import Servers
from benchmarks.settings import QUICK, Settings
from benchmarks.spread import State

# Nothing is started: cells ask for a server when they are measured, not when they are made.
SERVERS = Servers("mariadb", tables=1, table_size=10)
_ORIGIN = Origin("2026-01-01 00:00 UTC", "abc", "2 x processor", "server", "sysbench 1.0.20", "5 pairs")


def test_the_grid_has_sixty_cells_and_quick_a_tenth() -> None:
    names = [cell.name for cell in grid.cells(Settings(), SERVERS)]
    assert len(names) == len(set(names)) == 60
    assert len(grid.cells(QUICK, SERVERS)) == 6


@pytest.mark.parametrize("section_name", list(SECTIONS))
def test_every_line_of_a_section_has_its_cell(
    section_name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With figures of every kind in every cell, no row is left out for a name that does not match."""
    for peer in (tpcc.TPCC_MYSQL, tpcc.SYSBENCH_TPCC, LINKBENCH):
        monkeypatch.setenv(peer.variable, str(tmp_path))
        for name in peer.files:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
    section = SECTIONS[section_name]
    cells = section.cells(Settings(), SERVERS)
    assert len({cell.name for cell in cells}) == len(cells)
    whole = [
        Samples(
            cell.name, {contestant: ({"qps": 1.0},) for contestant in cell.contestants}, Conditions(1.0, 0.0)
        )
        for cell in cells
    ]
    rows = section.rows(whole)
    assert {row.cell for row in rows} == {cell.name for cell in cells} != set()


def test_the_table_of_costs_holds_every_target() -> None:
    limits = sorted(
        target.limit
        for line in cheap._LINES
        for target in (*line.against.values(), line.absolute)
        if target is not None
    )
    beside_sysbench = [0.60, 0.55, 0.30, 0.45, 0.35, 0.15, 4.0, 0.5, 0.55, 0.5]
    beside_the_floor = [1.35, 1.5, 1.12, 1.15]
    beside_threads = [1.05, 1.10, 1.12, 1.2]
    alone = [40.0, 300.0, 0.5]
    assert limits == sorted([*beside_sysbench, *beside_the_floor, *beside_threads, *alone])


def test_intervals_cost_what_a_load_without_them_does_not() -> None:
    often, once = {"cpu_s": 0.5, "beside_loops_s": 0.012}, {"cpu_s": 0.4, "beside_loops_s": 0.007}
    by_contestant = {"intervals of 1 s": (often, None, often), "one interval": (once, once, None)}
    samples = Samples(export._name(100), by_contestant, Conditions(1.0, 0.0))
    assert export.percents(samples) == [pytest.approx(1.0)]
    (row,) = export.SECTION.rows([samples])
    assert row.state is State.REACHED
    costly = dataclasses.replace(
        samples,
        by_contestant={**by_contestant, "intervals of 1 s": ({**often, "beside_loops_s": 0.02}, None, None)},
    )
    assert export.SECTION.rows([costly])[0].state is State.SHORT


def test_closed_forms_of_the_truths() -> None:
    assert honest._FREEZE_TRUTH["p95_ms"] == 150.0  # 1 - 0.2 * (1 - 150 / 200) = 0.95
    assert honest._EXPONENTIAL_TRUTH["p50_ms"] == pytest.approx(5.0 * math.log(2))
    told = gap([149.0, 153.0], 150.0)
    assert told is not None
    assert told.high == pytest.approx(0.02)


def test_a_counter_that_one_of_them_never_moves_is_a_whole_gap() -> None:
    assert largest_gap({"com_select": 14.0}, {"com_select": 14.0, "com_begin": 0.0}) == 0.0
    assert largest_gap({"com_select": 14.0}, {"com_select": 14.0, "com_begin": 1.0}) == 1.0


def test_data_and_page_hold_what_was_measured(tmp_path: Path) -> None:
    sample = Samples(
        "point_select, 1",
        {"ours": ({"qps": 90.0}, {"qps": 80.0}), "sysbench": ({"qps": 100.0}, {"qps": 100.0})},
        Conditions(1.25, 0.4),
    )
    lacking = ["load: shop was not found."]
    outcome = Outcome("grid", "Throughput", "A note.", _ORIGIN, grid.SECTION.rows([sample]), lacking)
    save(outcome, [sample], tmp_path / "grid.json", rounds=(2, 5))
    data = json.loads((tmp_path / "grid.json").read_text())
    assert (data["rounds_done"], data["rounds_planned"]) == (2, 5)
    assert data["samples"][0]["by_contestant"]["ours"][1] == {"qps": 80.0}

    again = read(tmp_path / "grid.json")
    assert page([again]) == page([outcome])
    text = write_page(tmp_path, tmp_path / "benchmarks.md").read_text()
    assert "Of 1 lines with a target, 1 fall short." in text
    assert "0.85 x sysbench (0.80 to 0.90), at least 1.00 | SHORT | 1.25 | 40% |" in text
    assert "- not measured: load: shop was not found." in text
    assert "commit abc" in text


def test_what_was_not_measured_again_stays_in_the_page(tmp_path: Path) -> None:
    def outcome(name: str, qps: float) -> Outcome:
        cell = grid.cells(QUICK, SERVERS)[0].name
        sample = Samples(cell, {"ours": ({"qps": qps},), "sysbench": ({"qps": 100.0},)}, Conditions(1.0, 0.0))
        return Outcome(name, SECTIONS[name].title, "A note.", _ORIGIN, grid.SECTION.rows([sample]), [])

    before = page([outcome("grid", 50.0), outcome("storage", 51.0)])
    after = page([outcome("storage", 120.0)], before)
    assert "Of 2 lines with a target, 1 fall short." in after
    assert after.count("SHORT |") == 1
    assert "0.50 x sysbench" in after
    assert "0.51 x sysbench" not in after
    assert list(chapters(after)) == list(chapters(before))
    assert page([], after) == after


def test_a_section_goes_on_under_the_same_conditions_alone(tmp_path: Path) -> None:
    path = tmp_path / "why.json"
    assert begun(path, _ORIGIN) == ()
    samples = [Samples("x", {"ours": ({"qps": 1.0},)}, Conditions(1.0, 0.0))]
    save(Outcome("why", "Why", "", _ORIGIN, []), samples, path, rounds=(0, 1))

    (kept,) = begun(path, msgspec.structs.replace(_ORIGIN, at="later"))

    assert (kept.cell, kept.by_contestant["ours"]) == ("x", [{"qps": 1.0}])
    with pytest.raises(ConflictError, match="commit: abc, now abd"):
        begun(path, msgspec.structs.replace(_ORIGIN, commit="abd"))
