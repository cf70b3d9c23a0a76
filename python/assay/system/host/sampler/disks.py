"""The sampler `disks`: requests and bytes of each disk. Source: /proc/diskstats
(Documentation/admin-guide/iostats.rst of the Linux kernel).
"""

from __future__ import annotations

from collections.abc import Iterable

from assay.system.host.machine import Machine

_WRAPS_AT_MS = 1 << 32
"""The kernel prints times in 32 bits: they begin anew after 49.7 days of waiting, 18.6 hours at a depth of
64.
"""
_SECTOR_BYTES = 512  # of the kernel's count, whatever the device's own sector is
# Field after the name -> (value, factor). Times are in ms there, in µs here.
_FIELDS = {
    0: ("reads_total", 1),
    1: ("reads_merged_total", 1),
    2: ("read_bytes_total", _SECTOR_BYTES),
    3: ("read_time_us_total", 1000),
    4: ("writes_total", 1),
    5: ("writes_merged_total", 1),
    6: ("write_bytes_total", _SECTOR_BYTES),
    7: ("write_time_us_total", 1000),
    8: ("in_flight", 1),
    9: ("busy_us_total", 1000),
    10: ("queue_time_us_total", 1000),
    11: ("discards_total", 1),
    13: ("discard_bytes_total", _SECTOR_BYTES),
    15: ("flushes_total", 1),
    16: ("flush_time_us_total", 1000),
}


class DisksSource:
    """Source `disks`: `vda.reads_total`, `vda.write_bytes_total`, `vda.in_flight`, `vda.busy_us_total` (its
    rate / 1e6 is the utilisation), `vda.queue_time_us_total` (its rate / 1e6 is the mean queue) …

    Only devices with hardware behind them (/sys/block/NAME/device) are read, since partitions, volumes and
    loop devices would count the same I/O again; devices of `also` are read in any case.
    """

    name = "disks"

    def __init__(self, machine: Machine | None = None, also: Iterable[str] = ()) -> None:
        self._machine = machine or Machine()
        self._real: dict[str, bool] = dict.fromkeys(also, True)
        self._before: dict[str, list[int]] = {}

    def read(self) -> dict[str, float]:
        values: dict[str, float] = {}
        for line in (self._machine.text("/proc/diskstats") or "").splitlines():
            _, _, device, *fields = line.split()
            if self._is_real(device):
                counts = self._before[device] = _unwrapped(list(map(int, fields)), self._before.get(device))
                for at, (name, factor) in _FIELDS.items():
                    if at < len(counts):
                        values[f"{device}.{name}"] = float(counts[at] * factor)
        return values

    def _is_real(self, device: str) -> bool:
        if device not in self._real:
            # A "/" in a device's name is a "!" in sysfs.
            self._real[device] = self._machine.path(f"/sys/block/{device.replace('/', '!')}/device").exists()
        return self._real[device]


def _unwrapped(counts: list[int], before: list[int] | None) -> list[int]:
    """Returns the fields of a device with its times going on beyond 32 bits, after a reading with `before`.

    Where a count of requests went backwards, the device is another one, and all of its fields begin anew.
    """
    if before is None or len(before) != len(counts):
        return counts
    times = {at for at, (name, _) in _FIELDS.items() if name.endswith("_us_total")}
    levels = {at for at, (name, _) in _FIELDS.items() if not name.endswith("_total")}
    if any(counts[at] < before[at] for at in range(len(counts)) if at not in times | levels):
        return counts
    return [
        before[at] + (count - before[at]) % _WRAPS_AT_MS if at in times else count
        for at, count in enumerate(counts)
    ]
