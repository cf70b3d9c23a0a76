"""What a program file says of its functions and variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Addresses = NDArray[np.uint64]


@dataclass(frozen=True)
class Section:
    """A part of a program file by its kind, with its flags, address, and place and size in the file; `link`
    is the number of another section that it needs, and `name_at` the place of its name.
    """

    name_at: int
    kind: int
    flags: int
    address: int
    offset: int
    bytes: int
    link: int


@dataclass(frozen=True)
class Object:
    """A variable that has a name: where it lies in memory, and its size."""

    name: str
    address: int
    bytes: int


@dataclass(frozen=True)
class Segment:
    """A part of a program file that is loaded: its offset and size in the file, its address in memory."""

    offset: int
    bytes: int
    address: int


def address_at(segments: Iterable[Segment], offset: int) -> int | None:
    """Returns the address of what is at an offset of the file; None where that is not loaded."""
    found = (one for one in segments if one.offset <= offset < one.offset + one.bytes)
    return next((offset - one.offset + one.address for one in found), None)


def offset_at(segments: Iterable[Segment], address: int) -> int | None:
    """Returns the offset in the file of what is at an address; None where nothing of the file is."""
    found = (one for one in segments if one.address <= address < one.address + one.bytes)
    return next((address - one.address + one.offset for one in found), None)


@dataclass(frozen=True)
class ProgramFile:
    """What a program file says of its functions.

    `starts`, `ends` and `names` are its symbols in order of address; a name is mangled. `entries` are the
    starts of functions in `.eh_frame_hdr`, in order. `objects` are the variables that have names. `faults`
    are the parts that are damaged, each with the reason: the others tell what they can.
    """

    build_id: str | None
    segments: tuple[Segment, ...]
    starts: Addresses
    ends: Addresses
    names: tuple[str, ...]
    entries: Addresses
    objects: tuple[Object, ...] = ()
    faults: tuple[str, ...] = ()

    def address_of(self, offset: int) -> int | None:
        """Returns the address of what is at an offset of the file; None where that is not loaded."""
        return address_at(self.segments, offset)

    def symbol_at(self, address: int) -> tuple[int, str] | None:
        """Returns start and name of the symbol that an address lies in; None without one."""
        place = int(np.searchsorted(self.starts, np.uint64(address), side="right")) - 1
        if place < 0 or address >= int(self.ends[place]):
            return None
        return int(self.starts[place]), self.names[place]

    def entry_at(self, address: int) -> int | None:
        """Returns the start of the function that an address lies in, by `.eh_frame_hdr`; None without one."""
        place = int(np.searchsorted(self.entries, np.uint64(address), side="right")) - 1
        return None if place < 0 else int(self.entries[place])
