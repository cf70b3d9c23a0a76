"""Reads the pointers that a program has when it is loaded. Source: elf(5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.system.host.perf.program_file import Section

IS_CODE = 4
"""The flag of sections with code."""
_RELOCATIONS = 4
_RELATIVE = (8, 1027)  # R_X86_64_RELATIVE, R_AARCH64_RELATIVE
_RELOCATION = np.dtype([("at", "<u8"), ("info", "<u8"), ("addend", "<i8")])


@dataclass(frozen=True)
class Pointers:
    """The pointers that a program has when it is loaded: `targets` by the addresses at which they lie, and
    the bounds of its code.
    """

    targets: dict[int, int]
    code: Sequence[tuple[int, int]]

    def function_at(self, address: int) -> int | None:
        """Returns the function to which the pointer at an address leads; None where none does."""
        target = self.targets.get(address)
        return target if target is not None and self.is_code(target) else None

    def is_code(self, address: int) -> bool:
        return any(low <= address < high for low, high in self.code)


def read_pointers(raw: memoryview, sections: Sequence[Section]) -> Pointers:
    """Returns the pointers that the loader fills in relative to where the program lies."""
    targets: dict[int, int] = {}
    for one in sections:
        if one.kind == _RELOCATIONS:
            table = np.frombuffer(raw[one.offset : one.offset + one.bytes], dtype=_RELOCATION)
            relative = table[np.isin(table["info"] & 0xFFFFFFFF, _RELATIVE)]
            targets |= zip(relative["at"].tolist(), relative["addend"].tolist(), strict=True)
    code = [(one.address, one.address + one.bytes) for one in sections if one.flags & IS_CODE]
    return Pointers(targets, code)
