"""Reads a file of `perf record`: mapped files, names of threads, samples with their call stacks, losses.

Source: perf_event_open(2), and tools/perf/Documentation/perf.data-file-format.txt of the Linux kernel.
"""

from __future__ import annotations

import mmap
import struct
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.errors import HostError
from assay.system.host.perf.mapped import MappedFile

_MAGIC = b"PERFILE2"
_HEADER = struct.Struct("<8sQQ6Q")  # magic, sizes of header and attribute; offset and size of three sections
_RECORD = struct.Struct("<IHH")
_WORD = struct.Struct("<Q")
_IDS = struct.Struct("<II")
_MMAP2 = struct.Struct("<IIQQQ")  # pid, tid, start, length, offset
_PROT_AT = 8 + _MMAP2.size + 24  # behind the device and inode, or the build id
_MMAP2_NAME_AT = _PROT_AT + 8
_MMAP_NAME_AT = 8 + _MMAP2.size
_PROT_EXEC = 4

SAMPLE = 9
"""The kind of a record that is a sample."""
_LOST, _COMM, _MMAP, _MMAP2_TYPE, _LOST_SAMPLES = 2, 3, 1, 10, 13
_DATA_MAP = 1 << 13

_FIXED = (1 << 16, 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 6, 1 << 9, 1 << 7, 1 << 8)
"""Fields of eight bytes before the call stack, in their order: identifier, ip, tid, time, address, id,
stream, processor, period.
"""
_TID, _CALLCHAIN = 1 << 1, 1 << 5
_CONTEXTS = (1 << 64) - 4095
"""Addresses from here on are marks of a context, and no addresses."""
_KERNEL = (1 << 64) - 128
_USER = (1 << 64) - 512
USER_MARK = _WORD.pack(_USER)
"""The mark behind which a call stack is outside the kernel."""

Chain = tuple[tuple[int, ...], tuple[int, ...]]
"""The addresses of a call stack in the kernel and outside it, each from the leaf to the root."""


@dataclass
class PerfData:
    """What `perf record` wrote: samples by thread and call stack, and what is needed to name them."""

    samples: Counter[tuple[int, Chain]] = field(default_factory=Counter)
    mapped: list[MappedFile] = field(default_factory=list)  # in the order in which they were mapped
    names: dict[int, str] = field(default_factory=dict)  # of threads
    lost: int = 0
    uncopied: int = 0  # samples whose stack lacks callers, since copies of others had taken all the memory


def read_perf_data(file: Path, pid: int) -> PerfData:
    """Returns what a file of `perf record` has of one process. Raises HostError for one of another form."""
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
        try:
            return _read(content, pid)
        except (struct.error, IndexError) as error:
            raise HostError(f"{file.name} of perf record is damaged: {error}") from error


def _read(content: mmap.mmap, pid: int) -> PerfData:
    if len(content) < _HEADER.size or content[:8] != _MAGIC:
        raise HostError("perf record wrote a file of a form that is not known")
    _, _, _, attributes, _, data, data_bytes, _, _ = _HEADER.unpack_from(content)
    sample_type = _WORD.unpack_from(content, attributes + 24)[0]
    before = 8 * sum(1 for bit in _FIXED if sample_type & bit)
    known = sum(_FIXED) | _CALLCHAIN
    if sample_type & ~known or not sample_type & _CALLCHAIN or not sample_type & _TID:
        raise HostError(f"perf record wrote samples of a form that is not known: {sample_type:#x}")
    tid_at = 8 * sum(1 for bit in _FIXED[: _FIXED.index(_TID)] if sample_type & bit)
    found, raw = PerfData(), Counter[tuple[int, bytes]]()
    at, end = data, min(data + data_bytes, len(content)) if data_bytes else len(content)
    while at + _RECORD.size <= end:
        kind, misc, size = _RECORD.unpack_from(content, at)
        if size < _RECORD.size:
            raise HostError("perf record wrote a file that is not whole")
        if kind == SAMPLE:
            of, tid = _IDS.unpack_from(content, at + 8 + tid_at)
            if of != pid:
                at += size
                continue
            chain = at + 8 + before
            length = _WORD.unpack_from(content, chain)[0]
            raw[tid, content[chain + 8 : min(chain + 8 + 8 * length, at + size)]] += 1
        else:
            take_record(found, kind, misc, content[at : at + size], pid)
        at += size
    for (tid, chain_bytes), count in raw.items():
        found.samples[tid, split_chain(chain_bytes)] += count
    return found


def take_record(found: PerfData, kind: int, misc: int, record: bytes, pid: int) -> None:
    """Takes from a record of another kind than a sample what it says of a process: names of threads, mapped
    files, losses.
    """
    if kind == _COMM:
        of, tid = _IDS.unpack_from(record, 8)
        if of == pid:
            found.names[tid] = _text(record, 16)
    elif kind == _LOST:
        found.lost += _WORD.unpack_from(record, 16)[0]
    elif kind == _LOST_SAMPLES:
        found.lost += _WORD.unpack_from(record, 8)[0]
    elif kind in (_MMAP, _MMAP2_TYPE):
        of, _, start, length, offset = _MMAP2.unpack_from(record, 8)
        if kind == _MMAP2_TYPE:
            runs = int.from_bytes(record[_PROT_AT : _PROT_AT + 4], "little") & _PROT_EXEC
            path = _text(record, _MMAP2_NAME_AT)
        else:
            runs, path = not misc & _DATA_MAP, _text(record, _MMAP_NAME_AT)
        if runs and of == pid:
            found.mapped.append(MappedFile(start, start + length, offset, path))


def _text(record: bytes, at: int) -> str:
    return record[at:].split(b"\0", 1)[0].decode(errors="replace")


def split_chain(content: bytes) -> Chain:
    """Returns a call stack as the kernel writes it, without the marks of its parts."""
    kernel: list[int] = []
    user: list[int] = []
    into = user
    for (address,) in _WORD.iter_unpack(content):
        if address >= _CONTEXTS:
            into = kernel if address == _KERNEL else user if address == _USER else []
        else:
            into.append(address)
    return tuple(kernel), tuple(user)
