"""A new device on its way into a btrfs volume, and what its devices have answered with errors.

Source: btrfs-replace(8), btrfs-device(8).
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from assay.errors import HostError
from assay.host.program import run_program

_DONE = re.compile(r"([\d.]+)% done")
_COUNT = re.compile(r"\[(?P<device>\S+)\]\.(?P<kind>write|read|flush)_io_errs\s+(?P<count>\d+)")


@dataclass
class Rebuild:
    """Under way as long as `over` says no; then `require` says how it ended."""

    point: Path
    what: str  # of an error: who could not take whose place
    process: subprocess.Popen[str]

    def over(self, wait_s: float) -> bool:
        """Whether it has ended; waits so long for it."""
        try:
            self.process.wait(wait_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def done_pct(self) -> float | None:
        """How far it is; None where the program does not say."""
        found = _DONE.search(run_program(["btrfs", "replace", "status", "-1", str(self.point)]).stdout)
        return None if found is None else float(found[1])

    def cancel(self) -> None:
        """Ends it; the old device keeps its place."""
        cancel(self.point)
        self.process.communicate()

    def require(self) -> None:
        """HostError in the program's own words when it failed."""
        said, complaint = self.process.communicate()
        if self.process.returncode != 0:
            words = " ".join((complaint or said).split())
            raise HostError(f"{self.what}: {words or f'exit code {self.process.returncode}'}")


def begin(number: int, spare: Path, point: Path, what: str) -> Rebuild:
    """`spare` begins to take the place of the device of this number.

    The old one is still read where it answers. With -r, which spares it, writes of a raid5 whose old device
    answers with errors fail by the hundred (Linux 6.18).
    """
    command = ["btrfs", "replace", "start", "-B", "-f", str(number), str(spare), str(point)]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            process_group=0,  # a terminal's Ctrl-C is for the lab, which cancels it
        )
    except OSError as error:
        raise HostError(f"{what}: {error}") from error
    return Rebuild(point, what, process)


def cancel(point: Path) -> None:
    """Ends whatever replacement is under way there; harmless when there is none.

    One that a dead lab began goes on in the kernel, and keeps the volume in use.
    """
    run_program(["btrfs", "replace", "cancel", str(point)])


def errors(point: Path) -> dict[Path, dict[str, int]]:
    """Device -> requests that it answered with an error, by kind: write, read, flush."""
    found: dict[Path, dict[str, int]] = {}
    for line in run_program(["btrfs", "device", "stats", str(point)]).stdout.splitlines():
        if (match := _COUNT.match(line)) is not None:
            found.setdefault(Path(match["device"]), {})[match["kind"]] = int(match["count"])
    return found
