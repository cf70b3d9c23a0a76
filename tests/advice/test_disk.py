"""Settings from a disk's figures: what follows, why, and what is not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from assay.results.advice.cells import Cell, FileJob, Rung, cell_of
from assay.results.advice.disk import Advice, advise
from assay.results.store.file_jobs import file_jobs
from assay.testing.builders import decision


def cell(*, iops: float = 1000, mean_ms: float = 1.0, **changes: Any) -> Cell:
    parts: dict[str, Any] = {
        "treatment": "t",
        "disk": "",
        "kind": "iodepth",
        "load": 1,
        "pattern": False,
        "random": True,
        "read_share": 1.0,
        "block": 16384,
        "in_flight": 1,
        "synced": False,
        "direct": True,
        "measures": {"iops": iops, "mean_ms": mean_ms},
    }
    parts |= changes
    rests_on: dict[str, Any] = parts.pop("rests_on", {})
    figures = {name: decision(value, **rests_on) for name, value in parts.pop("measures").items()}
    return Cell(**parts, figures=figures)


def flushed(rate: float, pages: float) -> Cell:
    measures = {
        "iops": pages,
        "pages_flushed_per_s": pages,
        "commits_per_s": 800.0,
        "commit_wait_mean_ms": 1.2,
    }
    return cell(kind="rate", load=rate, pattern=True, measures=measures | {"commit_flush_p99_ms": 3.0})


def by_setting(*cells: Cell, page: int = 16384) -> dict[str, Advice]:
    return {one.setting: one for one in advise(cells, page)[""]}


def test_the_published_mix_gives_about_the_published_capacity() -> None:
    found = by_setting(cell(iops=2705, read_share=0.5, block=4096), page=4096)
    assert found["innodb_io_capacity_max"].value == "2700"
    assert found["innodb_io_capacity"].value == "1300"
    assert "2,705 random reads and writes of 4 KiB" in found["innodb_io_capacity"].reason


def test_small_operations_are_counted_by_their_bytes() -> None:
    found = by_setting(cell(iops=8000, read_share=0.0, block=4096))
    assert found["innodb_io_capacity_max"].value == "2000"


def test_the_pattern_counts_before_anything_else_as_far_as_the_disk_kept_up() -> None:
    found = by_setting(flushed(1000, 1000), flushed(4000, 3900), flushed(8000, 5000), cell(read_share=0.0))
    assert found["innodb_io_capacity_max"].value == "4000"
    assert "not tried" not in found["innodb_io_capacity_max"].reason
    assert found["innodb_redo_log_capacity"].value == "4G"
    assert found["innodb_flush_log_at_trx_commit"].value == "1"
    assert "1.2 ms (800 a second" in found["innodb_flush_log_at_trx_commit"].reason
    assert "not tried" in by_setting(flushed(1000, 1000))["innodb_io_capacity_max"].reason
    both = by_setting(flushed(1000, 1000), flushed(4000, 3900), flushed(4000, 2000))  # two treatments
    assert both["innodb_io_capacity_max"].value == "1000"
    assert both["innodb_io_capacity_max"].others == ("t, rate 4000: 3,900 pages a second",)


def test_an_arm_is_told_from_a_chip_by_one_read_at_a_time() -> None:
    assert by_setting(cell(mean_ms=0.1))["innodb_flush_neighbors"].value == "0"
    assert by_setting(cell(mean_ms=8.0))["innodb_flush_neighbors"].value == "1"
    assert by_setting(cell(mean_ms=8.0, in_flight=64))["innodb_flush_neighbors"].value is None


def test_threads_follow_from_where_more_in_flight_gives_nothing() -> None:
    ladder = [cell(iops=i, in_flight=d) for d, i in ((1, 100), (32, 3000), (64, 3050))]
    found = by_setting(*ladder)["innodb_read_io_threads"]
    assert found.value == "4"
    assert "with 32 in flight" in found.reason
    assert by_setting(cell())["innodb_write_io_threads"].value is None


def test_what_was_not_measured_is_said_with_what_would() -> None:
    found = by_setting(cell(direct=False))
    for setting in ("innodb_io_capacity", "innodb_flush_log_at_trx_commit", "innodb_flush_method"):
        assert found[setting].value is None
        assert "measure" in found[setting].reason


def test_a_rate_that_was_kept_above_one_that_fell_behind_tells_nothing() -> None:
    found = by_setting(flushed(1000, 1000), flushed(2000, 1500), flushed(4000, 3950))
    assert found["innodb_io_capacity_max"].value == "1000"
    none = by_setting(flushed(1000, 500), flushed(2000, 2000), cell(read_share=0.0))
    for setting in ("innodb_io_capacity", "innodb_io_capacity_max", "innodb_redo_log_capacity"):
        assert none[setting].value is None
        assert "lower rates" in none[setting].reason
        assert "1000 pages a second" in none[setting].reason


def test_what_the_page_cache_answered_says_nothing_of_the_disk() -> None:
    shares = (0.0, 0.5, 1.0)
    every = [cell(iops=1e6, in_flight=d, read_share=s, direct=False) for d in (1, 32) for s in shares]
    found = by_setting(*every)
    for setting in (
        "innodb_io_capacity",
        "innodb_flush_neighbors",
        "innodb_read_io_threads",
        "innodb_write_io_threads",
    ):
        assert found[setting].value is None
        assert "(direct)" in found[setting].reason
    both = by_setting(*every, cell(iops=3000, read_share=0.0))
    assert both["innodb_io_capacity_max"].value == "3000"


def test_a_ladder_is_one_treatments() -> None:
    apart = [cell(treatment="4k", in_flight=1), cell(treatment="16k", in_flight=32, iops=3000)]
    assert by_setting(*apart)["innodb_read_io_threads"].value is None
    small = [cell(treatment="4k", block=4096, in_flight=d, iops=i) for d, i in ((1, 9000), (512, 9100))]
    pages = [cell(treatment="16k", in_flight=d, iops=i) for d, i in ((1, 100), (64, 8000))]
    assert "with 64 in flight (16k)" in by_setting(*small, *pages)["innodb_read_io_threads"].reason


def test_each_disk_has_advice_of_its_own() -> None:
    found = advise([cell(disk="slow", mean_ms=8.0), cell(disk="fast", mean_ms=0.1)])
    assert list(found) == ["slow", "fast"]
    neighbors = [one.value for disk in found.values() for one in disk if one.setting.endswith("neighbors")]
    assert neighbors == ["1", "0"]


def storage_job(name: str, **changes: Any) -> dict[str, Any]:
    access = {"order": "random", "read_share": 1.0, "read_blocks": 4096, "write_blocks": 4096}
    return {"name": name, "access": access, "io": {"kind": "libaio", "direct": True}, "depth": 4} | changes


def found_cell(*jobs: Mapping[str, Any], workload: str = "fio:j.fio", **levels: str) -> Cell | None:
    rows = [FileJob(*row[2:]) for row in file_jobs({"storage": jobs})]
    figures = {"iops": decision(900.0), "mean_ms": decision(1.0)}
    return cell_of(Rung("t", 500.0, "rate", workload, rows), levels, figures)


def test_jobs_side_by_side_are_a_cell_only_where_they_are_alike() -> None:
    alike = found_cell(storage_job("a"), storage_job("b", depth=8, clones=2))
    assert alike is not None
    assert alike.in_flight == 20
    writes = storage_job("b")["access"] | {"read_share": 0.0}
    for other in ({"access": writes}, {"io": {"kind": "psync"}}, {"sync": {"writes": 1}}):
        assert found_cell(storage_job("a"), storage_job("b", **other)) is None


def test_the_pattern_is_told_by_its_workload() -> None:
    named = (storage_job("reads"), storage_job("redo"))
    fio = found_cell(*named)
    assert fio is not None
    assert not fio.pattern
    advise([fio])
    pattern = found_cell(*named, workload="innodb-pattern")
    assert pattern is not None
    assert pattern.pattern


def test_a_disk_is_its_place_and_how_the_machine_drives_it() -> None:
    levels = {
        "storage.directory": "/data",
        "workload.file_num": "2",
        "host.mount": "noatime",
    }
    found = found_cell(storage_job("a"), **levels)
    assert found is not None
    assert found.disk == "storage.directory=/data, host.mount=noatime"


def appends(rate: float, took: float, **more: Any) -> Cell:
    """Appends with an fsync each, at a rate."""
    measures = {"iops": rate, "sync_mean_ms": took, "syncs_per_s": rate}
    parts: dict[str, Any] = {"random": False, "synced": True, "direct": False, "measures": measures}
    return cell(kind="rate", load=rate, read_share=0.0, **(parts | more))


COMMIT = "innodb_flush_log_at_trx_commit"


def test_a_promise_of_latency_rests_on_the_slowest_cell_and_names_those_that_contradict_it() -> None:
    found = by_setting(appends(200, 15.11), appends(1000, 1.375), appends(4000, 1.283))[COMMIT]
    assert "15.1 ms at worst" in found.reason
    assert "expensive" in found.reason
    assert found.others == ("t, rate 1000: 1.38 ms", "t, rate 4000: 1.28 ms")


def test_no_cell_is_taken_for_its_luck() -> None:
    """One lucky cell among others changes nothing, whatever it is about."""
    lucky: dict[str, tuple[list[Cell], Cell]] = {
        COMMIT: ([appends(200, 9.0), appends(400, 9.1)], appends(1000, 0.1)),
        "innodb_io_capacity": (
            [cell(treatment=name, read_share=0.0, iops=2000) for name in "ab"],
            cell(treatment="c", read_share=0.0, iops=90_000),
        ),
        "innodb_flush_neighbors": ([cell(mean_ms=8.0), cell(mean_ms=8.1)], cell(mean_ms=0.01)),
        "innodb_read_io_threads": (
            [cell(treatment="a", iops=i, in_flight=d) for d, i in ((1, 100), (32, 3000), (64, 3050))],
            cell(treatment="b", iops=90_000, in_flight=4096),
        ),
    }
    for setting, (others, one) in lucky.items():
        for order in permutations([*others, one]):
            assert by_setting(*order)[setting].value == by_setting(*others)[setting].value, setting


@pytest.mark.parametrize(
    "rests_on", [{"blocks": (5,)}, {"doubts": {"shared-history": "warning"}}, {"doubts": {"x": "invalid"}}]
)
def test_whatever_the_blocks_do_not_carry_is_an_estimate(rests_on: dict[str, Any]) -> None:
    every = [
        appends(200, 1.0),
        *(cell(iops=100 * d, in_flight=d, read_share=s) for d in (1, 32) for s in (0.0, 0.5, 1.0)),
    ]
    weak = [
        replace(one, figures={k: replace(v, **rests_on) for k, v in one.figures.items()}) for one in every
    ]
    assert all(one.is_firm for one in by_setting(*every).values())
    assert all(one.value is not None and not one.is_firm for one in by_setting(*weak).values())
    with pytest.raises(ValueError, match="rests on a decision"):
        Advice("innodb_io_capacity", "500", "because", None)
