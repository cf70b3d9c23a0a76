"""What this process may do, by line of the table of privileges: in a container root often is root in name
alone.

Source: user_namespaces(7), capabilities(7), proc_pid_status(5).
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import resource
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.base.privileges import PRIVILEGES, Lacking, Privilege
from assay.system.host.control_groups import ROOT, group_folders
from assay.system.host.machine import Machine, labelled

_BITS = {
    "CAP_CHOWN": 0,
    "CAP_SETGID": 6,
    "CAP_SETUID": 7,
    "CAP_NET_BIND_SERVICE": 10,
    "CAP_NET_ADMIN": 12,
    "CAP_SYS_RAWIO": 17,
    "CAP_SYS_PTRACE": 19,
    "CAP_SYS_ADMIN": 21,
    "CAP_SYS_NICE": 23,
    "CAP_SYS_RESOURCE": 24,
    "CAP_PERFMON": 38,
}
"""The capabilities that the table names, with their bits (linux/capability.h)."""

_ANYBODY = 65534  # nobody, in the user namespace of every machine
_WHOLE = ["0", "0", "4294967295"]
_PERF_LEVEL = 1
_PORTS = 1024
_NO_MODE = 4095
_IO_URING_SETUP = 425  # on all machines
_OWNER = 0xB701  # NS_GET_USERNS of linux/nsfs.h
SET_MEMPOLICY = {"x86_64": 238, "aarch64": 237}
"""The numbers of the system call, for which libc has no function."""


@dataclass(frozen=True)
class Rights:
    """What the kernel grants this process. `held` are its effective capabilities, of those that matter here;
    `of_machine` is False in a user namespace, whose rights end there.

    `filtered` says whether system calls pass a filter (seccomp), as in most containers.
    """

    uid: int
    held: frozenset[str]
    of_machine: bool
    filtered: bool
    no_new_privileges: bool

    @property
    def words(self) -> str:
        """The rights in a line, as `uid 0 of a user namespace; system calls are filtered`."""
        lacking = [name for name in _BITS if name not in self.held]
        held = "no capability" if not self.held else "all" if not lacking else f"without {', '.join(lacking)}"
        parts = [f"uid {self.uid}" + ("" if self.of_machine else " of a user namespace")]
        parts.append(f"capabilities: {held}" if self.held else held)
        parts += ["system calls are filtered (seccomp)"] if self.filtered else []
        parts += ["no new privileges"] if self.no_new_privileges else []
        return "; ".join(parts)


def rights(machine: Machine | None = None) -> Rights:
    """Returns the rights of this process. On a recorded machine without its status, they are root's."""
    at = machine or Machine()
    status = labelled(at.text("/proc/self/status") or "")
    held = int(status.get("CapEff", "ffffffffffffffff"), 16)
    return Rights(
        uid=os.geteuid(),
        held=frozenset(name for name, bit in _BITS.items() if held >> bit & 1),
        of_machine=(at.text("/proc/self/uid_map") or " ".join(_WHOLE)).split() == _WHOLE,
        filtered=status.get("Seccomp", "0") != "0",
        no_new_privileges=status.get("NoNewPrivs", "0") != "0",
    )


def lacks(name: str, machine: Machine | None = None) -> Lacking | None:
    """Returns why this process has not the privilege of that line of the table; None when it has."""
    return _lacks(PRIVILEGES[name], machine or Machine())


def standings(machine: Machine | None = None) -> Iterator[tuple[Privilege, Lacking | None]]:
    """Yields every line of the table with what this process lacks of it."""
    for one in PRIVILEGES.values():
        yield one, _lacks(one, machine or Machine())


def _lacks(one: Privilege, at: Machine) -> Lacking | None:
    has = rights(at)
    if one.level == "user" or (one.name in _INSTEAD and _INSTEAD[one.name](at, has)):
        return None
    why = None
    if one.root and has.uid != 0:
        why = "this process is not root"
    elif missing := [name for name in one.capabilities if name not in has.held]:
        why = f"this process lacks {', '.join(missing)}"
    elif one.of_machine and not has.of_machine:
        why = "the rights of this process end at its user namespace"
    elif one.name in _OBSTACLES:
        why = _OBSTACLES[one.name](at)
    return None if why is None else Lacking(one, why)


def obstacle_to_become(uid: int, gid: int, machine: Machine | None = None) -> str | None:
    """Returns why root cannot start a process as this user and group, or give files to it; None when it
    can.
    """
    at = machine or Machine()
    for file, number, what in (("uid_map", uid, "user"), ("gid_map", gid, "group")):
        text = at.text(f"/proc/self/{file}")
        if text is not None and not any(_maps(line, number) for line in text.splitlines()):
            return f"this user namespace has no {what} {number}"
    if at.text("/proc/self/setgroups") == "deny":
        return "this user namespace does not allow setgroups"
    held = rights(at).held
    missing = [name for name in PRIVILEGES["accounts"].capabilities if name not in held]
    return f"it lacks {', '.join(missing)}" if missing else None


def may_raise_limits(machine: Machine | None = None) -> bool:
    """Returns whether this process may raise a hard limit (CAP_SYS_RESOURCE of the first user namespace)."""
    return lacks("files", machine) is None


