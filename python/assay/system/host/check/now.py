"""Checks what runs on the machine at the moment, by two readings of its counters with the canary in
between.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from assay.base.tally import ranked
from assay.system.host.check.finding import Finding
from assay.system.host.knob.journal import notes_folder
from assay.system.host.machine import Machine
from assay.system.host.sampler.canary import SWING, CanarySource
from assay.system.host.sampler.cpu import US_PER_TICK, CpuSource
from assay.system.host.sampler.disks import DisksSource

LOOK_S = 2.0
_READINGS = 40
_NAMED = 3
_BUSY = 0.05
"""Share of all processors' time that other programs may use."""
_STEAL = 0.01
_DISK_BUSY = 0.05
_PARTS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")


def right_now(machine: Machine, look_s: float = LOOK_S, journal: Path | None = None) -> list[Finding]:
    """Returns findings about other programs and busy disks, watched for `look_s` seconds, and about settings
    that a killed study left changed.
    """
    cpu, disks, canary = CpuSource(machine), DisksSource(machine), CanarySource()
    programs, before, disks_before, began = by_program(machine), cpu.read(), disks.read(), time.monotonic()
    costs = []
    for _ in range(_READINGS):
        costs.append(canary.read()["cpu_us"])
        time.sleep(look_s / _READINGS)
    seconds = time.monotonic() - began
    return [
        *left_changed(journal or notes_folder()),
        *shares(before, cpu.read(), own_us=sum(costs), who=busiest(programs, by_program(machine), seconds)),
        *busy_disks(disks_before, disks.read(), seconds),
        swinging(costs),
    ]


def left_changed(journal: Path) -> Iterator[Finding]:
    """Yields a finding when a study has changed settings of the machine and has not restored them."""
    if (journal / "journal").exists():
        found = "a study has changed settings: it is running, or was killed"
        mend = "assay server sweep restores settings that no running study needs"
        yield Finding("settings", "disturbs", found, mend)


def by_program(machine: Machine) -> dict[tuple[int, str], float]:
    """Returns the processor time of every other process so far, in µs, by process id and name."""
    found = {}
    for name in machine.names("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        stat = machine.text(f"/proc/{name}/stat") or ""
        program, mark, rest = stat.partition("(")[2].rpartition(")")
        if mark:
            user, system = rest.split()[11:13]
            found[int(name), program] = (int(user) + int(system)) * US_PER_TICK
    return found


def busiest(
    before: Mapping[tuple[int, str], float], after: Mapping[tuple[int, str], float], seconds: float
) -> str:
    """Returns the programs that used most processor time, in processors (`rustc 1.2, mariadbd 0.4`); empty
    when none did.
    """
    used: dict[str, float] = {}
    for (number, program), total in after.items():
        share = (total - before.get((number, program), 0.0)) / 1e6 / max(seconds, 0.01)
        used[program] = used.get(program, 0.0) + share
    most = sorted(used.items(), key=lambda item: -item[1])[:_NAMED]
    return ", ".join(f"{program} {share:.2g}" for program, share in most if share > _BUSY)


def shares(
    before: Mapping[str, float], after: Mapping[str, float], own_us: float = 0.0, who: str = ""
) -> Iterator[Finding]:
    """Yields findings on how the processors' time was spent between two readings of the sampler `cpu`; this
    process used `own_us` of it.
    """
    spent = {part: after.get(f"{part}_us_total", 0) - before.get(f"{part}_us_total", 0) for part in _PARTS}
    whole = sum(spent.values())
    if whole <= 0:
        return
    steal = spent["steal"] / whole
    if steal > _STEAL:
        mend = "measure at another time, or on another host"
        yield Finding("steal", "disturbs", f"{steal:.1%} of the processors' time went to neighbours", mend)
    busy = max(0.0, whole - spent["idle"] - spent["iowait"] - spent["steal"] - own_us) / whole
    if busy > _BUSY:
        names = f": {who} (processors)" if who else ""
        found = f"{busy:.0%} of the processors' time goes to others{names}"
        yield Finding("load", "disturbs", found, "end it, or wait; `top` shows all")
    else:
        yield Finding("load", "ok", f"{busy:.0%} of the processors is in use")


def busy_disks(before: Mapping[str, float], after: Mapping[str, float], seconds: float) -> Iterator[Finding]:
    """Yields a finding for each disk that is busy although no measurement runs."""
    for name in after:
        device, _, value = name.partition(".")
        if value != "busy_us_total" or seconds <= 0:
            continue
        busy = (after[name] - before.get(name, after[name])) / seconds / 1e6
        if busy > _DISK_BUSY:
            yield Finding(
                "disk", "disturbs", f"{device} is busy {min(busy, 1):.0%} of the time", "iotop, and end it"
            )


def swinging(costs: list[float]) -> Finding:
    """Returns the canary's finding: whether a fixed piece of work takes the same time in every repetition."""
    usual = median(costs)
    slow = ranked(costs, 0.9)
    swing = slow / usual if usual else 1.0
    found = f"a fixed piece of work costs {usual:.0f} µs, one time in ten {swing:.2f} times that"
    if swing > SWING:
        mend = "the clock follows the load, or neighbours share cores and memory"
        return Finding("canary", "disturbs", found, mend)
    return Finding("canary", "ok", found)
