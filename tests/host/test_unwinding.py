"""Callers of code without frame pointers: by `.eh_frame`, as readelf reads it, and of a program that runs."""

from __future__ import annotations

import os
import random
import re
import shutil
import struct
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from assay.system.host.perf import FunctionNames
from assay.system.host.perf.call_frames import FrameRow, Saved, read_call_frames
from assay.system.host.perf.elf import content_of, frame_table, loaded_segments
from assay.system.host.perf.mapped import mapped_code
from assay.system.host.perf.program_file import offset_at
from assay.system.host.perf.sampling import StackSampler, _Taken
from assay.system.host.perf.unwinding import REGISTERS, StackCopy, Unwinder, machine_registers
from assay.system.host.privileges import lacks

NAMES = {"x86_64": {7: "rsp", 6: "rbp"}, "aarch64": {31: "sp", 29: "x29"}}
PROGRAM = """
#include <stdlib.h>
#include <unistd.h>
static volatile long sum;
__attribute__((noinline)) static int compared(const void *a, const void *b)
{ for (int i = 0; i < 50; i++) sum += i; return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) static void sorted(int *of)
{
    for (int i = 0; i < 512; i++) of[i] = (i * 7919) % 512;
    qsort(of, 512, sizeof *of, compared);
    for (int i = 0; i < 300; i++) sum += write(1, of, 512);
}
__attribute__((noinline)) int main(void)
{ int of[512]; for (;;) { sorted(of); sum++; } return (int)sum; }
"""


def libc() -> Path:
    return next(Path(one.path) for one in mapped_code(Path("/proc/self")) if "/libc.so" in one.path)


def rows_of_readelf(file: Path) -> Iterator[tuple[int, str, int]]:
    """Yields the address, the register and the offset of each row of a frame's address."""
    told = subprocess.run(
        ["readelf", "--debug-dump=frames-interp", file], capture_output=True, text=True, check=False
    ).stdout
    in_entry = False
    for line in told.splitlines():
        if re.match(r"[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ ", line):
            in_entry = " FDE " in line
        found = re.match(r"([0-9a-f]{16}) (\w+)\+(\d+)\s", line)
        if in_entry and found:
            yield int(found[1], 16), found[2], int(found[3])


@pytest.mark.skipif(shutil.which("readelf") is None, reason="needs readelf, the referee")
def test_frames_of_a_library_are_those_that_readelf_finds() -> None:
    file = libc()
    machine = machine_registers()
    assert machine is not None, "of this kind of machine no registers are known"
    names = next(NAMES[name] for name, one in REGISTERS.items() if one == machine)
    frames, segments = read_call_frames(file), loaded_segments(content_of(file))
    assert frames is not None
    compared = 0
    for address, register, offset in rows_of_readelf(file):
        place = offset_at(segments, address)
        assert place is not None
        row = frames.row(place)
        assert row is not None, hex(address)
        if row.register in names:
            assert (names[row.register], row.offset) == (register, offset), hex(address)
            compared += 1
    assert compared > 10_000


