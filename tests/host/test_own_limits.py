"""The limits of this process: control groups of both versions at every level, ulimits and quotas."""

from __future__ import annotations

import ctypes
import os
import re
import struct
import subprocess
from pathlib import Path

import pytest
from assay.system.host import space
from assay.system.host.facts.cgroup import facts
from assay.system.host.limits import own_limits
from assay.system.host.machine import Machine
from mounts import mounted

GIB = 1 << 30
MEMINFO = f"MemTotal: {24 * GIB >> 10} kB\nMemAvailable: {20 * GIB >> 10} kB\n"
V1, V2 = "4:memory:/a/b\n3:cpu,cpuacct:/a/b\n2:pids:/a/b\n0::/\n", "0::/a/b\n"
TOP = "sys/fs/cgroup"
MEMORY, CPU, PIDS = f"{TOP}/memory", f"{TOP}/cpu", f"{TOP}/pids"
NO_LIMIT = "9223372036854771712"


def machine(root: Path, files: dict[str, str]) -> Machine:
    for name, text in {"proc/meminfo": MEMINFO, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return Machine(root)


def group(text: str, folder: str, **values: object) -> dict[str, str]:
    """The files of one control group, and the note of this process in which group it is."""
    named = {f"{folder}/{name.replace('__', '.')}": str(value) for name, value in values.items()}
    return {"proc/self/cgroup": text, **named}


@pytest.mark.parametrize(
    ("files", "memory", "available", "of"),
    [
        ({}, 24, 20, None),
        (group(V2, f"{TOP}/a/b"), 24, 20, None),
        (group(V2, f"{TOP}/a/b", memory__max="max"), 24, 20, None),
        (group(V2, f"{TOP}/a/b", memory__max=GIB), 1, 1, "the control group /a/b"),
        (group(V2, f"{TOP}/a", memory__max=2 * GIB), 2, 2, "the control group /a"),
        (group(V2, f"{TOP}/a/b", memory__high=3 * GIB), 3, 3, "the control group /a/b"),
        (group("0::/", TOP, memory__max=GIB), 1, 1, "the control group /"),
        # what is held counts, but for the pages of files
        (
            group(
                V2,
                f"{TOP}/a/b",
                memory__max=4 * GIB,
                memory__current=3 * GIB,
                memory__stat=f"anon {GIB}\nactive_file {GIB}\ninactive_file {GIB}",
            ),
            4,
            3,
            "the control group /a/b",
        ),
        # a wide limit of a group above, of which other members use most
        (
            group(V2, f"{TOP}/a", memory__max=30 * GIB, memory__current=28 * GIB),
            24,
            2,
            "the control group /a",
        ),
        (group(V1, f"{MEMORY}/a/b", memory__limit_in_bytes=NO_LIMIT), 24, 20, None),
        (group(V1, f"{MEMORY}/a/b", memory__limit_in_bytes=GIB), 1, 1, "the control group /memory/a/b"),
        (group(V1, f"{MEMORY}/a", memory__limit_in_bytes=GIB), 1, 1, "the control group /memory/a"),
        # in a container its own group is the root of what it sees
        (group(V1, MEMORY, memory__limit_in_bytes=GIB), 1, 1, "the control group /memory"),
        (
            group(
                V1,
                f"{MEMORY}/a/b",
                memory__limit_in_bytes=4 * GIB,
                memory__usage_in_bytes=3 * GIB,
                memory__stat=f"total_inactive_file {2 * GIB}",
            ),
            4,
            3,
            "the control group /memory/a/b",
        ),
    ],
)
def test_memory_is_the_least_of_machine_and_groups(
    tmp_path: Path, files: dict[str, str], memory: int, available: int, of: str | None
) -> None:
    found = own_limits(machine(tmp_path, files), usable=8)
    assert (found.memory_bytes, found.available_bytes) == (memory * GIB, available * GIB)
    assert found.memory_of == of


def test_memory_that_the_kernel_does_not_tell_is_unknown(tmp_path: Path) -> None:
    files = group(V2, f"{TOP}/a", memory__max=GIB, memory__current=0)
    found = own_limits(machine(tmp_path, {**files, "proc/meminfo": f"MemTotal: {24 << 20} kB\n"}), usable=8)
    assert (found.memory_bytes, found.available_bytes, found.memory_of) == (GIB, None, "the control group /a")


@pytest.mark.parametrize(
    ("files", "processors", "quota"),
    [
        (group(V2, f"{TOP}/a/b"), 8, None),
        (group(V2, f"{TOP}/a/b", cpu__max="max 100000"), 8, None),
        (group(V2, f"{TOP}/a/b", cpu__max="150000 100000"), 2, 1.5),
        (group(V2, f"{TOP}/a", cpu__max="50000 100000"), 1, 0.5),
        (group(V2, f"{TOP}/a", cpu__max="1600000 100000"), 8, None),
        (group(V1, f"{CPU}/a/b", cpu__cfs_quota_us=400_000, cpu__cfs_period_us=100_000), 4, 4.0),
        (group(V1, f"{CPU}/a/b", cpu__cfs_quota_us=-1, cpu__cfs_period_us=100_000), 8, None),
        # mounted under the joint name alone; a container's own group as the root of it
        (group(V1, f"{TOP}/cpu,cpuacct/a", cpu__cfs_quota_us=150_000, cpu__cfs_period_us=100_000), 2, 1.5),
        (group(V1, f"{TOP}/cpu,cpuacct", cpu__cfs_quota_us=1_000, cpu__cfs_period_us=100_000), 1, 0.01),
    ],
)
def test_processors_are_bounded_by_quotas(
    tmp_path: Path, files: dict[str, str], processors: int, quota: float | None
) -> None:
    found = own_limits(machine(tmp_path, files), usable=8)
    assert (found.processors, found.quota) == (processors, quota)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (group(V2, f"{TOP}/a/b"), {}),
        (group(V2, f"{TOP}/a", cpu__max="50000 100000", cgroup__procs="1"), {"cpu_max": "50000 100000"}),
        (
            group(V2, f"{TOP}/a/b", memory__max="max", cpuset__cpus__effective="3")
            | {f"{TOP}/memory.max": str(GIB)},
            {"memory_max": str(GIB), "cpus": "3"},
        ),
        (group(V1, f"{MEMORY}/a", memory__limit_in_bytes=GIB), {"memory_max": str(GIB)}),
        (group(V1, MEMORY, memory__limit_in_bytes=GIB), {"memory_max": str(GIB)}),
        (
            group("2:blkio:/a/b\n", f"{TOP}/blkio/a", blkio__throttle__write_bps_device="8:0 1048576"),
            {"io_max": "8:0 write_bps_device=1048576"},
        ),
        (group(V1, f"{MEMORY}/a/b", memory__limit_in_bytes=NO_LIMIT), {}),
        (
            group(V1, f"{TOP}/cpu,cpuacct/a/b", cpu__cfs_quota_us=-1, cpu__cfs_period_us=100_000)
            | group(V1, f"{TOP}/cpu,cpuacct/a", cpu__cfs_quota_us=50_000, cpu__cfs_period_us=100_000),
            {"cpu_quota_us": "50000", "cpu_period_us": "100000"},
        ),
    ],
)
def test_the_facts_have_the_tightest_limit_of_all_groups(
    tmp_path: Path, files: dict[str, str], expected: dict[str, str]
) -> None:
    controllers = {f"{TOP}/cgroup.controllers": "cpu memory"} if files["proc/self/cgroup"] == V2 else {}
    found = facts(machine(tmp_path, {**files, **controllers}))
    assert {name: value for name, value in found.items() if name not in ("version", "path")} == expected


