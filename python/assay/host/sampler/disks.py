"""The sampler `disks`: requests and bytes of each disk. Source: /proc/diskstats
(Documentation/admin-guide/iostats.rst of the Linux kernel).
"""

from __future__ import annotations

from collections.abc import Iterable

from assay.host.machine import Machine

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

    def read(self) -> dict[str, float]:
        values: dict[str, float] = {}
        for line in (self._machine.text("/proc/diskstats") or "").splitlines():
            _, _, device, *fields = line.split()
            if self._is_real(device):
                for at, (name, factor) in _FIELDS.items():
                    if at < len(fields):
                        values[f"{device}.{name}"] = float(int(fields[at]) * factor)
        return values

    def _is_real(self, device: str) -> bool:
        if device not in self._real:
            # A "/" in a device's name is a "!" in sysfs.
            self._real[device] = self._machine.path(f"/sys/block/{device.replace('/', '!')}/device").exists()
        return self._real[device]
