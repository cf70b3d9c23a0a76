"""Samples of perf: its file is read, and functions are named, those of stripped programs too."""

from __future__ import annotations

import ctypes
import lzma
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from assay.base.errors import HostError
from assay.design.folder import Function
from assay.system.host.perf import FunctionNames, MappedFile, demangled, kernel_symbols
from assay.system.host.perf.elf import read_program
from assay.system.host.perf.perf_data import read_perf_data
from assay.system.host.perf.pointer_tables import with_pointed_names
from assay.system.host.perf.program_file import Object, ProgramFile, Section

KERNEL_MARK, USER_MARK = (1 << 64) - 128, (1 << 64) - 512
SAMPLE_TYPE = 1 << 16 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 8  # identifier, tid, time, call stack, period


def record(kind: int, content: bytes, misc: int = 0) -> bytes:
    content += bytes(-len(content) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(content)) + content


def sample(tid: int, *chain: int, pid: int = 7) -> bytes:
    return record(9, struct.pack(f"<QIIQQQ{len(chain)}Q", 1, pid, tid, 5, 1000, len(chain), *chain))


def mapped(start: int, length: int, path: str, prot: int = 5, pid: int = 7) -> bytes:
    fixed = struct.pack("<IIQQQ24xII", pid, pid, start, length, 0x1000, prot, 2)
    return record(10, fixed + path.encode() + b"\0")


def perf_data(*records: bytes, sample_type: int = SAMPLE_TYPE) -> bytes:
    attribute = struct.pack("<IIQQQ", 1, 128, 0, 1000, sample_type).ljust(144, b"\0")
    data = b"".join(records)
    at = 104 + len(attribute)
    header = struct.pack("<8sQQ6Q", b"PERFILE2", 104, 144, 104, len(attribute), at, len(data), 0, 0)
    return header.ljust(104, b"\0") + attribute + data


def test_samples_names_files_and_losses_are_read(tmp_path: Path) -> None:
    file = tmp_path / "perf.data"
    file.write_bytes(
        perf_data(
            record(3, struct.pack("<II", 7, 8) + b"connection\0"),
            mapped(0x400000, 0x1000, "/usr/sbin/mariadbd"),
            mapped(0x800000, 0x1000, "/data", prot=1),
            sample(8, KERNEL_MARK, 0xFFFFFFFF81000010, USER_MARK, 0x400010, 0x400020),
            sample(8, KERNEL_MARK, 0xFFFFFFFF81000010, USER_MARK, 0x400010, 0x400020),
            sample(9, USER_MARK, 0x400030),
            sample(99, USER_MARK, 0x400030, pid=98),
            record(3, struct.pack("<II", 98, 99) + b"another\0"),
            mapped(0x500000, 0x1000, "/bin/another", pid=98),
            record(2, struct.pack("<QQ", 1, 5)),
            record(13, struct.pack("<Q", 6)),
            record(77, b"of a later version"),
        )
    )
    found = read_perf_data(file, 7)
    assert dict(found.samples) == {
        (8, ((0xFFFFFFFF81000010,), (0x400010, 0x400020))): 2,
        (9, ((), (0x400030,))): 1,
    }
    assert found.mapped == [MappedFile(0x400000, 0x401000, 0x1000, "/usr/sbin/mariadbd")]
    assert (found.names, found.lost) == ({8: "connection"}, 11)


@pytest.mark.parametrize(
    "content",
    [
        b"not of perf" * 20,
        perf_data(sample(8, USER_MARK), sample_type=SAMPLE_TYPE | 1 << 4),
        perf_data(sample(8, USER_MARK), sample_type=SAMPLE_TYPE & ~(1 << 5)),
        perf_data(bytes(16)),
    ],
)
def test_a_file_of_another_form_is_said_to_be_one(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "perf.data"
    file.write_bytes(content)
    with pytest.raises(HostError, match="perf record wrote"):
        read_perf_data(file, 7)


def test_functions_of_a_library_are_named_and_those_without_a_symbol_have_their_start(tmp_path: Path) -> None:
    maps = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
    libc = next(one[5] for one in maps if len(one) > 5 and "libc.so" in one[5] and "x" in one[1])
    code = [
        MappedFile(*(int(end, 16) for end in one[0].split("-")), int(one[2], 16), one[5])
        for one in maps
        if len(one) > 5 and one[5] == libc and "x" in one[1]
    ]
    address = ctypes.cast(ctypes.CDLL(None).qsort, ctypes.c_void_p).value
    assert address is not None
    names = FunctionNames(code)
    place = names.stack([], [address, address + 5, 0x10])
    assert [names.functions[one].name for one in place[:2]] == ["qsort", "qsort"]
    assert names.functions[place[2]] == Function("unknown", -2, False)
    program = read_program(Path(libc))
    assert program is not None
    assert names.objects[0].build_id == program.build_id
    assert program.build_id
    # Stripped of its symbols, the same function is known by the start of its entry.
    inner = program.address_of(address - code[0].start + code[0].offset)
    assert inner is not None
    assert program.entry_at(inner + 5) == inner


def program(*sections: tuple[bytes, int, bytes, int], entries: bytes = b"", packed: bytes = b"") -> bytes:
    """Returns a program file with these sections: name, kind, content, and the number of the linked one."""
    whole = [(b"", 0, b"", 0), *sections, *([(b".gnu_debugdata", 1, packed, 0)] if packed else [])]
    names = b"".join(name + b"\0" for name, _, _, _ in whole) + b".shstrtab\0"
    whole.append((b".shstrtab", 3, names, 0))
    at, rows, content = 64 + 56, [], b""
    for name, kind, of, link in whole:
        place = 0 if not name else names.index(b"\0" + name + b"\0") + 1
        rows.append(struct.pack("<IIQQQQIIQQ", place, kind, 0, 0, at + len(content), len(of), link, 0, 1, 24))
        content += of
    frame = struct.pack(
        "<IIQQQQQQ", 0x6474E550, 4, at + len(content), 0x5000, 0x5000, len(entries), len(entries), 4
    )
    content += entries
    header = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 3, 62, 1, 0, 64, at + len(content), 0, 64, 56, 1, 64,
        len(rows), len(rows) - 1,
    )  # fmt: skip
    return header + frame + content + b"".join(rows)