def test_tasks_are_those_that_groups_leave(tmp_path: Path) -> None:
    files = {f"{PIDS}/a/b/pids.max": "max", f"{PIDS}/a/pids.max": "100", f"{PIDS}/a/pids.current": "80"}
    assert own_limits(machine(tmp_path, {"proc/self/cgroup": V1, **files}), usable=1).tasks == 20
    assert own_limits(machine(tmp_path / "none", {}), usable=1).tasks is None


ULIMITS = """\
Limit                     Soft Limit           Hard Limit           Units
Max file size             1073741824           unlimited            bytes
Max data size             unlimited            unlimited            bytes
Max processes             4000                 4000                 processes
Max open files            1024                 4096                 files
Max address space         2147483648           unlimited            bytes
"""


@pytest.mark.parametrize(("capabilities", "files"), [("0" * 16, 4096), ("000001ffffffffff", None)])
def test_its_own_limits_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capabilities: str, files: int | None
) -> None:
    """An open-file limit that the process may raise is none."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("os.getuid", lambda: 1000)
    processes = {
        f"proc/{pid}/status": f"Uid:\t{uid}\t0\nThreads:\t{count}\n"
        for pid, uid, count in [(7, 1000, 40), (8, 1000, 2), (9, 0, 500)]
    }
    own = {"proc/self/limits": ULIMITS, "proc/self/status": f"CapEff:\t{capabilities}"}
    found = own_limits(machine(tmp_path, own | processes), usable=2)
    assert (found.memory_bytes, found.memory_of) == (2 * GIB, "ulimit -v")
    assert (found.open_files, found.file_bytes, found.tasks) == (files, GIB, 4000 - 42)
    tighter = group(V2, f"{TOP}/a/b", memory__max=GIB) | {"proc/self/limits": ULIMITS}
    assert own_limits(machine(tmp_path / "both", tighter), usable=2).memory_of == "the control group /a/b"


@pytest.mark.machine
def test_a_quota_of_the_user_is_what_is_free(tmp_path: Path) -> None:
    """The quota of whoever writes, and of nobody else; root has none."""
    image, uid, limit = tmp_path / "image", 54321, 5 << 20
    with image.open("wb") as file:
        file.truncate(32 << 20)
    made = subprocess.run(
        ["mkfs.ext4", "-q", "-F", "-O", "quota", "-E", "quotatype=usrquota", image], check=False
    )
    if made.returncode != 0:
        pytest.skip("no ext4 with quotas can be made here")
    with mounted(tmp_path / "at", "-o", "loop,usrquota", image) as at:
        whole = space(at)
        assert whole.quota_of is None
        assert space(at, uid, 0) == whole
        set_quota(at, uid, limit)
        assert (space(at, uid, 0).free_bytes, space(at, uid, 0).quota_of) == (limit, f"user {uid}")
        assert space(at, uid + 1, 0) == space(at, 0, 0) == whole


def set_quota(at: Path, uid: int, limit: int) -> None:
    """Sets the hard limit of a user; as quotactl_fd(2) does it, for the tools are seldom installed."""
    record = struct.pack("=8QI4x", limit >> 10, 0, 0, 0, 0, 0, 0, 0, 1)
    handle = os.open(at, os.O_RDONLY)
    try:
        if ctypes.CDLL(None).syscall(443, handle, 0x800008 << 8, uid, record) != 0:
            pytest.skip("this kernel sets no quotas")
    finally:
        os.close(handle)


_ASKS = re.compile(
    r"cpu_count\(|sched_getaffinity\(|getrlimit\(|statvfs\(|disk_usage\(|MemTotal|MemAvailable"
    r"|SC_PHYS_PAGES|SC_AVPHYS_PAGES|SC_NPROCESSORS"
)
_MAY_ASK = {
    "system/host/limits.py": "what this process may use",
    "system/host/free_space.py": "what may be written",
    "system/host/perf/recording.py": "the processors of a server",
    "system/host/privileges.py": "the limit of real-time priorities",
    "system/host/facts/memory.py": "facts of the machine",
    "system/host/facts/numa.py": "facts of the machine",
    "system/host/facts/filesystem.py": "facts of the machine",
    "system/host/sampler/memory.py": "samples of the machine",
    "system/host/volume/file_system.py": "a file system of its own, without quotas",
    "system/server/process/launch.py": "raises the limit for its program; imports nothing",
    "system/server/release/answers.py": "whatever a server's answers may depend on",
    "measurement/source/capacity.py": "raises the soft limit; names the machine where that is the limit",
    "design/storage/sections.py": "fio's $ncpus is the machine's",
}


def test_nothing_else_asks_how_much_the_machine_has() -> None:
    """So that no default and no check goes by the machine where the process has less."""
    room = Path(__file__).parents[2] / "python" / "assay"
    asks = {
        str(path.relative_to(room))
        for path in room.rglob("*.py")
        if _ASKS.search(path.read_text(encoding="utf-8"))
    }
    assert asks == set(_MAY_ASK), "own_limits() or space() says it"
