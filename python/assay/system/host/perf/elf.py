"""Reads from a program file what tells functions apart: its symbols, the starts in `.eh_frame_hdr`, its build
id.

A stripped program has no symbol for most of its functions, but it needs `.eh_frame` to unwind, in which each
function has an entry. Source: elf(5); Linux Standard Base, "Exception Frames".
"""

from __future__ import annotations

import lzma
import mmap
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.base.decoding import UNREADABLE, why_unreadable
from assay.system.host.perf.pointer_tables import with_pointed_names
from assay.system.host.perf.program_file import Addresses, Object, ProgramFile, Section, Segment

_MAGIC = b"\x7fELF\x02\x01"  # of 64 bits, little endian
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_PROGRAM = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = np.dtype(
    [("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"), ("value", "<u8"), ("size", "<u8")]
)
_LOAD, _NOTE, _EH_FRAME = 1, 4, 0x6474E550
_SYMTAB, _DYNSYM = 2, 11
_OBJECT, _FUNCTION, _INDIRECT = 1, 2, 10
_GLOBAL = 1
_BUILD_ID = 3
_DATAREL_SDATA4 = 0x3B
_UDATA4 = 0x03
_LARGEST_BYTES = 4 << 30
_LARGEST_SYMBOLS = 256 << 20
_PACKED = b".gnu_debugdata\0"


def read_program(path: Path, debug: Path | None = None) -> ProgramFile | None:
    """Returns what a file says of its functions; None for a file of another form. Raises OSError, and what
    `UNREADABLE` names where its head is damaged.

    `debug` is the folder of debug files by build id, whose symbols are taken as well.
    """
    raw, build_id, entries = content_of(path), None, np.empty(0, dtype=np.uint64)
    if bytes(raw[:6]) != _MAGIC:
        return None
    header = _HEADER.unpack_from(raw)
    programs = _programs(raw)
    faults: list[str] = []
    with _part("its notes", faults):
        build_id = _build_id(raw, programs)
    tables: list[_Table] = []
    objects: tuple[Object, ...] = ()
    with _part("its symbols", faults):
        tables += _symbols(raw, header)
        objects = tuple(_objects(raw, header))
    with _part("its packed symbols", faults):
        tables += _of_packed_symbols(raw, header)
    if build_id is not None and debug is not None:
        file = debug / build_id[:2] / f"{build_id[2:]}.debug"
        with _part(f"its debug file {file}", faults):
            tables += _of_debug_file(file)
    with _part("its .eh_frame_hdr", faults):
        entries = _entries(raw, programs)
    starts, ends, names = _in_order(tables, entries)
    found = ProgramFile(
        build_id=build_id,
        segments=_segments(programs),
        starts=starts,
        ends=ends,
        names=names,
        entries=entries,
        objects=objects,
    )
    with _part("its tables of functions", faults):
        found = with_pointed_names(found, raw, _sections(raw, header))
    return replace(found, faults=tuple(faults))


@contextmanager
def _part(what: str, faults: list[str]) -> Iterator[None]:
    """Notes that a part of a file is damaged, in place of raising it."""
    try:
        yield
    except (OSError, *UNREADABLE) as error:
        faults.append(f"{what}: {why_unreadable(error)}")


def content_of(path: Path) -> memoryview:
    """Returns a file as it lies on the disk; nothing of one that is too large, or empty."""
    if not 0 < path.stat().st_size <= _LARGEST_BYTES:
        return memoryview(b"")
    with path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


_Table = tuple[NDArray[np.void], memoryview]
"""Symbols and the texts of their names."""


def _of_debug_file(path: Path) -> list[_Table]:
    if not path.is_file():
        return []
    raw = content_of(path)
    return list(_symbols(raw, _HEADER.unpack_from(raw))) if bytes(raw[:6]) == _MAGIC else []


def _of_packed_symbols(raw: memoryview, header: tuple[int, ...]) -> Iterator[_Table]:
    """Yields the symbols that Fedora and its kin leave in a stripped program: a program file of symbols
    alone, packed with xz.
    """
    sections = _sections(raw, header)
    if header[13] >= len(sections):
        return
    names = sections[header[13]]
    for one in sections:
        at = names.offset + one.name_at
        if bytes(raw[at : at + len(_PACKED)]) == _PACKED:
            unpacking = lzma.LZMADecompressor()
            content = memoryview(unpacking.decompress(_within(raw, one), _LARGEST_SYMBOLS))
            if unpacking.eof and bytes(content[:6]) == _MAGIC:
                yield from _symbols(content, _HEADER.unpack_from(content))


def _sections(raw: memoryview, header: tuple[int, ...]) -> list[Section]:
    rows = (_SECTION.unpack_from(raw, header[6] + header[11] * one) for one in range(header[12]))
    return [Section(*one[:7]) for one in rows]


def _within(raw: memoryview, section: Section) -> memoryview:
    return raw[section.offset : section.offset + section.bytes]


