"""InnoDB's panels show what moves, name what is flat or not counted, and know the limit of the redo log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from assay.reporting.report.material import Material
from assay.reporting.report.records.innodb import PANELS, InnodbSeconds, innodb_seconds
from assay.reporting.report.tables.innodb import innodb_table
from synthetic import VARIABLE, make_material

A, B = f"{VARIABLE}=1", f"{VARIABLE}=2"
MIB = 1 << 20
Readings = Mapping[str, list[float]]


def sampled(path: Path, of: Mapping[str, Readings], variables: Mapping[str, str] | None = None) -> Material:
    """Returns a study whose servers have these readings, one a second from second 0 on, in block 1."""
    made = make_material(path, treatments=2, loads=(8,), blocks=1)
    made.store.execute("delete from rates")
    made.store.execute("delete from facts where scope = 'server'")
    runs = dict(made.store.execute("select treatment, run_id from runs where block = 1").fetchall())
    for treatment, readings in of.items():
        for name, values in readings.items():
            for second, value in enumerate(values):
                made.store.execute(
                    "insert into rates values (?, ?, 1, '1', 8, 'status', ?, ?, ?)",
                    [runs[treatment], treatment, name, second + 0.1, value],
                )
        for key, value in (variables or {}).items():
            made.store.execute(
                "insert into facts values (?, 'server', 'before', ?, ?)",
                [runs[treatment], f"variables.{key}", value],
            )
    return made


def seconds_of(made: Material) -> InnodbSeconds:
    found = innodb_seconds(made)
    assert found is not None
    return found


MARIADB: Readings = {
    "Innodb_buffer_pool_reads": [0.0, 1.0, 4.0],
    "Innodb_buffer_pool_read_requests": [100.0, 100.0, 100.0],
    "Innodb_history_list_length": [7.0, 8.0, 9.0],
    "Innodb_deadlocks": [0.0, 0.0, 0.0],
    "Innodb_row_lock_waits": [1.0, 2.0, 3.0],
    "Innodb_os_log_written": [MIB, 2.0 * MIB, MIB],
    "Innodb_checkpoint_age": [3.0 * MIB, 4.0 * MIB, 5.0 * MIB],
    "Threads_running": [5.0, 5.0, 5.0],
}
MYSQL: Readings = {
    "Innodb_buffer_pool_reads": [0.0, 0.0, 0.0],
    "Innodb_buffer_pool_read_requests": [0.0, 100.0, 100.0],
    "trx_rseg_history_len": [1.0, 2.0, 3.0],
    "log_lsn_checkpoint_age": [MIB, MIB, 2.0 * MIB],
    "Threads_running": [5.0, 5.0, 5.0],
}


def test_servers_that_call_one_thing_differently_share_a_line(tmp_path: Path) -> None:
    found = seconds_of(sampled(tmp_path, {A: MARIADB, B: MYSQL}))
    values: dict[tuple[str, str], list[float]] = {}
    for point in found.points:
        values.setdefault((point.line, point.treatment), []).append(point.value)
    assert values["hits", A] == [100.0, 99.0, 96.0]
    assert values["hits", B] == [100.0, 100.0]  # nothing was asked for in the first second
    assert values["history", A] == [7.0, 8.0, 9.0]
    assert values["history", B] == [1.0, 2.0, 3.0]
    assert values["redo", A] == [1.0, 2.0, 1.0]
    assert values["checkpoint", B] == [1.0, 1.0, 2.0]
    assert ("deadlocks", A) not in values  # beside waits that there are
    assert found.flat == {"threads": 5.0}
    assert [panel.key for panel in found.shown] == ["hits", "lock-waits", "history", "redo", "checkpoint"]
    # By one server, and by none.
    assert {key: of for key, of in found.lacking.items() if of} == {"lock-waits": (B,), "redo": (B,)}
    assert found.lacking.keys() >= {"handlers", "flushed", "temporary"}
    assert found.lacking.keys() | {point.panel for point in found.points} == {panel.key for panel in PANELS}
    table = innodb_table(found, sampled(tmp_path, {A: MARIADB}).words)
    assert {row[3] for row in table.rows} == {A, B}


@pytest.mark.parametrize(
    ("gauges", "variables", "limit"),
    [
        ({"Innodb_checkpoint_max_age": [80.0 * MIB] * 3}, {"innodb_log_file_size": str(96 * MIB)}, 80.0),
        ({"Innodb_redo_log_capacity_resized": [100.0 * MIB] * 3}, {"innodb_redo_log_capacity": "1"}, 100.0),
        ({}, {"innodb_redo_log_capacity": str(100 * MIB), "innodb_log_file_size": str(MIB)}, 100.0),
        ({}, {"innodb_log_file_size": str(48 * MIB), "innodb_log_files_in_group": "2"}, 96.0),
        ({}, {"innodb_log_file_size": str(96 * MIB)}, 96.0),
        ({}, {}, None),
    ],
)
def test_the_limit_of_the_checkpoint_age(
    tmp_path: Path, gauges: Readings, variables: Mapping[str, str], limit: float | None
) -> None:
    found = seconds_of(sampled(tmp_path, {A: {**MARIADB, **gauges}}, variables))
    assert found.limits == ({} if limit is None else {A: limit})


def test_without_counters_there_is_nothing(tmp_path: Path) -> None:
    assert innodb_seconds(sampled(tmp_path, {})) is None
