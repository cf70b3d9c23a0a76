"""Limits the processor time of a server by a control group of its own: a quota of each period of 100 ms, as a
container has it (cgroups(7), "CFS Bandwidth Control" of the kernel's documentation).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import ServerError
from assay.system.server.resources.control_group import CgroupParent, members_of, require_member, text_of

PERIOD_US = 100_000
LEAST_PROCESSORS = 0.01
"""The kernel takes no quota under a millisecond."""


@dataclass(frozen=True)
class QuotaGroup:
    """A control group that exists, with the processors that its members may use together."""

    version: int
    folder: Path
    processors: float

    @property
    def members(self) -> Path:
        """The file that adds a process to the group when its pid is written there."""
        return members_of(self.folder)

    def verify(self, pid: int) -> None:
        """Raises ServerError when the process is not in the group, or the kernel has another quota."""
        require_member(self.folder, pid, "cpu")
        have = _quota_of(self.folder, self.version)
        if have != _quota(self.processors):
            raise ServerError(
                f"server.cpu_quota: asked for {_quota(self.processors)} of {PERIOD_US} us,"
                f" the kernel has {have or 'none'}"
            )


def make_quota_group(name: str, processors: float, parent: CgroupParent) -> QuotaGroup:
    """Makes a control group with a quota of processor time. Raises HostError with the kernel's reason when
    that is not allowed, and leaves nothing.
    """
    folder, quota = parent.make(name), _quota(processors)
    what = f"a quota of {processors:g} processors"
    if parent.version == 2:
        parent.limit(folder, "cpu.max", f"{quota} {PERIOD_US}", what)
    else:
        parent.limit(folder, "cpu.cfs_period_us", str(PERIOD_US), what)
        parent.limit(folder, "cpu.cfs_quota_us", str(quota), what)
    return QuotaGroup(parent.version, folder, processors)


def _quota(processors: float) -> int:
    return round(processors * PERIOD_US)


def _quota_of(folder: Path, version: int) -> int | None:
    """Returns the microseconds of a period that a group may use; None where it has no such limit."""
    if version == 2:
        quota, _, period = text_of(folder / "cpu.max").strip().partition(" ")
    else:
        quota, period = (text_of(folder / f"cpu.cfs_{one}_us").strip() for one in ("quota", "period"))
    return int(quota) if quota.isdecimal() and period == str(PERIOD_US) else None