def symbol(name_at: int, value: int, size: int) -> bytes:
    return struct.pack("<IBBHQQ", name_at, 1 << 4 | 2, 0, 1, value, size)


def test_packed_symbols_and_entries_tell_functions_of_a_stripped_program_apart(tmp_path: Path) -> None:
    texts = b"\0first\0second\0"
    inner = program(
        (b".symtab", 2, symbol(1, 0x1000, 0x10) + symbol(7, 0x1100, 0), 2), (b".strtab", 3, texts, 0)
    )
    starts = (0x1000, 0x1100, 0x1200, 0x1300)
    table = b"".join(struct.pack("<ii", start - 0x5000, 0) for start in starts)
    entries = bytes([1, 0x1B, 0x03, 0x3B]) + struct.pack("<iI", 0, len(starts)) + table
    file = tmp_path / "mysqld"
    file.write_bytes(program(entries=entries, packed=lzma.compress(inner)))
    found = read_program(file)
    assert found is not None
    assert found.symbol_at(0x100F) == (0x1000, "first")
    assert found.symbol_at(0x1010) is None
    assert found.symbol_at(0x11FF) == (0x1100, "second")  # without a size: to the next entry
    assert found.symbol_at(0x1200) is None
    assert [found.entry_at(address) for address in (0x10, 0x1234, 0x1300)] == [None, 0x1200, 0x1300]


def test_functions_without_a_symbol_have_the_name_of_the_table_that_leads_to_them() -> None:
    tables = {
        0x8000: [0x9000, 0x9100],  # one collation
        0x8010: [0x9000, 0x9200],  # another, which shares a table
        0x9000: [None, 0x1000, 0x1010],
        0x9100: [0x1020],
        0x9200: [0x1030],
        0x8200: [0x1050],  # a table that is exported itself
        0x8100: [0xA000],  # the interface of measuring
        0xA000: [0x2000 + 0x10 * one for one in range(50)],
        0xB000: [0x3000 + 0x10 * one for one in range(50)],
        0xC000: [0x2000] * 49,
    }
    relocations = b"".join(
        struct.pack("<QQq", at + 8 * slot, 8, target)
        for at, targets in tables.items()
        for slot, target in enumerate(targets)
        if target is not None
    )
    sections = [Section(0, 4, 0, 0, 0, len(relocations), 0), Section(0, 1, 4, 0x1000, 0, 0x3000, 0)]
    known = ProgramFile(
        build_id=None,
        segments=(),
        starts=np.array([0x1010], dtype=np.uint64),
        ends=np.array([0x1018], dtype=np.uint64),
        names=("known",),
        entries=np.array([0x1000, 0x1008, 0x1010, 0x1020, 0x1030, 0x1040, 0x1050, 0x1060], dtype=np.uint64),
        objects=(
            Object("my_charset_a_ci", 0x8000, 16),
            Object("my_charset_a_bin", 0x8010, 16),
            Object("PSI_server", 0x8100, 8),
            Object("my_uca_collation_handler_b", 0x8200, 8),
        ),
    )
    found = with_pointed_names(known, memoryview(relocations), sections)
    expected = {
        0x1004: (0x1000, "my_charset_a_*[0.1]"),
        0x1009: None,  # another function
        0x1012: (0x1010, "known"),
        0x1024: (0x1020, "my_charset_a_ci[1.0]"),
        0x1031: (0x1030, "my_charset_a_bin[1.0]"),
        0x1044: (0x1040, "my_charset_*[0x1040]"),  # between two of them
        0x1050: (0x1050, "my_uca_collation_handler_b[0]"),
        0x1060: None,
        0x2010: (0x2010, "PSI_noop[1]"),
        0x3018: (0x3010, "PFS_v1[1]"),
    }
    assert {address: found.symbol_at(address) for address in expected} == expected
    plain = replace(known, objects=(Object("errno", 0x8000, 4),))
    assert with_pointed_names(plain, memoryview(relocations), sections) is plain