def _maps(line: str, number: int) -> bool:
    first, _, count = (int(word) for word in line.split())
    return first <= number < first + count


def _has_low_ports(at: Machine, has: Rights) -> bool:
    first = at.number("/proc/sys/net/ipv4/ip_unprivileged_port_start")
    in_its_own = at.root == Path("/") and "CAP_NET_BIND_SERVICE" in has.held and _is_own("net")
    return in_its_own or (first is not None and first < _PORTS)


def _has_real_time(at: Machine, has: Rights) -> bool:
    return resource.getrlimit(resource.RLIMIT_RTPRIO)[1] != 0


def _has_perf(at: Machine, has: Rights) -> bool:
    level = at.number("/proc/sys/kernel/perf_event_paranoid")
    # CAP_SYS_ADMIN had the right before CAP_PERFMON was split off, and keeps it.
    return (has.of_machine and "CAP_SYS_ADMIN" in has.held) or (level is not None and level <= _PERF_LEVEL)


def _has_group(at: Machine, has: Rights) -> bool:
    folder = _parent_of_groups(at)
    return has.uid != 0 and folder is not None and os.access(folder, os.W_OK)


def _parent_of_groups(at: Machine) -> Path | None:
    """Returns the folder in which a control group for memory is made, None where this process sees none: in
    version 1 that of its own group, in version 2 the one above.
    """
    seen = [folder for folder in group_folders(at, "memory") if at.path(folder).is_dir()]
    if not seen:
        return None
    unified = not seen[0].startswith(f"{ROOT}/memory")
    return at.path(seen[min(1, len(seen) - 1)] if unified else seen[0])


def _groups_closed(at: Machine) -> str | None:
    folder = _parent_of_groups(at)
    if folder is None:
        return "it sees no control groups for memory"
    return None if os.access(folder, os.W_OK) else f"{folder} cannot be written"


def _settings_closed(at: Machine) -> str | None:
    """Returns which of the kernel's trees a container has mounted read-only."""
    for place in ("/proc/sys/vm/swappiness", "/sys/kernel/mm/transparent_hugepage/enabled"):
        if at.path(place).exists() and not os.access(at.path(place), os.W_OK):
            return f"{place} cannot be written"
    return None


def _namespaces_of_others(at: Machine) -> str | None:
    """Returns which of its namespaces belong to another user namespace, where root of this one has no rights
    (ioctl_ns(2)).
    """
    if at.root != Path("/"):
        return None
    others = [word for kind, word in (("net", "network"), ("mnt", "mounts")) if not _is_own(kind)]
    return f"another user namespace owns its {' and '.join(others)}" if others else None


def _is_own(kind: str) -> bool:
    try:
        namespace = os.open(f"/proc/self/ns/{kind}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return True  # a kernel without them
    try:
        owner = fcntl.ioctl(namespace, _OWNER)
        try:
            return os.fstat(owner).st_ino == os.stat("/proc/self/ns/user").st_ino  # noqa: PTH116 - its target
        finally:
            os.close(owner)
    except OSError as error:
        return error.errno != errno.EPERM
    finally:
        os.close(namespace)


def _numa_closed(at: Machine) -> str | None:
    number = SET_MEMPOLICY.get(os.uname().machine)
    if number is None or not _is_refused(number, _NO_MODE, None, ctypes.c_ulong(0)):
        return None
    return "a filter refuses set_mempolicy"


def _rings_closed(at: Machine) -> str | None:
    if not _is_refused(_IO_URING_SETUP, 0, None):
        return None
    return "kernel.io_uring_disabled or a filter refuses io_uring_setup"


def _is_refused(number: int, *arguments: Any) -> bool:
    """Returns whether a system call is refused to this process; the arguments are wrong, so that it changes
    nothing.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    ctypes.set_errno(0)
    libc.syscall(number, *arguments)
    return ctypes.get_errno() == errno.EPERM


def _devices_closed(at: Machine) -> str | None:
    """Returns that there is no disk that this process may write. Loop devices and RAM disks are no disks."""
    names = (name for name in at.names("/sys/block") if not name.startswith(("loop", "ram", "zram")))
    if any(os.access(at.path(f"/dev/{name}"), os.W_OK) for name in names):
        return None
    return "no block device can be written"


_INSTEAD: Mapping[str, Callable[[Machine, Rights], bool]] = {
    "accounts": lambda at, has: has.uid != 0,
    "ports": _has_low_ports,
    "timer": _has_real_time,
    "perf": _has_perf,
    "numa": lambda at, has: _numa_closed(at) is None,
    "io_uring": lambda at, has: _rings_closed(at) is None,
    "memory": _has_group,
    "devices": lambda at, has: _devices_closed(at) is None,
}
"""What does instead of the capabilities of a line."""

_OBSTACLES: Mapping[str, Callable[[Machine], str | None]] = {
    "accounts": lambda at: obstacle_to_become(_ANYBODY, _ANYBODY, at),
    "devices": _devices_closed,
    "io_uring": _rings_closed,
    "memory": _groups_closed,
    "networks": _namespaces_of_others,
    "numa": _numa_closed,
    "settings": _settings_closed,
}
"""What may be in the way although root and the capabilities are there."""