def _all_symbols(raw: memoryview, header: tuple[int, ...]) -> Iterator[_Table]:
    sections = _sections(raw, header)
    for one in sections:
        if one.kind in (_SYMTAB, _DYNSYM) and one.link < len(sections):
            yield np.frombuffer(_within(raw, one), dtype=_SYMBOL), _within(raw, sections[one.link])


def _symbols(raw: memoryview, header: tuple[int, ...]) -> Iterator[_Table]:
    for table, texts in _all_symbols(raw, header):
        kinds = table["info"] & 0xF
        is_code = ((kinds == _FUNCTION) | (kinds == _INDIRECT)) & (table["section"] != 0)
        yield table[is_code], texts


def _objects(raw: memoryview, header: tuple[int, ...]) -> Iterator[Object]:
    """Yields the variables that are defined here."""
    for table, texts in _all_symbols(raw, header):
        content = bytes(texts)
        for name_at, _, _, _, value, size in table[
            ((table["info"] & 0xF) == _OBJECT) & (table["section"] != 0) & (table["size"] > 0)
        ].tolist():
            yield Object(_text_at(content, name_at), value, size)


def _text_at(content: bytes, at: int) -> str:
    return content[at : max(content.find(b"\0", at), at)].decode(errors="replace")


def _in_order(tables: list[_Table], entries: Addresses) -> tuple[Addresses, Addresses, tuple[str, ...]]:
    """Returns the symbols of all tables by address: of several names for one, the global and shortest."""
    best: dict[int, tuple[bool, int, str, int]] = {}
    for table, texts in tables:
        content = bytes(texts)
        for name_at, info, _, _, value, size in table.tolist():
            name = _text_at(content, name_at)
            candidate = (info >> 4 != _GLOBAL, len(name), name, size)
            if name and (value not in best or candidate < best[value]):
                best[value] = candidate
    order = sorted(best)
    starts = np.array(order, dtype=np.uint64)
    sizes = np.array([best[one][3] for one in order], dtype=np.uint64)
    # Assembler often states no size: such a symbol ends at the next start of any function.
    following = np.searchsorted(entries, starts, side="right")
    bound = np.append(entries, np.uint64(2**63))[following]
    ends = np.where(sizes > 0, starts + sizes, bound).astype(np.uint64)
    return starts, ends, tuple(best[one][2] for one in order)


def _build_id(raw: memoryview, programs: list[tuple[int, ...]]) -> str | None:
    for one in programs:
        if one[0] != _NOTE:
            continue
        at, end = one[2], one[2] + one[5]
        while at + 12 <= end:
            name_bytes, bytes_, kind = struct.unpack_from("<III", raw, at)
            name = bytes(raw[at + 12 : at + 12 + name_bytes])
            at += 12 + (name_bytes + 3) // 4 * 4
            if kind == _BUILD_ID and name == b"GNU\0":
                return bytes(raw[at : at + bytes_]).hex()
            at += (bytes_ + 3) // 4 * 4
    return None


def loaded_segments(raw: memoryview) -> tuple[Segment, ...]:
    """Returns the parts of a program file that are loaded. Raises what `UNREADABLE` names."""
    return _segments(_programs(raw))


def frame_table(raw: memoryview) -> list[tuple[int, int]]:
    """Returns the sorted table of `.eh_frame_hdr`: the start of each function, and the address of its entry.
    Raises what `UNREADABLE` names.
    """
    if bytes(raw[:6]) != _MAGIC:
        return []
    found = _frame_table(raw, _programs(raw))
    return [(start, entry) for start, entry in found.tolist()]


def _programs(raw: memoryview) -> list[tuple[int, ...]]:
    header = _HEADER.unpack_from(raw)
    return [_PROGRAM.unpack_from(raw, header[5] + header[9] * one) for one in range(header[10])]


def _segments(programs: list[tuple[int, ...]]) -> tuple[Segment, ...]:
    return tuple(Segment(one[2], one[5], one[3]) for one in programs if one[0] == _LOAD)


def _entries(raw: memoryview, programs: list[tuple[int, ...]]) -> Addresses:
    """Returns the starts of functions in the sorted table of `.eh_frame_hdr`."""
    return _frame_table(raw, programs)[:, 0]


def _frame_table(raw: memoryview, programs: list[tuple[int, ...]]) -> Addresses:
    for one in programs:
        if one[0] != _EH_FRAME:
            continue
        offset, address = one[2], one[3]
        version, _, count_form, table_form = bytes(raw[offset : offset + 4])
        if version != 1 or count_form != _UDATA4 or table_form != _DATAREL_SDATA4:
            break
        count = struct.unpack_from("<I", raw, offset + 8)[0]
        table = np.frombuffer(raw[offset + 12 : offset + 12 + 8 * count], dtype="<i4").reshape(-1, 2)
        return (table.astype(np.int64) + address).astype(np.uint64)
    return np.empty((0, 2), dtype=np.uint64)