def test_what_is_no_program_has_no_frames(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for content in (b"", b"not of a program", b"\x7fELF\x02\x01" + bytes(200), content_of(libc())[:4096]):
        file.write_bytes(content)
        assert read_call_frames(file) is None


def test_a_damaged_entry_gives_no_row_and_never_an_error(tmp_path: Path) -> None:
    whole, chance = bytearray(content_of(libc())), random.Random(7)
    segments, table = loaded_segments(memoryview(whole)), frame_table(memoryview(whole))
    for _, entry in table:
        place = offset_at(segments, entry)
        assert place is not None
        whole[place + chance.randrange(24)] = chance.randrange(256)
    file = tmp_path / "libc.so"
    file.write_bytes(whole)
    damaged = read_call_frames(file)
    assert damaged is not None
    rows = []
    for start, _ in table:
        place = offset_at(segments, start + 4)
        assert place is not None
        rows.append(damaged.row(place))
    assert any(row is None for row in rows)
    assert any(row is not None for row in rows)


def test_a_register_that_was_taken_back_already_is_not_looked_for_below_the_stack() -> None:
    """Behind a pop, an entry may still say that the register is kept where it was."""
    saved = {16: Saved(True, -8), 6: Saved(True, -16), 3: None}
    row = FrameRow(register=7, offset=8, saved=saved)
    memory = {0x1000: 0x4242}
    caller, registers = row.caller({7: 0x1000, 6: 5, 3: 9, 16: 1}, memory.__getitem__, 7)
    assert (caller, registers) == (0x4242, {7: 0x1008, 6: 5, 16: 0x4242})


@pytest.mark.skipif(
    machine_registers() is not REGISTERS["x86_64"], reason="the return address is on the stack"
)
def test_of_a_function_that_calls_itself_every_call_is_kept() -> None:
    """The stack by frame pointers lacks the one caller of a function of libc, and is right from there on."""
    code = [one for one in mapped_code(Path("/proc/self")) if one.path == str(libc())]
    frames, machine = read_call_frames(libc()), machine_registers()
    assert frames is not None
    assert machine is not None
    place = code[0]
    leaf = next(
        address
        for address in range(place.start, place.end)
        if (row := frames.row(address - place.start + place.offset))
        and (row.register, row.offset) == (machine.stack, 8)
    )
    hidden, again, root = place.start + 64, place.start + 96, place.start + 128
    words = [hidden, again]
    registers = tuple(
        {machine.stack: 0x1000, machine.instruction: leaf}.get(one, 0) for one in machine.numbers
    )
    unwinder = Unwinder(code, [Path("/")], machine)
    copy = StackCopy(registers, struct.pack("<2Q", *words))
    assert unwinder.completed((leaf, hidden, hidden, root), copy, is_whole=True) == (
        leaf,
        hidden,
        hidden,
        root,
    )
    assert unwinder.completed((leaf, again, again, root), copy, is_whole=True)[0:2] == (leaf, hidden)


LIBRARY, SERVER, MARK = 0x7000, 0x1000, (1 << 64) - 512
KERNEL = [(1 << 64) - 128, *range((1 << 64) - 99_000, (1 << 64) - 98_990)]


@pytest.mark.parametrize(
    ("outside", "copied"),
    [
        ([LIBRARY], 4096),  # a call of the system
        ([LIBRARY, LIBRARY + 8], 4096),  # a wait within a library
        ([LIBRARY, 5], 4096),
        ([SERVER, 5, 6, 7, 8], 4096),
        ([LIBRARY, SERVER, SERVER, SERVER, LIBRARY], 1024),
        ([SERVER, SERVER, SERVER, LIBRARY], 0),
    ],
)
@pytest.mark.parametrize("inside", [[], KERNEL])
def test_a_stack_is_copied_unless_it_leads_through_the_server(
    outside: list[int], copied: int, inside: list[int]
) -> None:
    """Whatever of the kernel stands before it."""
    machine = REGISTERS["x86_64"]
    taken = _Taken(7, machine)
    taken._thread_code, taken._program_code = [(LIBRARY, LIBRARY + 99)], [(SERVER, SERVER + 99)]
    chain = [*inside, MARK, *outside]
    registers = [outside[0] if one == machine.instruction else 0 for one in machine.numbers]
    words = [*chain, 2, *registers]
    record = struct.pack("<QIIQ", 0, 7, 8, len(chain)) + struct.pack(f"<{len(words)}Q", *words)
    record += struct.pack("<Q", 4096) + bytes(4096) + struct.pack("<Q", 4096)
    taken.take(9, 0, record, 0, len(record))
    assert [len(memory) for *_, memory in taken._copied] == ([copied] if copied else [])
    assert sum(taken._whole.values()) == (not copied)
    assert (taken.found.lost, taken.found.uncopied) == (0, 0)
    taken._kept_bytes = 1 << 40
    taken.take(9, 0, record, 0, len(record))
    assert taken.found.uncopied == (copied > 0), "said, once there is no more memory for it"


def used_s(pid: int) -> float:
    """Returns the processor time that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def running(tmp_path: Path, *flags: str) -> subprocess.Popen[bytes]:
    source, binary = tmp_path / "program.c", tmp_path / "program"
    source.write_text(PROGRAM)
    subprocess.run(["cc", "-O1", "-g0", *flags, "-o", binary, source], check=True)
    return subprocess.Popen([binary], stdout=subprocess.DEVNULL)


@pytest.mark.skipif(lacks("perf") is not None, reason="needs the privilege perf")
@pytest.mark.parametrize("flag", ["-fomit-frame-pointer", "-fno-omit-frame-pointer"])
def test_a_program_that_runs_has_whole_stacks_with_frame_pointers_and_without(
    tmp_path: Path, flag: str
) -> None:
    """Sorting by a library that has no frame pointers, whatever its caller and what it calls have."""
    process = running(tmp_path, flag)
    try:
        machine = machine_registers()
        assert machine is not None, "of this kind of machine no registers are known"
        recording = StackSampler(process.pid, os.sched_getaffinity(0), 1_001_001, machine)
        try:
            recording.start()
        except OSError as error:
            pytest.skip(f"the kernel refuses perf events: {error}")
        recording.begin()
        deadline = time.monotonic() + 30
        while used_s(process.pid) < 1.2 and time.monotonic() < deadline:  # however busy the machine is
            assert process.poll() is None
            time.sleep(0.05)
        recording.end()
    finally:
        process.kill()
        process.wait()
    data = recording.data((Path("/"),))
    names = FunctionNames(data.mapped)
    whole, begun, kernel = Counter[bool](), Counter[bool](), 0
    for (_, (inside, outside)), samples in data.samples.items():
        stack = [names.functions[one].name for one in names.stack([], outside)]
        begun["main" in stack or "_start" in stack] += samples
        kernel += samples if inside else 0
        if stack[0] == "compared":
            callers = [one for one in stack if one in ("compared", "sorted", "main")]
            libraries = stack[1 : stack.index("sorted")] if "sorted" in stack else []
            whole[callers == ["compared", "sorted", "main"] and len(libraries) >= 1] += samples
    assert sum(whole.values()) > 100
    assert whole[True] >= 0.98 * sum(whole.values()), whole
    assert kernel > 20, "calls of the system, whose stack begins in the library"
    assert begun[True] >= 0.98 * sum(begun.values()), begun
    assert data.lost == 0
