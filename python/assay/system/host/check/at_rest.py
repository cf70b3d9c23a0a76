"""Checks the machine's settings: each check is a function of the facts, and a line in CHECKS."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from assay.system.host.check import storage
from assay.system.host.check.finding import Facts, Finding

_STEADY_CLOCKS = ("tsc", "arch_sys_counter")


def at_rest(facts: Facts) -> list[Finding]:
    """Returns the findings of all checks on these facts."""
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
        found = "always: servers stall while the kernel assembles huge pages"
        yield Finding("huge pages", "disturbs", found, mend)
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
        cut = f", {group['cpu_throttled']} times so far" if group.get("cpu_throttled") else ""
        found = f"{cores:g} processors' worth of time: a burst is stopped short{cut}"
        yield Finding("quota", "disturbs", found, mend)


def _memory(facts: Facts) -> Iterator[Finding]:
    limit = str(facts.get("cgroup", {}).get("memory_max", ""))
    total = facts.get("memory", {}).get("total_bytes", 0)
    if limit.isdigit() and total and int(limit) < total:
        found = f"a control group allows {int(limit) >> 20} of the machine's {total >> 20} MiB"
        yield Finding("memory", "note", found, "make the buffer pool fit, page cache included")


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
    _memory,
    *storage.CHECKS,
)
