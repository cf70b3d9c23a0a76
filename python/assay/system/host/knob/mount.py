"""The knob of mount options of the file system under the data, changed by remounting. Source: mount(8),
ext4(5), xfs(5).
"""

from __future__ import annotations

from pathlib import Path

from assay.base.errors import HostError
from assay.base.privileges import PrivilegeError, refused, speaks_of_rights
from assay.design.study import did_you_mean
from assay.system.host.knob.knob import Knob
from assay.system.host.machine import Machine
from assay.system.host.mounts import Mount, mount_of, mounts
from assay.system.host.privileges import lacks
from assay.system.host.program import run_program
from assay.system.host.stack import sequence

# Options that exclude each other; the first is what holds when the kernel shows none of them.
GROUPS: tuple[tuple[str, ...], ...] = (
    ("strictatime", "relatime", "noatime"),
    ("diratime", "nodiratime"),
    ("nolazytime", "lazytime"),
    ("async", "sync"),
    ("nodiscard", "discard"),
    ("barrier", "nobarrier"),
    ("delalloc", "nodelalloc"),
    ("auto_da_alloc", "noauto_da_alloc"),
)
_KNOWN = [word for group in GROUPS for word in group]


class MountOptions(Knob):
    """Mount options with commas between: `noatime,nodiscard`. Only those of `GROUPS` are allowed, since they
    can be restored.

    Options that a study does not name stay. The value in force has one option of every group.
    """

    name = "mount"

    def targets(self, machine: Machine, data: Path) -> list[str]:
        mount = mount_of(machine, data)
        if mount is None:
            raise HostError(f"{data} is on no mount that this process can see")
        return [mount.point]

    def exists(self, machine: Machine, target: str) -> bool:
        return self._mount(machine, target) is not None

    def identity(self, machine: Machine, target: str) -> str:
        mount = self._mount(machine, target)
        if mount is None:
            return ""
        return f"{mount.source} {mount.device} {sequence(machine, f'/sys/dev/block/{mount.device}')}".strip()

    def show(self, machine: Machine, target: str) -> str:
        mount = self._mount(machine, target)
        if mount is None:
            raise HostError(f"host.mount: nothing is mounted on {target}")
        said = {*mount.options.split(","), *mount.super_options.split(",")}
        return ",".join(next((word for word in group if word in said), group[0]) for group in GROUPS)

    def same(self, shown: str, wanted: str) -> bool:
        return set(wanted.split(",")) <= set(shown.split(","))

    def refusal(self, machine: Machine, target: str, value: str | None = None) -> str | None:
        if (lacking := lacks("mounts", machine)) is not None:
            return f"that {lacking}"
        if machine.program("mount") is None:
            return "there is no mount program"
        words = [] if value is None else value.split(",")
        for word in words:
            if word not in _KNOWN:
                return f"{word} is not an option that can be restored{did_you_mean(word, _KNOWN)}"
        for group in GROUPS:
            if len(both := [word for word in words if word in group]) > 1:
                return f"{both[0]} and {both[1]} cannot be combined"
        return None

    def write(self, machine: Machine, target: str, value: str) -> None:
        program, mount = machine.program("mount"), self._mount(machine, target)
        if program is None or mount is None:
            raise HostError(
                f"host.mount: {target} cannot be remounted: there is no mount program, or no such mount"
            )
        now = set(self.show(machine, target).split(","))
        # Only what differs: a file system need not know the words for what it does anyway.
        words = [word for word in value.split(",") if word not in now]
        if not words:
            return
        excluded = {one for word in words for group in GROUPS if word in group for one in group}
        # A remount sets all flags of the mount anew: those that are to stay are said again. With source and
        # target, /etc/fstab has no say.
        kept = [flag for flag in mount.options.split(",") if flag not in excluded]
        command = [str(program), "-o", ",".join(["remount", *kept, *words])]
        command += ["--source", mount.source, "--target", target]
        done = run_program(command)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines()
            reason = said[0] if said else f"exit code {done.returncode}"
            if speaks_of_rights(reason):
                raise PrivilegeError(f"host.mount of {target}", refused("mounts", f"mount says: {reason}"))
            raise HostError(f"{target} does not accept {','.join(words)}: {reason}")

    def by_hand(self, target: str, value: str) -> str:
        return f"mount -o remount,{value} {target}"

    @staticmethod
    def _mount(machine: Machine, target: str) -> Mount | None:
        """Returns the uppermost mount at this mount point."""
        return next((mount for mount in reversed(mounts(machine)) if mount.point == target), None)
