"""The table of privileges: what any user may do, what needs a capability, what needs root.

A refusal for want of a privilege is a `Lacking`, which only a line of this table makes: so every one names
its line, and `assay doctor` shows all lines with what the process has of them.
Source: capabilities(7), cgroups(7), perf_event_open(2), ip(7).
"""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass
from typing import Literal

from assay.base.errors import HostError

Level = Literal["user", "capability", "root"]

REFUSED = {errno.EPERM, errno.EACCES, errno.EROFS}
"""The kernel's errors for what a process may not do, read-only trees of a container included."""
_REFUSALS = re.compile("not permitted|permission denied|must be superuser|only root", re.IGNORECASE)


@dataclass(frozen=True)
class Privilege:
    """A line of the table. `feature` is what it allows, `otherwise` what happens without it, `or_else` what
    does instead of root or the capabilities.

    `of_machine` marks what counts on the machine alone: root of a container's user namespace has none of it.
    """

    name: str
    feature: str
    otherwise: str = ""
    root: bool = False
    capabilities: tuple[str, ...] = ()
    or_else: str = ""
    of_machine: bool = False

    @property
    def level(self) -> Level:
        """What the line asks for: nothing, a capability, or root."""
        return "root" if self.root else "capability" if self.capabilities else "user"

    @property
    def needs(self) -> str:
        """What the line asks for, in words: `root with CAP_SYS_ADMIN`."""
        if self.level == "user":
            return "any user"
        words = " and ".join(filter(None, (", ".join(self.capabilities[:-1]), *self.capabilities[-1:])))
        asked = ("root with " + words if words else "root") if self.root else words
        return f"{asked}, or {self.or_else}" if self.or_else else asked

    @property
    def told(self) -> str:
        """What the line asks for, as a part of a sentence that names the line."""
        return f"needs {self.needs} (`{self.name}` in assay doctor)"


_LINES = (
    Privilege("servers", "private servers, datasets, studies, gates, fleets"),
    Privilege("bench", "bench, sysbench, fio, disk and calibrate"),
    Privilege("reports", "reports, tables, results in Python"),
    Privilege("web", "pages of serve and site, on a port from 1024 up"),
    Privilege(
        "caches", "data outside the page cache at the start: Assay evicts its own files, and no others"
    ),
    Privilege(
        "accounts",
        "servers of root run under an account of their own, mysql or nobody",
        "servers run as root",
        capabilities=("CAP_CHOWN", "CAP_SETGID", "CAP_SETUID"),
        or_else="a user other than root",
    ),
    Privilege(
        "ports",
        "ports below 1024, for serve, servers and agents",
        "choose a port from 1024 up",
        capabilities=("CAP_NET_BIND_SERVICE",),
        or_else="net.ipv4.ip_unprivileged_port_start below the port",
        of_machine=True,
    ),
    Privilege(
        "files",
        "more open files than the hard limit, for many connections",
        "raise it with `ulimit -Hn` as root, or use fewer connections",
        capabilities=("CAP_SYS_RESOURCE",),
        of_machine=True,
    ),
    Privilege(
        "timer",
        "arrivals on time on a busy machine, by a timer of real-time priority",
        "arrivals may come late, which a doubt says",
        capabilities=("CAP_SYS_NICE",),
        or_else="`ulimit -r` above 0",
        of_machine=True,
    ),
    Privilege(
        "others",
        "processes of other users: who listens at a port, the I/O of a running server",
        "the load of other programs beside such a server is not judged",
        capabilities=("CAP_SYS_PTRACE",),
        of_machine=True,
    ),
    Privilege(
        "perf",
        "perf record of a server, kernel included",
        "run `sysctl kernel.perf_event_paranoid=1` as root, or profile as root",
        capabilities=("CAP_PERFMON",),
        or_else="kernel.perf_event_paranoid of 1 or less",
        of_machine=True,
    ),
    Privilege(
        "io_uring",
        "the I/O engine io_uring of loads on files, and one call for many sockets under load",
        "choose ioengine libaio or psync; loads on servers do without",
        capabilities=("CAP_SYS_ADMIN",),
        or_else="kernel.io_uring_disabled of 0 and no filter of system calls",
    ),
    Privilege(
        "numa",
        "server.numa, where a container filters set_mempolicy",
        "leave server.numa out, or run the container with CAP_SYS_NICE",
        capabilities=("CAP_SYS_NICE",),
        or_else="no filter of system calls",
    ),
    Privilege(
        "memory",
        "server.memory and server.cpu_quota, by a control group",
        "run assay as root, or in a scope whose groups are yours: systemd-run --user --scope assay …",
        root=True,
        or_else="a control group of yours",
    ),
    Privilege(
        "devices",
        "loads on block devices, past a file system",
        "name a file in place of the device, or join the group of the device, often disk",
        root=True,
        or_else="a block device that this user may write",
    ),
    Privilege(
        "settings",
        "[host]: settings in /sys and /proc",
        "run assay as root on the machine itself, or leave [host] out",
        root=True,
    ),
    Privilege(
        "mounts",
        "host.mount: options of a mounted file system",
        "run assay as root on the machine itself, or leave host.mount out",
        root=True,
        capabilities=("CAP_SYS_ADMIN",),
        of_machine=True,
    ),
    Privilege(
        "controllers",
        "host.raid.*, and facts of RAID controllers and arrays",
        "run assay as root on the machine itself, or leave host.raid out",
        root=True,
        capabilities=("CAP_SYS_ADMIN", "CAP_SYS_RAWIO"),
        of_machine=True,
    ),
    Privilege(
        "volumes",
        "[volume]: loop devices, file systems and RAID of a run's own",
        "run assay as root on the machine itself, or leave [volume] out",
        root=True,
        capabilities=("CAP_SYS_ADMIN",),
        of_machine=True,
    ),
    Privilege(
        "networks",
        'load.client = "netns" with load.delay_ms: network namespaces and netem',
        'run assay as root, or choose load.client = "tcp"',
        root=True,
        capabilities=("CAP_NET_ADMIN", "CAP_SYS_ADMIN"),
    ),
)
PRIVILEGES = {one.name: one for one in _LINES}
"""The lines of the table by name, those for any user first."""


@dataclass(frozen=True)
class Lacking:
    """A privilege that this process lacks, and why: `this process is not root`."""

    privilege: Privilege
    why: str

    def __str__(self) -> str:
        """The reason as a part of a sentence, with the line of the table."""
        return f"needs {self.privilege.needs}, but {self.why} (`{self.privilege.name}` in assay doctor)"


def refused(name: str, why: str) -> Lacking:
    """Returns what the kernel or a program has refused, as lacking the privilege of that line."""
    return Lacking(PRIVILEGES[name], why)


def speaks_of_rights(text: str) -> bool:
    """Returns whether a program's message says that the process may not do what it asked for."""
    return _REFUSALS.search(text) is not None


class PrivilegeError(HostError):
    """This process lacks a privilege; the message names the line of the table, the hint what to do."""

    def __init__(self, what: str, lacking: Lacking, *, detail: str | None = None) -> None:
        super().__init__(f"{what} {lacking}", hint=lacking.privilege.otherwise or None, detail=detail)
        self.lacking = lacking
