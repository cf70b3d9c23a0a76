"""The sampler `processes`: resources of the server's and the engine's process. Source:
/proc/PID/{stat,io,task/*/status} (proc(5)).
"""

from __future__ import annotations

import re
import resource
from collections.abc import Mapping

from assay.system.host.machine import Machine
from assay.system.host.sampler.cpu import US_PER_TICK

_SWITCHES = re.compile(r"^(voluntary|nonvoluntary)_ctxt_switches:\s+(\d+)", re.MULTILINE)
_PAGE_BYTES = resource.getpagesize()
# One status file costs some 15 µs: with more threads than this, reading them would be load of its own.
_MOST_THREADS = 512


class ProcessesSource:
    """Source `processes`: for each named process `user_us_total`, `system_us_total` (ticks of 10 ms),
    `rss_bytes`, `threads`, `minor_faults_total`, `major_faults_total`, `read_bytes_total`,
    `write_bytes_total` (at the block layer), and `voluntary_switches_total`, `involuntary_switches_total`
    over its threads (of at most 512).

    A process that has ended is absent. `watch` may be called at any time, from any thread.
    """

    name = "processes"

    def __init__(self, pids: Mapping[str, int] | None = None, machine: Machine | None = None) -> None:
        self._machine = machine or Machine()
        self._pids = dict(pids or {})
        self._switches: dict[int, _Switches] = {}

    def watch(self, name: str, pid: int) -> None:
        """Reads this process under `name` from now on, in place of an earlier one of that name."""
        self._pids = {**self._pids, name: pid}

    def alive(self, name: str) -> bool:
        """Returns whether the process that is read under `name` is there."""
        pid = self._pids.get(name)
        return pid is not None and self._machine.text(f"/proc/{pid}/stat") is not None

    def forget(self, name: str) -> None:
        self._pids = {other: pid for other, pid in self._pids.items() if other != name}

    def read(self) -> dict[str, float]:
        values: dict[str, float] = {}
        for name, pid in self._pids.items():
            for key, value in self._process(pid).items():
                values[f"{name}.{key}"] = value
        return values

    def _process(self, pid: int) -> dict[str, float]:
        stat = self._machine.text(f"/proc/{pid}/stat")
        if stat is None:
            return {}
        fields = stat.rpartition(")")[
            2
        ].split()  # the name before it may hold blanks; field 3 of proc(5) is first
        threads = int(fields[17])
        values = {
            "user_us_total": int(fields[11]) * US_PER_TICK,
            "system_us_total": int(fields[12]) * US_PER_TICK,
            "minor_faults_total": float(fields[7]),
            "major_faults_total": float(fields[9]),
            "rss_bytes": float(int(fields[21]) * _PAGE_BYTES),
            "threads": float(threads),
        }
        io = dict(line.split(": ") for line in (self._machine.text(f"/proc/{pid}/io") or "").splitlines())
        for key in ("read_bytes", "write_bytes"):
            if key in io:
                values[f"{key}_total"] = float(io[key])
        if threads <= _MOST_THREADS:
            switches = self._switches.setdefault(pid, _Switches())
            switches.add(self._of_threads(pid))
            values["voluntary_switches_total"] = float(switches.voluntary)
            values["involuntary_switches_total"] = float(switches.involuntary)
        return values

    def _of_threads(self, pid: int) -> dict[str, tuple[int, int]]:
        counts = {}
        for thread in self._machine.names(f"/proc/{pid}/task"):
            found = dict(_SWITCHES.findall(self._machine.text(f"/proc/{pid}/task/{thread}/status") or ""))
            if len(found) == 2:
                counts[thread] = (int(found["voluntary"]), int(found["nonvoluntary"]))
        return counts


class _Switches:
    """The context switches of a process's threads, including those of threads that have ended."""

    def __init__(self) -> None:
        self.voluntary = 0
        self.involuntary = 0
        self._last: dict[str, tuple[int, int]] = {}

    def add(self, counts: dict[str, tuple[int, int]]) -> None:
        for thread, (voluntary, involuntary) in counts.items():
            before = self._last.get(thread, (0, 0))
            if voluntary < before[0]:  # the number was given to a new thread
                before = (0, 0)
            self.voluntary += voluntary - before[0]
            self.involuntary += involuntary - before[1]
        self._last = counts
