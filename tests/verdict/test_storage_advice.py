"""Settings from a disk's figures: what follows, why, and what is not known."""

from __future__ import annotations

from typing import Any

from assay.verdict.storage_advice import Advice, advise
from assay.verdict.storage_cells import Cell


def cell(*, iops: float = 1000, mean_ms: float = 1.0, **changes: Any) -> Cell:
    parts: dict[str, Any] = {
        "treatment": "t",
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
    return Cell(**(parts | changes))


def flushed(rate: float, pages: float) -> Cell:
    measures = {
        "iops": pages,
        "pages_flushed_per_s": pages,
        "commits_per_s": 800.0,
        "commit_wait_mean_ms": 1.2,
    }
    return cell(kind="rate", load=rate, pattern=True, measures=measures | {"commit_flush_p99_ms": 3.0})


def by_setting(*cells: Cell, page: int = 16384) -> dict[str, Advice]:
    return {one.setting: one for one in advise(cells, page)}


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
    both = by_setting(flushed(1000, 1000), flushed(4000, 3900), flushed(4000, 2000))  # two treatments
    assert both["innodb_io_capacity_max"].value == "1000"


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
