"""Samples call stacks of a process, on all processors that it may run on, by perf events of our own.

Beside the stack by frame pointers the kernel copies registers and the end of the stack, which `perf record`
does only in place of frame pointers: from them come the callers of code without frame pointers. Source:
perf_event_open(2).
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import platform
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from assay.base.privileges import Lacking
from assay.system.host.perf.mapped import MappedFile, MappedFiles, begins_threads, mapped_code
from assay.system.host.perf.perf_data import SAMPLE, USER_MARK, PerfData, split_chain, take_record
from assay.system.host.perf.unwinding import MachineRegisters, StackCopy, Unwinder

_CALLS: Mapping[str, int] = {"x86_64": 298, "aarch64": 241}
_ATTRIBUTE = struct.Struct("<IIQQQQQIIQQQQIiQIHH")  # as of Linux 4.8
_SOFTWARE, _CPU_CLOCK = 1, 0
_SAMPLED = 1 << 1 | 1 << 5 | 1 << 12 | 1 << 13  # ids, call stack, registers, memory of the stack
_DISABLED, _EXCLUDE_IDLE, _COMM = 1 << 0, 1 << 7, 1 << 9
_CLOSE_ON_EXEC = 8
_ENABLE, _DISABLE = 0x2400, 0x2401
_HEAD_AT, _TAIL_AT = 1024, 1032
_RECORD = struct.Struct("<IHH")
_IDS_LENGTH = struct.Struct("<IIQ")
_WORD = struct.Struct("<Q")
_RING_BYTES = 4 << 20
_EVERY_S = 0.1
_COPIED_BYTES = 16384
"""Functions of a server keep kilobytes of their own on the stack."""
_SHORT = 4
"""Functions outside the kernel, with fewer of which a stack cannot have come through a server."""
_NEAR_BYTES = 1024
"""Enough for the frames of a function of libc and of the one that called it."""
_MOST_KEPT_BYTES = 256 << 20


Taking = Callable[[int, int, "mmap.mmap | bytes", int, int], None]
"""Takes a record of a kind, with flags, that lies at a place in memory with a size."""


class StackSampler:
    """Samples of one process, one for each `period_ns` of the time of each processor of these that it uses.

    Their call stacks are whole where the kernel could copy enough of the thread's stack. `lacking` and
    `by_thread` are those of a `Recording`: nothing is amiss.
    """

    lacking: Lacking | None = None
    by_thread = False

    def __init__(
        self, pid: int, processors: Iterable[int], period_ns: int, machine: MachineRegisters
    ) -> None:
        self._process = Path(f"/proc/{pid}")
        self._processors, self._period_ns, self._machine = processors, period_ns, machine
        self._events: list[_Event] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._drain_until_over, name="stacks", daemon=True)
        self._taken = _Taken(pid, machine)

    def start(self) -> None:
        """Opens the events. Raises OSError where the kernel refuses them."""
        try:
            self._taken.look(self._process)
            for one in self._processors:
                self._events.append(_Event(one, self._period_ns, self._machine.mask))
        except BaseException:
            self.kill()
            raise

    def begin(self) -> None:
        """Begins to sample."""
        for one in self._events:
            one.switch(_ENABLE)
        self._thread.start()

    def end(self) -> None:
        """Ends sampling."""
        for one in self._events:
            one.switch(_DISABLE)
        with suppress(OSError):  # it has ended
            self._taken.look(self._process)
        self.kill()

    def kill(self) -> None:
        """Takes what is left and closes the events."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        for one in self._events:
            one.drain(self._taken.take)
            one.close()
        self._events = []

    def data(self, roots: Iterable[Path]) -> PerfData:
        """Returns the samples, after the end. `roots` are folders in which the process's files are looked
        for.
        """
        return self._taken.data(tuple(roots))

    def _drain_until_over(self) -> None:
        while not self._over.wait(_EVERY_S):
            for one in self._events:
                one.drain(self._taken.take)


class _Event:
    """The event of one processor, with the ring of memory into which the kernel writes records."""

    def __init__(self, processor: int, period_ns: int, registers: int) -> None:
        attribute = _ATTRIBUTE.pack(
            *(_SOFTWARE, _ATTRIBUTE.size, _CPU_CLOCK, period_ns, _SAMPLED, 0),
            *(_DISABLED | _EXCLUDE_IDLE | _COMM, 0, 0, 0, 0, 0, registers, _COPIED_BYTES, 0, 0, 0, 0, 0),
        )
        call = _CALLS.get(platform.machine())
        if call is None:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        libc = ctypes.CDLL(None, use_errno=True)
        words = (ctypes.c_long(one) for one in (-1, processor, -1, _CLOSE_ON_EXEC))
        self._file = libc.syscall(ctypes.c_long(call), attribute, *words)
        if self._file < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        try:
            self._ring = mmap.mmap(self._file, mmap.PAGESIZE + _RING_BYTES)
        except BaseException:
            os.close(self._file)
            raise
        self._lock = threading.Lock()

    def switch(self, request: int) -> None:
        fcntl.ioctl(self._file, request, 0)

    def drain(self, take: Taking) -> None:
        """Hands over each record that was written since: its kind and flags, and where it lies."""
        head_word = ctypes.c_uint64.from_buffer(self._ring, _HEAD_AT)
        tail_word = ctypes.c_uint64.from_buffer(self._ring, _TAIL_AT)
        head, at = head_word.value, tail_word.value
        with self._lock:  # a barrier: records are read after the head that says that they are there
            while at < head:
                place = at % _RING_BYTES
                kind, misc, size = _RECORD.unpack_from(self._ring, mmap.PAGESIZE + place)
                if place + size <= _RING_BYTES:
                    take(kind, misc, self._ring, mmap.PAGESIZE + place, size)
                else:
                    take(kind, misc, self._bytes(place, size), 0, size)
                at += max(size, _RECORD.size)
        tail_word.value = at
        del head_word, tail_word

    def _bytes(self, place: int, size: int) -> bytes:
        first = min(size, _RING_BYTES - place)
        start = mmap.PAGESIZE
        return self._ring[start + place : start + place + first] + self._ring[start : start + size - first]

    def close(self) -> None:
        self._ring.close()
        os.close(self._file)


