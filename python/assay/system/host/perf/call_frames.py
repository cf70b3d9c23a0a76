"""Finds who called a function by `.eh_frame`, which says of each instruction where its caller's state is.

Code without frame pointers, as of most libraries, has no other trace of it. Source: Linux Standard Base,
"Exception Frames"; DWARF 5, sections 2.5 and 6.4.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.decoding import UNREADABLE
from assay.system.host.perf.elf import content_of, frame_table, loaded_segments
from assay.system.host.perf.program_file import Segment, address_at, offset_at

_WORD = struct.Struct("<Q")
_MASK = (1 << 64) - 1
_FORMS: Mapping[int, struct.Struct] = {
    form: struct.Struct(f"<{code}")
    for form, code in {0: "Q", 2: "H", 3: "I", 4: "Q", 10: "h", 11: "i", 12: "q"}.items()
}
_RELATIVE = 0x10  # to the place of the pointer

Memory = Callable[[int], int]
"""Returns the word of eight bytes at an address. Raises LookupError where it is not known."""


class UnknownFrame(Exception):
    """Nothing says who called the function here."""


@dataclass(frozen=True)
class Saved:
    """Where the caller's value of a register is: `offset` bytes from the frame (`in_frame`), the frame itself
    plus `offset`, or in another register.
    """

    in_frame: bool
    offset: int = 0
    register: int | None = None


@dataclass
class FrameRow:
    """What holds at one instruction: the frame's address is a register plus an offset, or an `expression`;
    `saved` says by register where the caller's are: None where that is lost, and those that are not there are
    unchanged.
    """

    register: int = -1
    offset: int = 0
    expression: bytes | None = None
    saved: dict[int, Saved | None] = field(default_factory=dict)
    return_register: int = 16

    def caller(self, registers: Mapping[int, int], memory: Memory, stack: int) -> tuple[int, dict[int, int]]:
        """Returns the return address and the caller's registers. `stack` is the number of the stack pointer:
        what was kept below it has been taken back. Raises LookupError where a word or register is not known,
        UnknownFrame where this row cannot tell.
        """
        if self.expression is not None:
            frame = _evaluated(self.expression, registers, memory)
        else:
            frame = (registers[self.register] + self.offset) & _MASK
        found = dict(registers)
        for register, where in self.saved.items():
            if where is None:
                found.pop(register, None)
            elif where.register is not None:
                found[register] = registers[where.register]
            elif where.in_frame:
                place = (frame + where.offset) & _MASK
                if place >= registers[stack]:
                    found[register] = memory(place)
            else:
                found[register] = (frame + where.offset) & _MASK
        if self.return_register not in found:
            raise UnknownFrame
        found[stack] = frame
        return found[self.return_register], found


class CallFrames:
    """The entries of one program file."""

    def __init__(self, raw: memoryview, segments: tuple[Segment, ...], table: list[tuple[int, int]]) -> None:
        self._raw, self._segments = raw, segments
        self._starts = [start for start, _ in table]
        self._entries = [entry for _, entry in table]

    def row(self, offset: int) -> FrameRow | None:
        """Returns what holds at the instruction at an offset of the file; None where nothing says."""
        address = address_at(self._segments, offset)
        if address is None:
            return None
        place = bisect_right(self._starts, address) - 1
        if place < 0:
            return None
        at = self._entries[place]
        place_in_file = offset_at(self._segments, at)
        if place_in_file is None:
            return None
        try:
            return self._row(place_in_file, at, address)
        except (UnknownFrame, *UNREADABLE):
            return None

    def _row(self, offset: int, entry: int, address: int) -> FrameRow | None:
        length, back = struct.unpack_from("<II", self._raw, offset)
        if not 0 < length < 0xFFFFFFFF or not back:
            return None
        common = _Common.read(self._raw, offset + 4 - back)
        words = _Words(self._raw, offset + 8, offset + 4 + length, shift=entry - offset)
        start = words.pointer(common.form)
        if not start <= address < start + words.pointer(common.form & 0xF):
            return None
        if common.augmented:
            words.skip(words.unsigned())
        rules = _Rules(common)
        rules.run(_Words(self._raw, common.at, common.end), None)
        rules.initial = dict(rules.row.saved)
        rules.run(words, address - start)
        return rules.row


def read_call_frames(path: Path) -> CallFrames | None:
    """Returns the entries of a program file; None where it has none, or is of another form. Raises OSError
    where it cannot be read.
    """
    return call_frames(content_of(path))


def call_frames(raw: memoryview) -> CallFrames | None:
    """Returns the entries of a program; None where it has none, or is of another form."""
    try:
        segments, table = loaded_segments(raw), frame_table(raw)
    except UNREADABLE:
        return None
    return CallFrames(raw, segments, table) if table else None


class _Words:
    """Reads numbers one after another; `shift` is how far addresses are from places in the file."""

    def __init__(self, raw: memoryview, at: int, end: int, shift: int = 0) -> None:
        self.raw, self.at, self.end, self.shift = raw, at, end, shift

    def byte(self) -> int:
        self.at += 1
        return self.raw[self.at - 1]

    def unsigned(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise UnknownFrame

    def signed(self) -> int:
        before = self.at
        value = self.unsigned()
        bits = 7 * (self.at - before)
        return value - (1 << bits) if value >> (bits - 1) else value

    def fixed(self, form: struct.Struct) -> int:
        value = form.unpack_from(self.raw, self.at)[0]
        self.at += form.size
        return int(value)

    def pointer(self, form: int) -> int:
        if form & 0xF not in _FORMS or form & 0xF0 not in (0, _RELATIVE):
            raise UnknownFrame
        base = self.at + self.shift if form & _RELATIVE else 0
        return (base + self.fixed(_FORMS[form & 0xF])) & _MASK

    def skip(self, count: int) -> None:
        self.at += count

    def block(self) -> bytes:
        count = self.unsigned()
        self.at += count
        return bytes(self.raw[self.at - count : self.at])


@dataclass(frozen=True)
class _Common:
    """What entries have in common: factors, the form of their pointers, and the first instructions."""

    code: int
    data: int
    return_register: int
    form: int
    augmented: bool
    at: int
    end: int

    @classmethod
    def read(cls, raw: memoryview, offset: int) -> _Common:
        length, _ = struct.unpack_from("<II", raw, offset)
        words = _Words(raw, offset + 8, offset + 4 + length)
        version = words.byte()
        text = b""
        while (byte := words.byte()) != 0:
            text += bytes((byte,))
        code, data = words.unsigned(), words.signed()
        register = words.byte() if version == 1 else words.unsigned()
        form = 0
        if text.startswith(b"z"):
            end = words.unsigned() + words.at
            for kind in text[1:].decode("latin-1"):
                if kind == "R":
                    form = words.byte()
                elif kind == "L":
                    words.byte()
                elif kind == "P":
                    words.skip(_FORMS[words.byte() & 0xF].size)
                elif kind not in "SB":
                    break
            words.at = end
        elif text:
            raise UnknownFrame
        return cls(code, data, register, form, text.startswith(b"z"), words.at, words.end)


class _Rules:
    """Carries the instructions of an entry out."""

    def __init__(self, common: _Common) -> None:
        self._common = common
        self.row = FrameRow(return_register=common.return_register)
        self.initial: dict[int, Saved | None] = {}
        self._kept: list[FrameRow] = []

    def run(self, words: _Words, until: int | None) -> None:
        """Carries instructions out that hold up to `until` bytes behind the start of the function."""
        at = 0
        while words.at < words.end:
            byte = words.byte()
            high, low = byte & 0xC0, byte & 0x3F
            moved = self._moved(words, high, low)
            if moved is None:
                self._rule(words, high, low)
                continue
            at += moved * self._common.code
            if until is not None and at > until:
                return

    def _moved(self, words: _Words, high: int, low: int) -> int | None:
        """Returns how far an instruction goes on in the function; None for one of another kind."""
        if high == 0x40:
            return low
        if high == 0 and low in (2, 3, 4):
            return words.fixed(struct.Struct("<" + "BHI"[low - 2]))
        return None

    def _rule(self, words: _Words, high: int, low: int) -> None:
        row, data = self.row, self._common.data
        if high == 0x80:
            row.saved[low] = Saved(True, words.unsigned() * data)
        elif high == 0xC0:
            self._restore(low)
        elif low in (0x05, 0x11):  # offset_extended
            register = words.unsigned()
            row.saved[register] = Saved(True, (words.unsigned() if low == 0x05 else words.signed()) * data)
        elif low == 0x06:
            self._restore(words.unsigned())
        elif low == 0x07:  # undefined
            row.saved[words.unsigned()] = None
        elif low == 0x08:  # same_value
            row.saved.pop(words.unsigned(), None)
        elif low == 0x09:  # register
            register = words.unsigned()
            row.saved[register] = Saved(False, register=words.unsigned())
        elif low == 0x0A:  # remember_state
            self._kept.append(FrameRow(row.register, row.offset, row.expression, dict(row.saved)))
        elif low == 0x0B:  # restore_state
            kept = self._kept.pop()
            row.register, row.offset, row.expression, row.saved = (
                *(kept.register, kept.offset, kept.expression),
                kept.saved,
            )
        elif low in (0x0C, 0x12):  # def_cfa
            row.register, row.expression = words.unsigned(), None
            row.offset = words.unsigned() if low == 0x0C else words.signed() * data
        elif low == 0x0D:
            row.register = words.unsigned()
        elif low in (0x0E, 0x13):  # def_cfa_offset
            row.offset = words.unsigned() if low == 0x0E else words.signed() * data
        elif low == 0x0F:  # def_cfa_expression
            row.expression = words.block()
        elif low in (0x14, 0x15):  # val_offset
            register = words.unsigned()
            row.saved[register] = Saved(False, (words.unsigned() if low == 0x14 else words.signed()) * data)
        elif low in (0x10, 0x16):  # expressions of a register: those that matter are not kept so
            row.saved.pop(words.unsigned(), None)
            words.block()
        elif low == 0x2E:  # GNU_args_size
            words.unsigned()
        elif low not in (0x00, 0x2D):  # nop; on arm64, a return address that is signed
            raise UnknownFrame

    def _restore(self, register: int) -> None:
        if register in self.initial:
            self.row.saved[register] = self.initial[register]
        else:
            self.row.saved.pop(register, None)


_OPERATIONS: Mapping[int, Callable[[int, int], int]] = {
    0x1A: lambda a, b: a & b,
    0x1C: lambda a, b: a - b,
    0x22: lambda a, b: a + b,
    0x24: lambda a, b: a << b,
    0x2A: lambda a, b: int(a >= b),
}


def _evaluated(expression: bytes, registers: Mapping[int, int], memory: Memory) -> int:
    words, stack = _Words(memoryview(expression), 0, len(expression)), list[int]()
    while words.at < words.end:
        byte = words.byte()
        if 0x70 <= byte <= 0x8F:
            stack.append((registers[byte - 0x70] + words.signed()) & _MASK)
        elif 0x30 <= byte <= 0x4F:
            stack.append(byte - 0x30)
        elif byte == 0x06:
            stack.append(memory(stack.pop()))
        elif byte == 0x23:
            stack.append((stack.pop() + words.unsigned()) & _MASK)
        elif byte in (0x08, 0x09, 0x0A, 0x0B):
            stack.append(words.fixed(struct.Struct("<" + "BbHh"[byte - 8])) & _MASK)
        elif byte in _OPERATIONS:
            other = stack.pop()
            stack.append(_OPERATIONS[byte](stack.pop(), other) & _MASK)
        else:
            raise UnknownFrame
    return stack[-1]
