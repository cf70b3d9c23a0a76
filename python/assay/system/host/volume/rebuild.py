"""Moves data of a btrfs volume from a failed device to a new one, and counts the errors of its devices.

The new device is added and the old one removed, not replaced (btrfs-replace(8)). With Linux 6.18, replacing a
device that answers with errors let writes of a raid5 fail meanwhile, and once stopped the kernel's own
threads in its last step, and all btrfs of the machine with them. Source: btrfs-device(8).
"""

from __future__ import annotations

import contextlib
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import HostError
from assay.system.host.program import run_program
from assay.system.host.volume.loop import said_by

_PATIENCE_S = 0.2
_COUNT = re.compile(r"\[(?P<device>\S+)\]\.(?P<kind>write|read|flush)_io_errs\s+(?P<count>\d+)")


@dataclass
class Rebuild:
    """A rebuild under way; it has ended once `over` returns True, and `require` then raises if it failed."""

    point: Path
    number: int  # of the device that goes
    what: str  # of an error: who could not take whose place
    held_bytes: int  # by the device that goes, when it began
    process: subprocess.Popen[str]

    def over(self, wait_s: float) -> bool:
        """Returns whether the rebuild has ended; waits at most `wait_s` seconds for it."""
        try:
            self.process.wait(wait_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def done_pct(self) -> float:
        """Returns the percentage of the old device's data that other devices hold by now."""
        if not self.held_bytes:
            return 0.0
        return max(100 * (1 - _held_bytes(self.point, self.number) / self.held_bytes), 0.0)

    def cancel(self) -> bool:
        """Cancels the rebuild; returns False when it had ended before. Data not moved yet stays on the old
        device.
        """
        while not self.over(_PATIENCE_S):  # again: it may not have begun when it was told first
            cancel(self.point)
        self.process.communicate()
        return self.process.returncode != 0

    def require(self) -> None:
        """Raises HostError with the program's reason when the rebuild failed."""
        said, complaint = self.process.communicate()
        if self.process.returncode != 0:
            words = " ".join((complaint or said).split())
            raise HostError(
                f"{self.what}: {words or f'exit code {self.process.returncode}'}",
                hint="increase volume.device_size: rebuilding needs room on the other devices",
            )


def begin(number: int, spare: Path, point: Path, what: str) -> Rebuild:
    """Adds `spare` to the volume and begins to move the data of device `number` off it, read from the other
    devices.
    """
    said_by(["btrfs", "device", "add", "-f", "-K", str(spare), str(point)], what)
    held = _held_bytes(point, number)
    try:
        process = subprocess.Popen(
            ["btrfs", "device", "remove", str(number), str(point)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            process_group=0,  # a terminal's Ctrl-C is for the lab, which cancels it
        )
    except OSError as error:
        raise HostError(f"{what}: {error}") from error
    return Rebuild(point, number, what, held, process)


def cancel(point: Path) -> None:
    """Cancels a device removal that is under way at this mount point; does nothing when there is none.

    A removal that a dead lab began continues in the kernel, and keeps the volume in use.
    """
    with contextlib.suppress(HostError):  # there is no btrfs here, nor anything to cancel
        run_program(["btrfs", "device", "remove", "cancel", str(point)])


def errors(point: Path) -> dict[Path, dict[str, int]]:
    """Returns, by device, how many requests ended with an error, by kind: write, read, flush."""
    found: dict[Path, dict[str, int]] = {}
    for line in run_program(["btrfs", "device", "stats", str(point)]).stdout.splitlines():
        if (match := _COUNT.match(line)) is not None:
            found.setdefault(Path(match["device"]), {})[match["kind"]] = int(match["count"])
    return found


def _held_bytes(point: Path, number: int) -> int:
    """Returns the bytes allocated on a device; 0 when the device has gone."""
    shown = run_program(["btrfs", "filesystem", "show", "--raw", str(point)]).stdout
    found = re.search(rf"devid\s+{number}\s+size\s+\d+\s+used\s+(\d+)", shown)
    return 0 if found is None else int(found[1])
