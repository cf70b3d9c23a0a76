"""Gives a server its processors, allocator, NUMA nodes, limits of memory and of processor time, slower syncs.

They are set when the server starts, and read back from the kernel when it runs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import HostError, InputError, ServerError
from assay.base.number_lists import number_list, parse_numbers
from assay.design.study import size_text
from assay.system.host import own_limits
from assay.system.server.flavour import ARCHITECTURES, this_machine
from assay.system.server.process.private import PrivateDir
from assay.system.server.process.sync_delay import MACHINES as SYNC_MACHINES
from assay.system.server.release.build import Build
from assay.system.server.resources.memory_group import machine_bytes
from assay.system.server.resources.numa import NumaPolicy

ALLOCATORS = {
    "jemalloc": ("libjemalloc.so.2", "libjemalloc.so.1"),
    "tcmalloc": ("libtcmalloc_minimal.so.4", "libtcmalloc.so.4"),
    "mimalloc": ("libmimalloc.so.2", "libmimalloc.so.3"),
}
_LIBRARY_FOLDERS = ("/usr/lib64", "/usr/local/lib", "/usr/lib")

_FILTERED = re.compile(r"^Seccomp:\s*2$", re.MULTILINE)
"""In /proc/PID/status: system calls pass a filter (proc(5))."""

PADDING = "ASSAY_PADDING"
"""Environment variable whose length moves the stack of a server."""


@dataclass(frozen=True)
class Hosting:
    """The resources of one server. `cpus`: the only processors it may run on; empty: all that this process
    may. `preload`: a library.

    `memory_bytes`: the most that it may take, page cache included; None: no limit. `cpu_quota`: the
    processors that its threads may use together; None: all. `sync_delay_us`: added to each fsync; None: the
    kernel asks nobody. `numa`: the nodes of its
    memory; None: as for this process. `padding_bytes`: of a variable that makes its environment longer.
    """

    cpus: frozenset[int] = frozenset()
    preload: Path | None = None
    memory_bytes: int | None = None
    cpu_quota: float | None = None
    sync_delay_us: int | None = None
    numa: NumaPolicy | None = None
    padding_bytes: int = 0

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables with which the server is started."""
        preload = {"LD_PRELOAD": str(self.preload)} if self.preload else {}
        return preload | ({PADDING: "x" * self.padding_bytes} if self.padding_bytes else {})

    def check(self, *, trying: bool = True) -> None:
        """Raises HostError when this process cannot give a server these processors or this limit of memory;
        `trying` tests the limit.
        """
        usable = own_limits().usable
        if missing := self.cpus - usable:
            raise HostError(
                f"server.cpus: processors {number_list(missing)} do not exist here, or are not available to"
                " this process",
                hint=f"this process may use {number_list(usable)}",
            )
        if self.numa is not None:
            self.numa.check()
        if self.cpu_quota is not None and trying:
            with PrivateDir() as trial:
                trial.quota_group(self.cpu_quota)
        if self.sync_delay_us is not None and this_machine() not in SYNC_MACHINES:
            raise HostError(
                f"server.sync_delay_ms: this kind of machine, {this_machine()}, has no such delay",
                hint=f"run it on one of {', '.join(SYNC_MACHINES)}",
            )
        if self.memory_bytes is not None:
            if self.memory_bytes >= machine_bytes():
                raise HostError(
                    f"server.memory = {size_text(self.memory_bytes)} must be less than the memory"
                    " of this machine",
                    hint=f"this machine has {machine_bytes() >> 20}M"
                    + (f", as {limit} allows" if (limit := own_limits().memory_of) else ""),
                )
            if not trying:
                return
            with PrivateDir() as trial:
                trial.memory_group(self.memory_bytes)

    def verify(self, pid: int) -> None:
        """Raises ServerError when the running server has other processors, or has not loaded the library."""
        status = Path(f"/proc/{pid}/status").read_text()
        have = status.partition("Cpus_allowed_list:")[2].split("\n", 1)[0].strip()
        if self.cpus and parse_cpus(have) != self.cpus:
            raise ServerError(f"server.cpus: asked for {number_list(self.cpus)}, the server has {have}")
        if self.numa is not None:
            self.numa.verify(pid)
        if self.sync_delay_us is not None and not _FILTERED.search(status):
            raise ServerError("server.sync_delay_ms: the server runs without the filter that delays syncs")
        maps = Path(f"/proc/{pid}/maps").read_text(errors="replace")
        if self.preload and str(self.preload.resolve()) not in maps:
            raise ServerError(f"server.allocator: the server did not load {self.preload}")


def parse_cpus(text: str) -> frozenset[int]:
    """Returns the processors in a list such as `0-3,8`. Raises InputError for other text."""
    try:
        return parse_numbers(text)
    except ValueError:
        raise InputError(
            f"server.cpus: {text!r} is not a list of processors", hint="write numbers and ranges, as in 0-3,8"
        ) from None


def find_allocator(name: str, build: Build) -> Path | None:
    """Returns the library of `jemalloc`, `tcmalloc` or `mimalloc`; None for `libc`, which needs no
    preloading.

    The server's own libraries are searched first: a server that brings its own libc cannot load this
    machine's. Raises HostError, which says how to get it, when it is not found.
    """
    if name == "libc":
        return None
    if name not in ALLOCATORS:
        raise InputError(f"no allocator is called {name!r}", hint=f"known: libc, {', '.join(ALLOCATORS)}")
    folders = [*build.libraries, *([] if build.loader else _library_folders())]
    for folder in folders:
        for library in ALLOCATORS[name]:
            if (folder / library).is_file():
                return folder / library
    raise HostError(
        f"the allocator {name} is not on this machine" + (" for this server" if build.loader else ""),
        hint={
            "jemalloc": "apt-get install libjemalloc2",
            "tcmalloc": "apt-get install libtcmalloc-minimal4",
        }.get(name, "apt-get install libmimalloc2.0"),
        detail="looked for " + ", ".join(ALLOCATORS[name]) + " in\n" + "\n".join(f"  {f}" for f in folders),
    )


def _library_folders() -> list[Path]:
    """Returns the folders of this kind of machine's libraries: a foreign library would not be loaded."""
    here = ARCHITECTURES.get(this_machine())
    return [*([Path(f"/usr/lib/{here.triplet}")] if here else []), *map(Path, _LIBRARY_FOLDERS)]
