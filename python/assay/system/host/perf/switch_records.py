"""Reads context switches from the text of `perf script`: when each thread got a processor and gave it up, and
the call stack in which it did.

Source: perf-script(1), perf_event_open(2) (PERF_RECORD_SWITCH).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

FIELDS = "comm,pid,tid,time,event,ip,sym,dso"
"""The fields that `perf script` has to print."""

_HEAD = re.compile(r"^.*\s(-?\d+)/(-?\d+)\s+(\d+)\.(\d{9}):\s+(.*)$")
_LOST = re.compile(r"PERF_RECORD_LOST(?:_SAMPLES)?\D*(\d+)\s*$")
_FRAME = re.compile(r"\s*[0-9a-f]+ (.*) \((.*)\)\s*$")
_SYMBOL_VERSION = re.compile(r"@@?[A-Z][\w.]*$")
_UNKNOWN = "[unknown]"


@dataclass(frozen=True)
class SwitchedIn:
    """A thread gets a processor; times are nanoseconds of the monotonic clock."""

    tid: int
    ns: int


@dataclass(frozen=True)
class Leaving:
    """The call stack in which a thread is about to give up its processor, as a number of `Stacks`."""

    tid: int
    ns: int
    stack: int


@dataclass(frozen=True)
class SwitchedOut:
    """A thread leaves its processor: `preempted`, it could have gone on."""

    tid: int
    ns: int
    preempted: bool


@dataclass(frozen=True)
class Lost:
    """Records that the kernel dropped, since its buffer was full."""

    count: int


Record = SwitchedIn | Leaving | SwitchedOut | Lost


@dataclass
class FrameNames:
    """Numbers names of functions, and call stacks as tuples of such numbers, the leaf first."""

    names: list[str] = field(default_factory=list)
    stacks: list[tuple[int, ...]] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)
    _numbers: dict[tuple[int, ...], int] = field(default_factory=dict)
    _seen: dict[tuple[str, ...], int] = field(default_factory=dict)
    _lines: dict[str, int] = field(default_factory=dict)

    def number(self, lines: Sequence[str]) -> int:
        """Returns the number of the stack that these lines of `perf script` show."""
        key = tuple(lines)
        if key not in self._seen:
            stack: list[int] = []
            for text in lines:
                place = self._lines.get(text)
                if place is None:
                    place = self._lines[text] = self._place(_name(text))
                if not (stack and stack[-1] == place and self.names[place].startswith("[")):
                    stack.append(place)
            found = tuple(stack)
            if found not in self._numbers:
                self._numbers[found] = len(self.stacks)
                self.stacks.append(found)
            self._seen[key] = self._numbers[found]
        return self._seen[key]

    def said(self, wait: str) -> int:
        """Returns the number of the stack that stands for what the server said of a thread: `[said] wait`."""
        found = (self._place(f"[said] {wait}"),)
        if found not in self._numbers:
            self._numbers[found] = len(self.stacks)
            self.stacks.append(found)
        return self._numbers[found]

    def _place(self, name: str) -> int:
        if name not in self._places:
            self._places[name] = len(self.names)
            self.names.append(name)
        return self._places[name]


def switch_records(lines: Iterable[str], names: FrameNames) -> Iterator[Record]:
    """Yields the records in the order of the text, in which a stack comes before its thread's switch."""
    frames: list[str] = []
    head: tuple[int, int] | None = None
    for line in lines:
        if line.startswith("\t"):
            frames.append(line)
            continue
        if head is not None:
            yield Leaving(*head, names.number(frames))
            head = None
        found = _HEAD.match(line)
        if found is None:
            continue
        tid, ns, said = int(found[2]), int(found[3]) * 10**9 + int(found[4]), found[5]
        if not said.startswith("PERF_RECORD_"):
            head, frames = (tid, ns), []
        elif said.startswith("PERF_RECORD_SWITCH"):
            direction = said.partition(" ")[2]
            if direction.startswith("IN"):
                yield SwitchedIn(tid, ns)
            else:
                yield SwitchedOut(tid, ns, "preempt" in direction)
        elif (lost := _LOST.match(said)) is not None:
            yield Lost(int(lost[1]))
    if head is not None:
        yield Leaving(*head, names.number(frames))


def _name(text: str) -> str:
    """Returns the function of a line: `[libc.so.6]` where only the file is known."""
    found = _FRAME.match(text)
    if found is None:
        return "[unknown]"
    symbol, file = _SYMBOL_VERSION.sub("", found[1]), found[2].removesuffix(" (deleted)")
    return f"[{PurePath(file).name.strip('[]')}]" if symbol == _UNKNOWN else symbol
