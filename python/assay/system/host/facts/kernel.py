"""Reads facts about the kernel: release, command line, clock source, settings that affect measurements.
Source: /proc, /sys.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.system.host.machine import Machine, present

_CLOCK = "/sys/devices/system/clocksource/clocksource0"


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    return present(
        [
            ("release", machine.text("/proc/sys/kernel/osrelease")),
            ("build", machine.text("/proc/sys/kernel/version")),
            ("machine", machine.text("/proc/sys/kernel/arch")),
            ("command_line", machine.text("/proc/cmdline")),
            ("clocksource", machine.text(f"{_CLOCK}/current_clocksource")),
            ("clocksources", machine.text(f"{_CLOCK}/available_clocksource")),
            ("randomize_va_space", machine.number("/proc/sys/kernel/randomize_va_space")),
            ("perf_event_max_sample_rate", machine.number("/proc/sys/kernel/perf_event_max_sample_rate")),
            ("sched_autogroup", machine.number("/proc/sys/kernel/sched_autogroup_enabled")),
            ("io_uring_disabled", machine.number("/proc/sys/kernel/io_uring_disabled")),
            ("pressure", machine.text("/proc/pressure/cpu") is not None or None),
            ("tainted", machine.number("/proc/sys/kernel/tainted")),
            ("aio_max_nr", machine.number("/proc/sys/fs/aio-max-nr")),
            ("somaxconn", machine.number("/proc/sys/net/core/somaxconn")),
        ]
    )
