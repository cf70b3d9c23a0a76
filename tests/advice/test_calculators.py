"""Calculators: figures worked out by hand, and inputs that do not fit together."""

from __future__ import annotations

import json

import pytest
from assay.results.advice import CALCULATORS, Calculator
from shell import Shell

GIB = 1 << 30


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


def answers(name: str, **given: float | str) -> dict[str, float]:
    (one,) = [one for one in CALCULATORS if one.name == name]
    defaults = {each.name: each.default for each in one.inputs if each.default is not None}
    return {answer.name: answer.value for answer in one.answers(defaults | given)}


@pytest.mark.parametrize(
    ("level", "usable", "survives", "writes"),
    [("0", 8.0, 0, 1), ("1", 1.0, 7, 8), ("5", 7.0, 1, 4), ("6", 6.0, 2, 6), ("10", 4.0, 1, 2)],
)
def test_raid_space_redundancy_and_write_cost(level: str, usable: float, survives: int, writes: int) -> None:
    found = answers("raid", level=level, disks=8.0, size=100.0, iops=200.0)
    assert found["usable space"] == usable * 100
    assert found["share of the raw space"] == usable / 8
    assert found["disks that may fail, wherever they are"] == survives
    assert found["random writes of the array"] == 8 * 200 / writes


def test_the_published_over_provisioning_leaves_85_percent_of_the_disks() -> None:
    found = answers("raid", level="0", disks=8.0, size=200.0, over_provision=0.15)
    assert found["usable space"] == pytest.approx(8 * 200 * 0.85)
    assert found["over-provisioning added"] == pytest.approx(0.15 / 0.85)


@pytest.mark.parametrize(("level", "disks"), [("5", 2.0), ("6", 3.0), ("10", 5.0), ("10", 2.0)])
def test_an_array_that_cannot_be_is_refused(level: str, disks: float) -> None:
    with pytest.raises(ValueError, match=f"RAID {level} needs"):
        answers("raid", level=level, disks=disks, size=100.0)


def test_io_capacity_is_half_of_what_the_disk_carries() -> None:
    assert answers("io-capacity", iops=8000.0, block=4096.0) == {
        "innodb_io_capacity": 1000,
        "innodb_io_capacity_max": 2000,
    }
    assert answers("io-capacity", iops=20.0)["innodb_io_capacity"] == 100


def test_a_redo_log_holds_what_is_written_in_the_time() -> None:
    found = answers("redo", rate=7.0 * (1 << 20), holds=100.0, files=3.0)
    assert found["innodb_redo_log_capacity"] == 800 << 20
    assert found["innodb_log_file_size, of 3 files"] == 267 << 20


def test_a_buffer_pool_is_what_memory_leaves_in_whole_chunks() -> None:
    found = answers("buffer-pool", memory=64.0 * GIB, connections=512.0, cpus=16.0)
    pool, instances = found["innodb_buffer_pool_size"], found["innodb_buffer_pool_instances"]
    assert instances == 16
    assert pool % (instances * (128 << 20)) == 0
    assert pool <= (64 - 1 - 1.5) * GIB / 1.1 < pool + instances * (128 << 20)
    with pytest.raises(ValueError, match="nothing is left"):
        answers("buffer-pool", memory=1.0 * GIB)


def test_data_size_is_about_what_sysbench_tables_take() -> None:
    """A table of 1,000,000 rows of sysbench takes 210 to 250 MB with its index on k."""
    found = answers("data-size", rows=1e6, pool=120e6)
    assert 205e6 < found["together"] < 250e6
    assert 0.48 < found["share of the data that the buffer pool holds"] < 0.6
    with pytest.raises(ValueError, match="does not fit into a page"):
        answers("data-size", rows=1.0, row=17000.0)


def test_a_ladder_needs_statements_of_every_connection_on_every_table() -> None:
    found = answers("statements", threads=2048.0, tables=10.0)
    assert found["max_prepared_stmt_count"] == 184_320


@pytest.mark.parametrize("calculator", CALCULATORS, ids=lambda one: one.name)
def test_each_example_runs_and_its_json_has_the_same_answers(shell: Shell, calculator: Calculator) -> None:
    words = calculator.example.split()[1:]
    plain, data = shell(*words), shell(*words, "--json")
    assert (plain.code, data.code) == (0, 0)
    for answer in json.loads(data.out):
        assert answer["name"] in plain.out
        assert answer["formula"] in plain.out
        assert answer["source"] in plain.out


def test_inputs_that_do_not_fit_are_refused_with_the_reason(shell: Shell) -> None:
    ended = shell("calc", "raid", "--level", "10", "--disks", "5", "--size", "1T")
    assert ended.code == 2
    assert "RAID 10 needs an even number of disks, and 5 are given" in ended.err
    ended = shell("calc", "redo", "--rate", "much")
    assert ended.code == 2
    assert '"much" is not a size; write a whole number and K, M, G or T' in ended.err
