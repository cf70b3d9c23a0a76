"""Reads facts about the processors: model, topology, frequency, mitigations. Source: /proc/cpuinfo,
/sys/devices/system/cpu.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.system.host.machine import Machine, labelled, present

_CPU = "/sys/devices/system/cpu"
# Those that change what a server does: checksums, copying, virtual machines, a steady clock.
_FLAGS = (
    "sse4_2",
    "pclmulqdq",
    "avx2",
    "avx512f",
    "vpclmulqdq",
    "erms",
    "fsrm",
    "hypervisor",
    "constant_tsc",
    # of Arm
    "atomics",
    "crc32",
    "pmull",
    "sve",
    "sve2",
)


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Returns the number of `logical` processors online, `cores`, `sockets`, `model`, `mhz`, `microcode`,
    `flags`, `governor` …
    """
    processors = [
        labelled(part) for part in (machine.text("/proc/cpuinfo") or "").split("\n\n") if part.strip()
    ]
    processors = [processor for processor in processors if "processor" in processor]
    first = processors[0] if processors else {}
    flags = (first.get("flags") or first.get("Features") or "").split()
    sockets = {processor["physical id"] for processor in processors if "physical id" in processor}
    cores = {(p["physical id"], p["core id"]) for p in processors if "physical id" in p and "core id" in p}
    return present(
        [
            ("model", first.get("model name") or _arm_model(first)),
            ("vendor", first.get("vendor_id") or first.get("CPU implementer")),
            ("microcode", first.get("microcode")),
            ("mhz", float(first["cpu MHz"]) if "cpu MHz" in first else None),
            ("cache", first.get("cache size")),
            ("logical", len(processors) or None),
            ("cores", len(cores) or None),
            ("sockets", len(sockets) or None),
            ("online", machine.text(f"{_CPU}/online")),
            ("isolated", machine.text(f"{_CPU}/isolated")),
            ("threads_per_core", len(processors) // len(cores) if cores else None),
            ("siblings", _siblings(machine)),
            ("caches", _caches(machine)),
            ("throttled", machine.number(f"{_CPU}/cpu0/thermal_throttle/package_throttle_count")),
            ("smt", machine.text(f"{_CPU}/smt/control")),
            ("flags", " ".join(flag for flag in _FLAGS if flag in flags) or None),
            ("governor", machine.text(f"{_CPU}/cpu0/cpufreq/scaling_governor")),
            (
                "energy_preference",
                machine.text(f"{_CPU}/cpu0/cpufreq/energy_performance_preference"),
            ),
            ("frequency_driver", machine.text(f"{_CPU}/cpu0/cpufreq/scaling_driver")),
            ("min_khz", machine.number(f"{_CPU}/cpu0/cpufreq/scaling_min_freq")),
            ("max_khz", machine.number(f"{_CPU}/cpu0/cpufreq/scaling_max_freq")),
            ("turbo", _turbo(machine)),
            ("idle_driver", machine.text(f"{_CPU}/cpuidle/current_driver")),
            ("vulnerabilities", _vulnerabilities(machine)),
        ]
    )


def _caches(machine: Machine) -> dict[str, object]:
    """Returns the sizes of the first processor's caches `L1d`, `L2`, `L3`, with the processors that share
    each.
    """
    found: list[tuple[str, object]] = []
    for index in machine.names(f"{_CPU}/cpu0/cache"):
        at = f"{_CPU}/cpu0/cache/{index}"
        level, size = machine.text(f"{at}/level"), machine.text(f"{at}/size")
        if level is None or size is None:
            continue
        kind = {"Data": "d", "Instruction": "i"}.get(machine.text(f"{at}/type") or "", "")
        shared = machine.text(f"{at}/shared_cpu_list") or ""
        found.append((f"L{level}{kind}", f"{size} shared by {shared}" if re.search(r"\D", shared) else size))
    return present(found)


def _siblings(machine: Machine) -> str | None:
    """Returns the processors of each core (`0,4 1,5 …`); None where each core has one."""
    cores = {
        machine.text(f"{_CPU}/{name}/topology/thread_siblings_list")
        for name in machine.names(_CPU)
        if re.fullmatch(r"cpu\d+", name)
    }
    several = [core for core in cores if core is not None and re.search(r"\D", core)]
    return " ".join(sorted(several, key=lambda core: int(re.split(r"\D", core)[0]))) or None


def _turbo(machine: Machine) -> bool | None:
    """Returns whether turbo frequencies are allowed; Intel's driver states it negated (`no_turbo`)."""
    off = machine.number(f"{_CPU}/intel_pstate/no_turbo")
    if off is not None:
        return off == 0
    boost = machine.number(f"{_CPU}/cpufreq/boost")
    return None if boost is None else boost == 1


def _vulnerabilities(machine: Machine) -> dict[str, object]:
    folder = f"{_CPU}/vulnerabilities"
    return present((name, machine.text(f"{folder}/{name}")) for name in machine.names(folder))


def _arm_model(processor: Mapping[str, str]) -> str | None:
    """Returns the numbers that an Arm processor has in the place of a name; None where it has none either."""
    names = {"CPU implementer": "implementer", "CPU part": "part", "CPU variant": "variant"}
    told = [f"{word} {processor[name]}" for name, word in names.items() if name in processor]
    return f"Arm {', '.join(told)}, revision {processor.get('CPU revision', '?')}" if told else None
