"""Names the functions of call stacks: by symbol, else by the start of their entry in `.eh_frame`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

import numpy as np

from assay.base.decoding import UNREADABLE, why_unreadable
from assay.design.folder import Function, ObjectFile
from assay.system.host.perf.demangling import demangled
from assay.system.host.perf.elf import read_program
from assay.system.host.perf.mapped import MappedFile, MappedFiles
from assay.system.host.perf.program_file import ProgramFile

DEBUG_FILES = Path("/usr/lib/debug/.build-id")
KERNEL, NOWHERE = -1, -2
"""Places of functions that lie in no file."""
_CODE = frozenset("tTwW")


@dataclass
class FunctionNames:
    """Gives every address of one process its function; equal functions have one place in `functions`.

    `roots` are folders in which the paths of mapped files are looked for, that of the process's own view
    first.
    """

    mapped: Sequence[MappedFile]
    roots: Sequence[Path] = (Path("/"),)
    functions: list[Function] = field(default_factory=list)
    objects: list[ObjectFile] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._mapped = MappedFiles(self.mapped)
        self._programs: dict[str, tuple[int, ProgramFile | None]] = {}
        self._places: dict[tuple[int, str], int] = {}
        self._seen: dict[tuple[bool, int], int] = {}
        self._kernel: KernelSymbols | None = None

    def stack(self, kernel: Sequence[int], user: Sequence[int]) -> tuple[int, ...]:
        """Returns the places in `functions` of a call stack, the leaf first.

        All but the first of either part are return addresses, which may lie behind the last instruction of
        the function that called.
        """
        inside = (self._place(True, one - (number > 0)) for number, one in enumerate(kernel))
        outside = (self._place(False, one - (number > 0)) for number, one in enumerate(user))
        return (*inside, *outside)

    def _place(self, kernel: bool, address: int) -> int:
        if (kernel, address) not in self._seen:
            found = self._of_kernel(address) if kernel else self._of_file(address)
            key = (found.object, found.name)
            if key not in self._places:
                self._places[key] = len(self.functions)
                self.functions.append(found)
            self._seen[kernel, address] = self._places[key]
        return self._seen[kernel, address]

    def _of_kernel(self, address: int) -> Function:
        if self._kernel is None:
            self._kernel = kernel_symbols()
            if not self._kernel.starts:
                self.notes.append(
                    "functions of the kernel have no names: /proc/kallsyms shows no addresses to this process"
                    " (kernel.kptr_restrict of 0 or root would)"
                )
        name = self._kernel.name(address)
        return Function(name or "kernel", KERNEL, name is not None)

    def _of_file(self, address: int) -> Function:
        mapped = self._mapped.at(address)
        if mapped is None:
            return Function("unknown", NOWHERE, False)
        number, program = self._program(mapped.path)
        file = self.objects[number].name
        if program is None:
            return Function(file, number, False)
        inner = program.address_of(address - mapped.start + mapped.offset)
        if inner is None:
            return Function(file, number, False)
        if (symbol := program.symbol_at(inner)) is not None:
            return Function(demangled(symbol[1]), number, True)
        entry = program.entry_at(inner)
        return Function(file if entry is None else f"{file}+{entry:#x}", number, False)

    def _program(self, path: str) -> tuple[int, ProgramFile | None]:
        if path not in self._programs:
            program = None
            if path.startswith("/") and not path.startswith(("/memfd:", "/dev/", "/SYSV", "//")):
                program = self._read(path)
            name = PurePath(path.removesuffix(" (deleted)")).name or path
            self._programs[path] = (len(self.objects), program)
            self.objects.append(ObjectFile(name, None if program is None else program.build_id))
        return self._programs[path]

    def _read(self, path: str) -> ProgramFile | None:
        why = "it is of another form than ELF of 64 bits"
        for root in self.roots:
            try:
                found = read_program(root / path.removeprefix("/"), DEBUG_FILES)
            except OSError as error:
                why = error.strerror or "it cannot be read"
                continue
            except UNREADABLE as error:
                why = f"it is damaged: {why_unreadable(error)}"
                continue
            if found is not None:
                self.notes += (f"functions of {path} have only some names: {one}" for one in found.faults)
                return found
        self.notes.append(f"functions of {path} have no names: {why}")
        return None


@dataclass(frozen=True)
class KernelSymbols:
    """The functions of the running kernel, by address; none where this process may not see them."""

    starts: Sequence[int]
    names: Sequence[str]

    def name(self, address: int) -> str | None:
        """Returns the name of the function that an address of the kernel lies in."""
        place = bisect_right(self.starts, address) - 1
        return None if place < 0 else self.names[place]


def kernel_symbols(lines: Iterable[str] | None = None) -> KernelSymbols:
    """Returns the functions in `lines` of /proc/kallsyms, by default those of this kernel."""
    if lines is None:
        try:
            lines = Path("/proc/kallsyms").read_text().splitlines()
        except OSError:
            lines = ()
    found = [
        (int(words[0], 16), words[2])
        for words in (one.split() for one in lines)
        if len(words) >= 3 and words[1] in _CODE and words[0].strip("0")
    ]
    order = np.argsort([start for start, _ in found], kind="stable").tolist() if found else []
    return KernelSymbols([found[one][0] for one in order], [found[one][1] for one in order])
