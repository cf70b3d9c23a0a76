"""What the machine gives a server: the processors it may run on, its allocator, how much memory it may take.

Set when it starts, read back from the kernel when it runs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assay.errors import HostError, InputError, ServerError
from assay.server.build import Build
from assay.server.memory_group import machine_bytes
from assay.server.private import PrivateDir
from assay.study.values import size_text

ALLOCATORS = {
    "jemalloc": ("libjemalloc.so.2", "libjemalloc.so.1"),
    "tcmalloc": ("libtcmalloc_minimal.so.4", "libtcmalloc.so.4"),
    "mimalloc": ("libmimalloc.so.2", "libmimalloc.so.3"),
}
_LIBRARY_FOLDERS = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/lib",
)


@dataclass(frozen=True)
class Hosting:
    """`cpus`: the only ones it may run on; empty: all that this process may. `preload`: a library.

    `memory_bytes`: the most that it may take, page cache included; None: as much as there is.
    """

    cpus: frozenset[int] = frozenset()
    preload: Path | None = None
    memory_bytes: int | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Variables that the server is started with."""
        return {"LD_PRELOAD": str(self.preload)} if self.preload else {}

    def check(self) -> None:
        """HostError when this machine, or the part of it that we may use, has not got these processors, or
        cannot set this limit of memory."""
        ours = os.sched_getaffinity(0)
        if missing := self.cpus - ours:
            raise HostError(
                f"processors {cpu_list(missing)} are not ours to give to a server",
                hint=f"this process may use {cpu_list(ours)}",
            )
        if self.memory_bytes is not None:
            if self.memory_bytes >= machine_bytes():
                raise HostError(
                    f"server.memory = {size_text(self.memory_bytes)} would limit nothing",
                    hint=f"this machine has {machine_bytes() >> 20}M",
                )
            with PrivateDir() as trial:
                trial.memory_group(self.memory_bytes)

    def verify(self, pid: int) -> None:
        """ServerError when the running server has other processors, or has not loaded the library."""
        status = Path(f"/proc/{pid}/status").read_text()
        have = status.partition("Cpus_allowed_list:")[2].split("\n", 1)[0].strip()
        if self.cpus and parse_cpus(have) != self.cpus:
            raise ServerError(f"server.cpus: asked for {cpu_list(self.cpus)}, the server has {have}")
        maps = Path(f"/proc/{pid}/maps").read_text(errors="replace")
        if self.preload and str(self.preload.resolve()) not in maps:
            raise ServerError(f"server.allocator: the server did not load {self.preload}")


def parse_cpus(text: str) -> frozenset[int]:
    """`0-3,8` as the kernel writes it (cpuset(7), "List format"). InputError for anything else."""
    numbers: set[int] = set()
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        low, high = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if high < low:
            raise InputError(f"{text!r} is no list of processors", hint="numbers and ranges: 0-3,8")
        numbers.update(range(low, high + 1))
    return frozenset(numbers)


def cpu_list(cpus: Iterable[int]) -> str:
    """`0-3,8`"""
    runs: list[list[int]] = []
    for cpu in sorted(cpus):
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def find_allocator(name: str, build: Build) -> Path | None:
    """The library of `jemalloc`, `tcmalloc`, `mimalloc`; None for `libc`, which is to preload nothing.

    It is looked for beside the server's own libraries first: one that brings its own libc cannot load ours.
    HostError with how to get it.
    """
    if name == "libc":
        return None
    if name not in ALLOCATORS:
        raise InputError(f"no allocator is called {name!r}", hint=f"known: libc, {', '.join(ALLOCATORS)}")
    folders = [*build.libraries, *([] if build.loader else map(Path, _LIBRARY_FOLDERS))]
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
