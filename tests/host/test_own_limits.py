"""The limits of this process: control groups of both versions at every level, and root in name alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.system.host.facts.cgroup import facts
from assay.system.host.limits import own_limits
from assay.system.host.machine import Machine
from assay.system.host.privileges import may_raise_limits, obstacle_to_become

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
        (group(V2, f"{TOP}/a/b", memory__max=GIB), 1, 1, "/a/b"),
        (group(V2, f"{TOP}/a", memory__max=2 * GIB), 2, 2, "/a"),
        (group(V2, f"{TOP}/a/b", memory__high=3 * GIB), 3, 3, "/a/b"),
        (group("0::/", TOP, memory__max=GIB), 1, 1, "/"),
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
            "/a/b",
        ),
        # a wide limit of a group above, of which other members use most
        (group(V2, f"{TOP}/a", memory__max=30 * GIB, memory__current=28 * GIB), 24, 2, "/a"),
        (group(V1, f"{MEMORY}/a/b", memory__limit_in_bytes=NO_LIMIT), 24, 20, None),
        (group(V1, f"{MEMORY}/a/b", memory__limit_in_bytes=GIB), 1, 1, "/memory/a/b"),
        (group(V1, f"{MEMORY}/a", memory__limit_in_bytes=GIB), 1, 1, "/memory/a"),
        # in a container its own group is the root of what it sees
        (group(V1, MEMORY, memory__limit_in_bytes=GIB), 1, 1, "/memory"),
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
            "/memory/a/b",
        ),
    ],
)
def test_memory_is_the_least_of_machine_and_groups(
    tmp_path: Path, files: dict[str, str], memory: int, available: int, of: str | None
) -> None:
    found = own_limits(machine(tmp_path, files), usable=8)
    assert (found.memory_bytes, found.available_bytes) == (memory * GIB, available * GIB)
    assert found.memory_of == of


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


WHOLE, ONE, MANY = "0 0 4294967295", "0 1000 1", "0 1000 1\n1 100000 65536"
ALL, NONE, NO_SETUID = "000001ffffffffff", "0000000000000000", "000001ffffffff7f"


@pytest.mark.parametrize(
    ("uids", "gids", "setgroups", "capabilities", "said", "raises"),
    [
        (WHOLE, WHOLE, "allow", ALL, None, True),
        (ONE, WHOLE, "allow", ALL, "has no user 113", False),
        (WHOLE, ONE, "allow", ALL, "has no group 118", True),
        (MANY, MANY, "allow", ALL, None, False),
        (WHOLE, WHOLE, "deny", ALL, "does not allow setgroups", True),
        (WHOLE, WHOLE, "allow", NO_SETUID, "lacks CAP_SETUID", True),
        (WHOLE, WHOLE, "allow", NONE, "lacks CAP_CHOWN, CAP_SETGID, CAP_SETUID", False),
    ],
)
def test_root_in_name_alone_is_known(
    tmp_path: Path, uids: str, gids: str, setgroups: str, capabilities: str, said: str | None, raises: bool
) -> None:
    files = {"uid_map": uids, "gid_map": gids, "setgroups": setgroups, "status": f"CapEff:\t{capabilities}"}
    at = machine(tmp_path, {f"proc/self/{name}": text for name, text in files.items()})
    found = obstacle_to_become(113, 118, at)
    assert found is None if said is None else said in str(found)
    assert may_raise_limits(at) == raises
