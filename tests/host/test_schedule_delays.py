"""Waits of threads for a processor, and quotas that were used up, as the kernel counts them."""

from __future__ import annotations

from pathlib import Path

from assay.system.host import Machine, throttling
from assay.system.host.control_groups import Throttling
from assay.system.host.perf import Scheduled, read_schedule


def _put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def test_the_growth_of_each_thread_is_that_since_it_began(tmp_path: Path) -> None:
    for tid, text in ((8, "100 50 3"), (9, "900 10 7"), (10, "5 5 1")):
        _put(tmp_path, f"proc/7/task/{tid}/schedstat", text)
    before = read_schedule(7, Machine(tmp_path))
    _put(tmp_path, "proc/7/task/8/schedstat", "160 90 5")
    _put(tmp_path, "proc/7/task/9/schedstat", "40 2 1")  # another thread with the number of one that ended
    _put(tmp_path, "proc/7/task/10/schedstat", "no numbers")
    after = read_schedule(7, Machine(tmp_path))
    assert after.since(before) == {8: Scheduled(60, 40, 2), 9: Scheduled(40, 2, 1)}


def test_the_quotas_of_a_process_and_of_the_groups_above_it_are_counted(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert throttling(7, machine) is None
    _put(tmp_path, "proc/7/cgroup", "3:cpu,cpuacct:/lab/server\n0::/\n")
    _put(
        tmp_path,
        "sys/fs/cgroup/cpu/lab/server/cpu.stat",
        "nr_periods 9\nnr_throttled 4\nthrottled_time 5000\n",
    )
    _put(tmp_path, "sys/fs/cgroup/cpu/lab/cpu.stat", "nr_periods 9\nnr_throttled 1\n")
    assert throttling(7, machine) == Throttling(5, 5000)
    _put(tmp_path, "proc/7/cgroup", "0::/a\n")
    _put(tmp_path, "sys/fs/cgroup/a/cpu.stat", "nr_throttled 2\nthrottled_usec 7\n")
    assert throttling(7, machine) == Throttling(2, 7000)