def test_functions_of_engines_have_the_names_that_the_table_of_their_class_has() -> None:
    tables = {
        0x8000: [
            None,
            0x8800,
            0x1000,
            0x1010,
            None,
            0x1020,
        ],  # of handler: its third function is only declared
        0x8100: [None, 0x8810, 0x1100, 0x1110, 0x1120, 0x1020],  # of ha_maria
        0x8200: [None, 0x8820, 0x1200, 0x1210, 0x1220, 0x1020],  # of ha_innobase
        0x8300: [None, 0x8840, 0x1300, 0x1210, 0x1320, 0x1020],  # of ha_partition
        0x8820: [None, 0x9001],
        0x8840: [None, 0x900F],
    }
    relocations = b"".join(
        struct.pack("<QQq", at + 8 * slot, 8, target)
        for at, targets in tables.items()
        for slot, target in enumerate(targets)
        if target is not None
    )
    texts = b"\x0011ha_innobase\x0012ha_partition\x00"
    sections = [
        Section(0, 4, 0, 0, 0, len(relocations), 0),
        Section(0, 1, 4, 0x1000, 0, 0x3000, 0),
        Section(0, 1, 2, 0x9000, len(relocations), len(texts), 0),
    ]
    symbols = {
        0x1000: "_ZN7handler4openEPKci",
        0x1010: "_ZNK7handler5countEv",
        0x1020: "_ZN7handler4sameEv",
        0x1120: "_ZN8ha_maria10index_nextEPh",
    }
    known = ProgramFile(
        build_id=None,
        segments=(),
        starts=np.array(list(symbols), dtype=np.uint64),
        ends=np.array(list(symbols), dtype=np.uint64) + np.uint64(8),
        names=tuple(symbols.values()),
        entries=np.array([0x1200, 0x1210, 0x1220, 0x1300, 0x1320], dtype=np.uint64),
        objects=(Object("_ZTV7handler", 0x8000, 48), Object("_ZTV8ha_maria", 0x8100, 48)),
    )
    found = with_pointed_names(known, memoryview(relocations + texts), sections)
    named = {
        address: found.symbol_at(address) for address in (0x1200, 0x1210, 0x1220, 0x1300, 0x1320, 0x1020)
    }
    assert {address: one and demangled(one[1]) for address, one in named.items()} == {
        0x1200: "ha_innobase::open(char const*, int)",
        0x1210: None,  # of both engines
        0x1220: "ha_innobase::index_next(unsigned char*)",
        0x1300: "ha_partition::open(char const*, int)",
        0x1320: "ha_partition::index_next(unsigned char*)",
        0x1020: "handler::same()",
    }


def test_code_of_no_program_is_its_file_and_said(tmp_path: Path) -> None:
    (tmp_path / "jit").write_bytes(b"no program")
    names = FunctionNames(
        [MappedFile(0x1000, 0x2000, 0, "/jit"), MappedFile(0x3000, 0x4000, 0, "/gone")], [tmp_path]
    )
    place = names.stack([], [0x1010, 0x3010])
    assert [names.functions[one] for one in place] == [Function("jit", 0, False), Function("gone", 1, False)]
    assert len(names.notes) == 2
    assert "No such file" in names.notes[1]


def test_a_damaged_program_is_named_and_the_others_keep_their_names(tmp_path: Path) -> None:
    texts = b"\0first\0"
    table = (b".symtab", 2, symbol(1, 0x1000, 0x10), 2)
    sound = program(table, (b".strtab", 3, texts, 0))
    (tmp_path / "cut").write_bytes(sound[:70])
    (tmp_path / "packed").write_bytes(program(table, (b".strtab", 3, texts, 0), packed=b"no xz at all"))
    (tmp_path / "odd").write_bytes(program((b".symtab", 2, b"seven b", 2), (b".strtab", 3, texts, 0)))
    for name, note in (
        ("cut", "/cut have no names: it is damaged"),
        ("packed", "/packed have only some names: its packed symbols"),
        ("odd", "/odd have only some names: its symbols"),
    ):
        found = read_program(tmp_path / name) if name != "cut" else None
        names = FunctionNames([MappedFile(0x1000, 0x2000, 0, f"/{name}")], [tmp_path])
        names.stack([], [0x1010])
        assert any(note in one for one in names.notes), names.notes
        if name == "packed":
            assert found is not None
            assert found.symbol_at(0x1004) == (0x1000, "first")


def test_names_of_the_kernel_and_of_cpp() -> None:
    symbols = kernel_symbols(["ffffffff81000100 T b", "ffffffff81000000 t a", "ffffffff81000200 D data"])
    assert [symbols.name(0xFFFFFFFF81000000 + at) for at in (0x0, 0xFF, 0x100, 0x500)] == ["a", "a", "b", "b"]
    assert kernel_symbols(["0000000000000000 T hidden"]).name(1) is None
    assert demangled("malloc") == "malloc"
    assert demangled("_ZN3THD4stepEv.part.0").startswith("THD::step")
