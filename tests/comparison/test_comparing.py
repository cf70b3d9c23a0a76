"""Two grids beside each other, by figures that can be checked by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from assay.base.errors import InputError
from assay.design.study import Conditions, Work, load_study, work_of
from assay.experiments.comparison import Grid, GridAxis, GridFigure, compare, grid_of
from assay.experiments.comparison.likeness import unlike
from assay.experiments.comparison.published import (
    published_reports,
    studies_of,
    tables_repeated_by,
    work_of_table,
)

TABLES = [table for report in published_reports() for table in report.tables]
THREADS = GridAxis("threads", ("8", "16", "32", "64"))
NUMA = GridAxis("numa", ("off", "on"))


def grid(
    axes: tuple[GridAxis, ...], rows: Mapping[tuple[str, ...], float], name: str = "a", **more: object
) -> Grid:
    """A grid of tps."""
    cells = {("tps", place): GridFigure(value) for place, value in rows.items()}
    return Grid(name, Work("server"), axes, cells, {"tps": "1/s"}, ("tps",), **more)  # type: ignore[arg-type]


def ladder(*values: float, name: str = "a") -> Grid:
    return grid((THREADS,), {(x,): y for x, y in zip(THREADS.levels, values, strict=True)}, name)


def test_cells_have_ratios_left_over_right() -> None:
    found = compare(ladder(10, 30, 20, 40), ladder(1, 2, 4, 8))
    assert [one.ratio for one in found.cells] == pytest.approx([10, 15, 5, 5])
    assert [one.levels for one in found.cells] == [((x, x),) for x in THREADS.levels]
    assert all(one.low is None for one in found.cells)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (("-1", "2"), ("2", "1")),  # a sign counts
        (("1048576", "2097153"), ("1M", "2M")),  # every digit, and sizes by their bytes
        (("o-direct", "fsync"), ("O_DIRECT", "nosync")),
    ],
)
def test_levels_are_the_same_where_they_mean_the_same(ours: tuple[str, str], theirs: tuple[str, str]) -> None:
    """One level of each pair is common."""
    sides = [grid((GridAxis("x", one),), {(level,): 1.0 for level in one}) for one in (ours, theirs)]
    assert len(compare(*sides).cells) == 1


@pytest.mark.parametrize(
    ("there", "note"),
    [("64M", "taken at pool = 67108864"), ("1G", "taken at pool = 32M, the other side is at 1G")],
)
def test_a_level_that_only_one_side_varies_is_that_of_the_other_side(there: str, note: str) -> None:
    pools = GridAxis("pool", ("32M", "67108864"))
    rows = {(threads, pool): 1.0 for threads in THREADS.levels for pool in pools.levels}
    found = compare(grid((THREADS, pools), rows), replace(ladder(1, 2, 4, 8), fixed={"pool": there}))
    assert [one for one in found.notes if "taken" in one] == [f"a is {note}"]


def test_shapes_have_ranks_best_and_knee() -> None:
    (shape,) = compare(ladder(10, 30, 20, 31), ladder(1, 2, 3, 1.5)).shapes
    assert shape.points == 4
    assert shape.best == ("64", "32")
    assert shape.knee == ("16", "32")  # 30 is more than 95 % of 31
    assert shape.ranks is not None
    # ranks 1 3 2 4 and 1 3 4 2: the squares of their differences add up to 8
    assert shape.ranks.spearman == pytest.approx(1 - 6 * 8 / 60)


def test_every_published_table_has_the_work_of_the_study_that_repeats_it() -> None:
    files = {one.name: one.file for report in published_reports() for one in studies_of(report.id)}
    for name, file in files.items():
        for table in tables_repeated_by(name):
            uses = tomllib.loads(file.read_text(encoding="utf-8"))["workload"]["use"]
            assert work_of_table(table).is_like(work_of([uses])), (name, table)
    repeated = {table for name in files for table in tables_repeated_by(name)}
    assert {table.id for table in TABLES if table.cells} <= repeated


@pytest.mark.parametrize("other", ["published:003_03", "published:002_02"])
def test_two_kinds_of_work_are_refused_with_the_table_that_the_study_repeats(
    tmp_path: Path, other: str
) -> None:
    disk = results_of("003-fileio", "fileio", tmp_path)
    with pytest.raises(InputError, match="two kinds of work") as refused:
        compare(disk, grid_of(other))
    assert refused.value.hint == "its study repeats published:003_04"


def results_of(name: str, use: str, folder: Path, **changes: Any) -> Grid:
    """A grid of results of a study, by its conditions alone."""
    file = folder / f"{name}.toml"
    server = 'use = "mariadb"' if use not in ("fileio",) else ""
    stated = "\n".join(f"{key} = {value}" for key, value in changes.pop("variables", {}).items())
    file.write_text(
        f'[study]\nname = "{name}"\n'
        + (f"[server]\n{server}\n[server.variables]\n{stated}\n" if server else "")
        + f'[workload]\nuse = "{use}"\n[load]\nthreads = [1]\n',
        encoding="utf-8",
    )
    conditions = Conditions(
        stated=load_study(file), work=work_of([use]), blocks="2", variables=changes.pop("in_force", {})
    )
    shape = ladder(10, 30, 20, 40)
    return replace(shape, name=name, work=conditions.work, conditions=conditions, fewest=6, **changes)


def test_what_differs_is_named_but_for_the_axes_of_both(tmp_path: Path) -> None:
    flush = "innodb_flush_log_at_trx_commit"
    one, two = (
        results_of(
            f"flush-{value}",
            "oltp_read_write",
            tmp_path,
            variables={flush: value},
            in_force={flush: f"{value}"},
        )
        for value in (1, 2)
    )
    found = compare(one, two)
    assert [(each.group, each.name, each.left, each.right) for each in found.unlike] == [
        ("stated", f"server.variables.{flush}", "1", "2"),
        ("variable", flush, "1", "2"),
    ]
    assert not unlike(one, two, [flush])
    assert found.obstacles == ("few-blocks",)
    assert all(each.low is None for each in found.cells)


@pytest.mark.parametrize(
    ("blocks", "doubts", "has"), [(6, {}, True), (5, {}, False), (6, {"shared-history": "warning"}, False)]
)
def test_an_interval_needs_six_blocks_that_share_no_history(blocks: int, doubts: Any, has: bool) -> None:
    values = (10.0, 11.0, 10.5, 9.5, 10.2, 10.4)[:blocks]
    cells = {("tps", (x,)): GridFigure(10.0, values, doubts) for x in THREADS.levels}
    measured = replace(ladder(1, 1, 1, 1), cells=cells, fewest=6)
    assert {one.low is not None for one in compare(measured, measured).cells} == {has}
    printed = compare(measured, ladder(1, 2, 3, 4))  # nobody knows how often that was measured
    assert all(one.low is None and one.ratio is not None for one in printed.cells)