class _Taken:
    """What was taken of the records of one process.

    While the load runs, no more is done than to keep what is needed: whatever this process computes, the
    server lacks. By addresses alone it is known whether a stack has all callers, most, or few.
    """

    def __init__(self, pid: int, machine: MachineRegisters) -> None:
        self.found = PerfData()
        self.mapped: list[MappedFile] = []
        self.program = ""
        self._pid, self._machine = pid, machine
        self._whole: Counter[tuple[int, bytes]] = Counter()
        self._copied: list[tuple[int, bytes, bytes, bytes]] = []
        self._kept_bytes = 0
        self._program_code: list[tuple[int, int]] = []
        self._thread_code: list[tuple[int, int]] = []
        self._registers = struct.Struct(f"<{len(machine.bits)}Q")
        self._instruction_at = 8 + 8 * machine.numbers.index(machine.instruction)

    def look(self, process: Path) -> None:
        """Looks what the process has mapped, and how its threads are called. Raises OSError once it has
        ended.
        """
        self.program = str((process / "exe").readlink())
        self.mapped += mapped_code(process)
        self._program_code = [(one.start, one.end) for one in self.mapped if one.path == self.program]
        self._thread_code = [(one.start, one.end) for one in self.mapped if begins_threads(one.path)]
        for task in process.glob("task/[0-9]*"):
            with suppress(OSError):
                self.found.names[int(task.name)] = (task / "comm").read_text().strip()

    def take(self, kind: int, misc: int, memory: mmap.mmap | bytes, at: int, size: int) -> None:
        """Takes one record; one that is of another form than the kernel promises is lost."""
        try:
            if kind == SAMPLE:
                self._sample(memory, at)
            else:
                take_record(self.found, kind, misc, memory[at : at + size], self._pid)
        except (struct.error, IndexError):
            self.found.lost += 1

    def _sample(self, memory: mmap.mmap | bytes, at: int) -> None:
        pid, tid, length = _IDS_LENGTH.unpack_from(memory, at + 8)
        if pid != self._pid:
            return
        end = at + 24 + 8 * length
        raw = memory[at + 24 : end]
        wanted = self._wanted_bytes(memory, at + 24, end)
        behind = end + 8 + self._registers.size
        dumped = _WORD.unpack_from(memory, behind)[0] if wanted else 0
        is_full = self._kept_bytes > _MOST_KEPT_BYTES
        if not dumped or is_full:
            self.found.uncopied += bool(dumped)
            self._whole[tid, raw] += 1
            return
        valid = min(_WORD.unpack_from(memory, behind + 8 + dumped)[0], wanted)
        registers = memory[end + 8 : behind]
        self._copied.append((tid, raw, registers, memory[behind + 8 : behind + 8 + valid]))
        self._kept_bytes += valid

    def _wanted_bytes(self, memory: mmap.mmap | bytes, start: int, end: int) -> int:
        """Returns how much memory tells the callers that the stack from `start` to `end` lacks: none where
        the program itself, which has frame pointers, was running, or only the kernel.
        """
        if not _WORD.unpack_from(memory, end)[0]:
            return 0
        root = _WORD.unpack_from(memory, end - 8)[0]
        outside = (end - max(memory.rfind(USER_MARK, start, end), start)) // _WORD.size - 1
        if outside < _SHORT or not any(first <= root < stop for first, stop in self._thread_code):
            return _COPIED_BYTES
        running = _WORD.unpack_from(memory, end + self._instruction_at)[0]
        return 0 if any(first <= running < stop for first, stop in self._program_code) else _NEAR_BYTES

    def data(self, roots: tuple[Path, ...]) -> PerfData:
        """Returns all samples, with the callers that were hidden."""
        unwinder = Unwinder(self.mapped, roots, self._machine)
        files = MappedFiles(self.mapped)
        for (tid, raw), count in self._whole.items():
            self.found.samples[tid, split_chain(raw)] += count
        for tid, raw, registers, memory in self._copied:
            inside, outside = split_chain(raw)
            copy = StackCopy(self._registers.unpack(registers), memory)
            whole = unwinder.completed(outside, copy, is_whole=self._is_whole(outside, files))
            self.found.samples[tid, (inside, whole)] += 1
        self._whole, self._copied = Counter(), []
        self.found.mapped = self.mapped
        return self.found

    def _is_whole(self, stack: tuple[int, ...], files: MappedFiles) -> bool:
        """Returns whether frame pointers lead through the program to where the thread of a stack began."""
        root = files.at(stack[-1]) if len(stack) > 1 else None
        if root is None or not begins_threads(root.path):
            return False
        return any(of is not None and of.path == self.program for of in map(files.at, stack[:-1]))
