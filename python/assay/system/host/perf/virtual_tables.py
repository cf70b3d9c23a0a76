"""Names the functions of storage engines in a stripped program by the virtual tables of their classes.

A program that exports its SQL layer alone keeps the names of all classes, for exceptions and casts, each
with a table of its virtual functions. Engines derive from one class that is exported: its table, in the
same order, says what their functions are called. Source: Itanium C++ ABI, "Virtual Table Layout" and
"Run-Time Type Information".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from assay.system.host.perf.pointers import IS_CODE, Pointers
from assay.system.host.perf.program_file import Object, ProgramFile, Section

_BASES = ("handler", "ha_maria", "ha_json_table")
"""The class from which engines derive, and exported engines: the first only declares some functions."""
_ENGINES = ("ha_innobase", "ha_partition", "ha_myisam", "ha_myisammrg", "ha_heap", "ha_tina", "ha_sequence")
_CONTENT = 1
"""The kind of sections with content (SHT_PROGBITS)."""
_WORD = 8
_HEAD = 2 * _WORD
"""What stands before the functions of a table: an offset, and the class's own description."""

_Method = tuple[str, str]
"""What stands before and behind the name of the class in the symbol of its function."""


def has_engines(program: ProgramFile) -> bool:
    """Returns whether a program exports the table of the class from which storage engines derive."""
    return any(one.name == _table_of(_BASES[0]) for one in program.objects)


def functions_of_engines(
    program: ProgramFile, raw: memoryview, sections: Sequence[Section], pointers: Pointers
) -> Iterator[tuple[int, str]]:
    """Yields the addresses of virtual functions of engines with their names, mangled; of one that several
    classes have nothing.
    """
    methods = _methods(program, pointers)
    if not methods:
        return
    found: list[tuple[int, str]] = []
    for name, table in _tables(raw, sections, pointers):
        for slot, (begins, ends) in methods.items():
            function = pointers.function_at(table + slot * _WORD)
            if function is not None:
                found.append((function, f"{begins}{len(name)}{name}{ends}"))
    times = Counter(function for function, _ in found)
    yield from (one for one in found if times[one[0]] == 1)


def _methods(program: ProgramFile, pointers: Pointers) -> dict[int, _Method]:
    """Returns what the functions of each slot of the tables are called, without their class."""
    names = dict(zip(program.starts.tolist(), program.names, strict=True))
    tables = {one.name: one for one in program.objects}
    found: dict[int, _Method] = {}
    for base in _BASES:
        table = tables.get(_table_of(base))
        for slot, function in () if table is None else _slots(table, pointers):
            said = re.match(rf"(_ZNK?){len(base)}{base}(.+)", names.get(function, ""))
            if said is not None:
                found.setdefault(slot, (said[1], said[2]))
    return found


def _slots(table: Object, pointers: Pointers) -> Iterator[tuple[int, int]]:
    for slot in range((table.bytes - _HEAD) // _WORD):
        if (function := pointers.function_at(table.address + _HEAD + slot * _WORD)) is not None:
            yield slot, function


def _tables(raw: memoryview, sections: Sequence[Section], pointers: Pointers) -> Iterator[tuple[str, int]]:
    """Yields the engines of a program, each with the address of its first virtual function's pointer."""
    names = dict(_places(raw, sections))
    described = {at - _WORD: names[target] for at, target in pointers.targets.items() if target in names}
    for at, target in pointers.targets.items():
        if target in described and pointers.function_at(at + _WORD) is not None:
            yield described[target], at + _WORD


def _places(raw: memoryview, sections: Sequence[Section]) -> Iterator[tuple[int, str]]:
    """Yields the addresses of the names of engines' classes, as their descriptions have them."""
    wanted = re.compile(b"(?<=\\0)(" + b"|".join(f"{len(one)}{one}".encode() for one in _ENGINES) + b")\\0")
    for section in sections:
        if section.address and not section.flags & IS_CODE and section.kind == _CONTENT:
            content = raw[section.offset : section.offset + section.bytes]
            for one in wanted.finditer(content):
                name = one[1].decode()
                yield section.address + one.start(), name.lstrip("0123456789")


def _table_of(name: str) -> str:
    return f"_ZTV{len(name)}{name}"
