"""Checks of settings: each a function of the facts, and a line in CHECKS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from assay.host.check.finding import Finding

Facts = Mapping[str, Any]

_STEADY_CLOCKS = ("tsc", "arch_sys_counter")
_SOUND = ("optl", "optimal", "ok")


def at_rest(facts: Facts) -> list[Finding]:
    """A finding for each thing that the facts say something of."""
    return [finding for check in CHECKS for finding in check(facts)]


def _governor(facts: Facts) -> Iterator[Finding]:
    governor = facts.get("cpu", {}).get("governor")
    if governor == "performance":
        yield Finding("governor", "ok", governor)
    elif governor is not None:
        mend = 'cpupower frequency-set -g performance; in a study: [host] cpu.governor = "performance"'
        yield Finding("governor", "disturbs", f"{governor}: the clock follows the load", mend)


def _turbo(facts: Facts) -> Iterator[Finding]:
    if facts.get("cpu", {}).get("turbo") is True:
        mend = "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or echo 0 > …/cpufreq/boost"
        yield Finding("turbo", "note", "on: the clock depends on heat and on how many cores work", mend)


def _throttling(facts: Facts) -> Iterator[Finding]:
    if count := facts.get("cpu", {}).get("throttled"):
        yield Finding(
            "throttling",
            "disturbs",
            f"slowed down {count} times for heat since it was started",
            "look at the cooling",
        )


def _smt(facts: Facts) -> Iterator[Finding]:
    if facts.get("cpu", {}).get("smt") == "on":
        mend = 'where it matters: [host] cpu.smt = "off", or server.cpus with one processor of each core'
        yield Finding(
            "multithreading", "note", "two processors share a core: what one gets depends on both", mend
        )


def _huge_pages(facts: Facts) -> Iterator[Finding]:
    chosen = facts.get("memory", {}).get("transparent_hugepage")
    if chosen == "always":
        mend = 'echo madvise > /sys/kernel/mm/transparent_hugepage/enabled; in a study: [host] thp = "never"'
        yield Finding("huge pages", "disturbs", "always: servers stall while memory is put together", mend)
    elif chosen is not None:
        yield Finding("huge pages", "ok", chosen)


def _swap(facts: Facts) -> Iterator[Finding]:
    memory = facts.get("memory", {})
    total, free = memory.get("swap_total_bytes", 0), memory.get("swap_free_bytes", 0)
    if not total:
        yield Finding("swap", "ok", "none")
    elif total - free > total // 10:
        mend = "end what is not needed, then swapoff -a && swapon -a"
        yield Finding("swap", "disturbs", f"{(total - free) >> 20} MiB are swapped out", mend)
    elif memory.get("vm", {}).get("swappiness", 0) > 10:
        mend = "sysctl vm.swappiness=1; in a study: [host] vm.swappiness = 1"
        yield Finding(
            "swap", "note", f"swappiness {memory['vm']['swappiness']}: a buffer pool may be swapped", mend
        )
    else:
        yield Finding("swap", "ok", "hardly used")


def _numa(facts: Facts) -> Iterator[Finding]:
    numa = facts.get("numa", {})
    if facts.get("memory", {}).get("vm", {}).get("zone_reclaim_mode"):
        mend = "sysctl vm.zone_reclaim_mode=0"
        yield Finding("zone reclaim", "disturbs", "memory of one node is freed while another has room", mend)
    if numa.get("nodes", 1) > 1:
        mend = 'in a study: [server] numa = "interleave", or numa = "bind=0" with cpus of that node'
        yield Finding("NUMA", "note", f"{numa['nodes']} nodes: memory is near or far by chance", mend)
        if numa.get("balancing"):
            mend = "sysctl kernel.numa_balancing=0"
            yield Finding("NUMA balancing", "disturbs", "the kernel moves pages under the load", mend)


def _clock(facts: Facts) -> Iterator[Finding]:
    kernel = facts.get("kernel", {})
    source, others = kernel.get("clocksource"), str(kernel.get("clocksources", "")).split()
    if source is None:
        return
    if source in _STEADY_CLOCKS:
        yield Finding("clock", "ok", source)
    elif source == "kvm-clock":
        yield Finding("clock", "note", "kvm-clock: every reading costs a little more than tsc would")
    else:
        better = next((clock for clock in _STEADY_CLOCKS if clock in others), None)
        mend = (
            f"echo {better} > /sys/devices/system/clocksource/clocksource0/current_clocksource"
            if better
            else None
        )
        yield Finding("clock", "disturbs", f"{source}: a reading takes a microsecond or more", mend)


def _virtual(facts: Facts) -> Iterator[Finding]:
    if kind := facts.get("system", {}).get("virtualisation"):
        name = "a virtual machine" if kind == "yes" else f"a virtual machine ({kind})"
        yield Finding(
            "machine", "note", f"{name}: neighbours may take time and disks; the canary and steal show it"
        )


def _limits(facts: Facts) -> Iterator[Finding]:
    group = facts.get("cgroup", {})
    quota, period = str(group.get("cpu_max", "")).split() if "cpu_max" in group else ("", "")
    quota, period = group.get("cpu_quota_us", quota), group.get("cpu_period_us", period)
    if quota and period and str(quota).isdigit():
        cores = int(quota) / int(period)
        mend = "give the container whole processors instead (cpuset)"
        yield Finding(
            "quota", "disturbs", f"{cores:g} processors' worth of time: a burst is stopped short", mend
        )


def _disks(facts: Facts) -> Iterator[Finding]:
    blocks = facts.get("block", {})
    if not blocks:
        mend = "put the data on a disk: ASSAY_HOME, or data_dir in a study's [server]"
        yield Finding("disk", "note", "the data lies on no block device of this machine", mend)
    for name, device in blocks.items():
        if device.get("raid_degraded"):
            yield Finding(
                "array",
                "disturbs",
                f"{name} lacks {device['raid_degraded']} disks",
                f"mdadm --detail /dev/{name}",
            )
        if device.get("raid_sync_action") not in (None, "idle"):
            mend = f"wait for it, or echo idle > /sys/block/{name}/md/sync_action"
            yield Finding(
                "array", "disturbs", f"{name} is at work on itself: {device['raid_sync_action']}", mend
            )
        if device.get("kind") == "loop":
            yield Finding("disk", "note", f"{name} is a file of another file system: every write is two")
        cache, believed = device.get("drive_write_cache"), device.get("queue", {}).get("write_cache")
        if believed == "write through" and cache and "write back" in cache:
            mend = f'echo "write back" > /sys/block/{name}/queue/write_cache'
            yield Finding(
                "disk",
                "disturbs",
                f"{name} caches writes, but is never told to flush: fsync is too quick",
                mend,
            )


def _file_systems(facts: Facts) -> Iterator[Finding]:
    for point, system in facts.get("file_system", {}).items():
        words = {*str(system.get("options", "")).split(","), *str(system.get("super_options", "")).split(",")}
        if system.get("type") in ("tmpfs", "ramfs"):
            yield Finding(
                "file system", "disturbs", f"{point} is in memory: fsync costs nothing", "set ASSAY_HOME"
            )
        if system.get("type") == "overlay":
            mend = "set ASSAY_HOME to a volume of the container"
            yield Finding(
                "file system", "disturbs", f"{point} is an overlay: the first write copies a file", mend
            )
        if "discard" in words:
            mend = f'fstrim now and then instead; in a study: [host] mount = "nodiscard" ({point})'
            yield Finding(
                "file system", "note", f"{point} discards at once: removed files cost I/O later", mend
            )
        if "nobarrier" in words or "barrier=0" in words:
            yield Finding(
                "file system",
                "disturbs",
                f"{point} sends no flushes: fsync promises nothing",
                f"mount -o remount,barrier {point}",
            )
        free, total = system.get("free_bytes"), system.get("total_bytes")
        if free is not None and total and free < total // 20:
            mend = "assay dataset rm --all, or another disk"
            yield Finding(
                "file system",
                "note",
                f"{point} is {100 - 100 * free // total} % full: writes slow down",
                mend,
            )


def _raid(facts: Facts) -> Iterator[Finding]:
    for tool, found in facts.get("raid", {}).items():
        for address, drive in found.items():
            if not isinstance(drive, Mapping) or "state" not in drive:
                continue
            name = f"{tool} {address}"
            if str(drive["state"]).lower() not in _SOUND:
                yield Finding(
                    "RAID controller", "disturbs", f"{name} is {drive['state']}", "look at its disks"
                )
            if doing := drive.get("at_work"):
                yield Finding(
                    "RAID controller", "disturbs", f"{name} is at work on itself: {doing}", "wait for it"
                )
            if was_set := drive.get("write_policy_set"):
                found = f"{name} is set to {was_set}, but writes through: its battery or its cache fails"
                mend = "look at the controller's battery: what it does will change with the charge"
                yield Finding("RAID controller", "disturbs", found, mend)
            elif drive.get("write_policy") == "always-write-back":
                found = f"{name} writes back without a battery too: what was committed may be lost"
                yield Finding("RAID controller", "note", found, "in a study: [host] raid.write_policy")
            elif drive.get("write_policy") == "write-through":
                mend = "look at its battery; in a study: [host] raid.write_policy"
                yield Finding(
                    "RAID controller",
                    "note",
                    f"{name} writes through: its memory is of no use to fsync",
                    mend,
                )


CHECKS: tuple[Callable[[Facts], Iterator[Finding]], ...] = (
    _governor,
    _turbo,
    _throttling,
    _smt,
    _huge_pages,
    _swap,
    _numa,
    _clock,
    _virtual,
    _limits,
    _disks,
    _file_systems,
    _raid,
)
