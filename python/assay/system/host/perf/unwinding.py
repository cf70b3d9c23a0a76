"""Completes call stacks by frame pointers with the callers that code without frame pointers hides."""

from __future__ import annotations

import platform
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.system.host.perf.call_frames import (
    CallFrames,
    FrameRow,
    UnknownFrame,
    call_frames,
    read_call_frames,
)
from assay.system.host.perf.mapped import VDSO, MappedFile, MappedFiles, vdso

_WORD = struct.Struct("<Q")
_MOST_FRAMES = 127


@dataclass(frozen=True)
class MachineRegisters:
    """The registers of a kind of processor that frames need: their bits in a sample of the kernel, in order,
    and their numbers in `.eh_frame`; those of the stack and of the instruction.
    """

    bits: tuple[int, ...]
    numbers: tuple[int, ...]
    stack: int
    instruction: int

    @property
    def mask(self) -> int:
        """The bits of all."""
        return sum(1 << one for one in self.bits)


REGISTERS: Mapping[str, MachineRegisters] = {
    "x86_64": MachineRegisters((1, 6, 7, 8, 20, 21, 22, 23), (3, 6, 7, 16, 12, 13, 14, 15), 7, 16),
    "aarch64": MachineRegisters((*range(19, 33),), (*range(19, 32), 32), 31, 32),
}
"""By the name of the machine, as `uname -m` has it."""


def machine_registers() -> MachineRegisters | None:
    """Returns the registers of this machine; None of one that is not known here."""
    return REGISTERS.get(platform.machine())


@dataclass(frozen=True)
class StackCopy:
    """What the kernel copied at a sample: the registers outside the kernel, in the order of their bits, and
    the memory of the stack from its end on, some or all of it.
    """

    registers: tuple[int, ...]
    memory: bytes


class Unwinder:
    """Finds the callers in one process. `roots` are folders in which its files are looked for."""

    def __init__(
        self, mapped: Sequence[MappedFile], roots: Sequence[Path], machine: MachineRegisters
    ) -> None:
        self._mapped, self._roots, self._machine = MappedFiles(mapped), roots, machine
        self._files: dict[str, CallFrames | None] = {}
        self._rows: dict[int, FrameRow | None] = {}

    def completed(self, stack: Sequence[int], copy: StackCopy, *, is_whole: bool) -> tuple[int, ...]:
        """Returns a call stack outside the kernel, its leaf first, with the callers that it lacks.

        A stack that `is_whole` lacks some callers near its leaf: it goes on behind the first that is found in
        the copy and in the stack, or behind all that were found. Of another only what was found is right.
        """
        machine = self._machine
        registers = dict(zip(machine.numbers, copy.registers, strict=True))
        known: dict[int, int] = {}  # of a function that calls itself, the place nearest to the leaf
        for place, address in enumerate(stack[1:] if is_whole else (), start=1):
            known.setdefault(address, place)
        base, memory = registers[machine.stack], copy.memory

        def word(address: int) -> int:
            place = address - base
            if not 0 <= place <= len(memory) - _WORD.size:
                raise LookupError
            return int(_WORD.unpack_from(memory, place)[0])

        found = [registers[machine.instruction]]
        while len(found) < _MOST_FRAMES:
            row = self._row(found[-1] - (len(found) > 1))
            if row is None:
                break
            try:
                caller, registers = row.caller(registers, word, machine.stack)
            except (LookupError, UnknownFrame):
                break
            if caller in known:
                return (*found, *stack[known[caller] :])
            if self._mapped.at(caller) is None:
                break
            found.append(caller)
        if is_whole:
            return (*found, *stack[1:])
        return tuple(found) if len(found) > 1 else tuple(stack)

    def _row(self, address: int) -> FrameRow | None:
        if address not in self._rows:
            mapped = self._mapped.at(address)
            frames = None if mapped is None else self._frames(mapped.path)
            found = None
            if mapped is not None and frames is not None:
                found = frames.row(address - mapped.start + mapped.offset)
            self._rows[address] = found
        return self._rows[address]

    def _frames(self, path: str) -> CallFrames | None:
        if path not in self._files:
            self._files[path] = call_frames(vdso()) if path == VDSO else None
            for root in self._roots if path.startswith("/") else ():
                try:
                    self._files[path] = read_call_frames(root / path.removeprefix("/"))
                except OSError:
                    continue
                break
        return self._files[path]
