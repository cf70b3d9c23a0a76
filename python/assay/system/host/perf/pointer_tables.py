"""Names functions of a stripped program by the tables of functions that its exported objects lead to.

A collation is a struct of pointers to functions that export no name, and so is the interface by which a
server measures itself. Without their names, the cost of comparing texts would be that of whoever compares,
and the cost of performance_schema that of whatever it watches. Sources: elf(5); include/m_ctype.h
(`my_charset_*`) and include/mysql/psi/psi.h (`PSI_server`) of MariaDB and MySQL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.system.host.perf.pointers import Pointers, read_pointers
from assay.system.host.perf.program_file import Addresses, Object, ProgramFile, Section
from assay.system.host.perf.virtual_tables import functions_of_engines, has_engines

_CHARSETS, _MEASURING = "my_charset_", "PSI_server"
_HANDLER = re.compile(r"my_(?:uca_)?(?:collation|charset)_.*handler.*|my_uca_collation_handler_.*")
_OF_CHARSETS = ("my_charset_", "my_uca_", "my_collation_")
_MEASURES, _MEASURES_NOTHING = "PFS_v1", "PSI_noop"
_WORD = 8
_MOST_SLOTS = 48
"""Functions of one table of a collation: there are some thirty."""
_LARGEST_GAP = 1
"""Functions in a row that a collation may lack: what lies further is no longer its table."""
_FEWEST_MEASURES = 40


def with_pointed_names(program: ProgramFile, raw: memoryview, sections: Sequence[Section]) -> ProgramFile:
    """Returns a program whose functions without a symbol have the names of the tables that lead to them."""
    charsets = [one for one in program.objects if one.name.startswith(_CHARSETS)]
    measuring = next((one for one in program.objects if one.name == _MEASURING), None)
    if not charsets and measuring is None and not has_engines(program):
        return program
    pointers = read_pointers(raw, sections)
    found = dict(functions_of_engines(program, raw, sections, pointers))
    found |= dict(_of_charsets(charsets, program.objects, pointers))
    if measuring is not None:
        found |= dict(_of_measuring(measuring, program.objects, pointers))
    known = set(program.starts.tolist())
    named = {address: name for address, name in found.items() if address not in known}
    named |= dict(_between_charsets(program, named))
    return _with_names(program, named) if named else program


def _of_charsets(
    charsets: Sequence[Object], objects: Sequence[Object], pointers: Pointers
) -> Iterator[tuple[int, str]]:
    """Yields the functions of collations and character sets; one of several has what their names begin with,
    and a star.
    """
    exported = {one.address for one in objects}
    leads: dict[int, list[tuple[str, str]]] = {}
    tables = {
        target
        for one in charsets
        for at in range(one.address, one.address + one.bytes, _WORD)
        if (target := pointers.targets.get(at)) is not None and not pointers.is_code(target)
    }
    for one in charsets:
        for place, at in enumerate(range(one.address, one.address + one.bytes, _WORD)):
            table = pointers.targets.get(at)
            if table is None or table in exported or table not in tables:
                continue
            for slot, function in _slots(table, tables | exported, pointers):
                leads.setdefault(function, []).append((one.name, f"{place}.{slot}"))
    for one in objects:
        if _HANDLER.fullmatch(one.name):  # a table that is exported itself
            for slot in range(one.bytes // _WORD):
                if (found := pointers.function_at(one.address + slot * _WORD)) is not None:
                    leads.setdefault(found, []).append((one.name, f"{slot}"))
    for function, of in leads.items():
        names = sorted({name for name, _ in of})
        begins = _beginning(names)
        shared = f"{begins if begins.startswith(_OF_CHARSETS) else _CHARSETS}*" if len(names) > 1 else begins
        yield function, f"{shared}[{min(place for _, place in of)}]"


def _beginning(names: Sequence[str]) -> str:
    """Returns what all of these sorted names begin with."""
    first, last = names[0], names[-1]
    same = (number for number, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return first[: next(same, len(first))]


def _between_charsets(program: ProgramFile, named: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Yields the functions without a name on both sides of which the next one with a name is a collation's:
    compilers keep the functions of a file together.
    """
    names = {**dict(zip(program.starts.tolist(), program.names, strict=True)), **named}
    order = sorted({*program.entries.tolist(), *names})
    before: str | None = None
    waiting: list[int] = []
    for address in order:
        name = names.get(address)
        if name is None:
            waiting.append(address)
            continue
        if before is not None and before.startswith(_OF_CHARSETS) and name.startswith(_OF_CHARSETS):
            yield from ((one, f"{_CHARSETS}*[{one:#x}]") for one in waiting)
        before, waiting = name, []


def _slots(table: int, others: set[int], pointers: Pointers) -> Iterator[tuple[int, int]]:
    """Yields the functions of a table with their places in it."""
    gap = 0
    for slot in range(_MOST_SLOTS):
        at = table + slot * _WORD
        function = pointers.function_at(at)
        if (slot and at in others) or (function is None and (at in pointers.targets or gap == _LARGEST_GAP)):
            return
        gap = gap + 1 if function is None else 0
        if function is not None:
            yield slot, function


def _of_measuring(
    measuring: Object, objects: Sequence[Object], pointers: Pointers
) -> Iterator[tuple[int, str]]:
    """Yields the functions of the interface by which the server measures itself. At first it leads to a table
    that measures nothing; the only other table of that length is the one that measures.
    """
    nothing = pointers.targets.get(measuring.address)
    if nothing is None:
        return
    slots = np.array(
        sorted(at for at, target in pointers.targets.items() if pointers.is_code(target)), dtype=np.int64
    )
    runs = _runs(slots[~_is_inside(slots, objects)])
    length = next((length for start, length in runs if start == nothing), 0)
    others = [start for start, of in runs if of == length and start != nothing]
    if length < _FEWEST_MEASURES or len(others) != 1:
        return
    for start, name in ((nothing, _MEASURES_NOTHING), (others[0], _MEASURES)):
        for slot in range(length):
            yield pointers.targets[start + slot * _WORD], f"{name}[{slot}]"


def _is_inside(slots: NDArray[np.int64], objects: Sequence[Object]) -> NDArray[np.bool_]:
    """Returns which addresses lie in an object that has a name."""
    if not objects:
        return np.zeros(slots.size, dtype=bool)
    order = sorted(objects, key=lambda one: one.address)
    starts = np.array([one.address for one in order], dtype=np.int64)
    ends = np.maximum.accumulate(np.array([one.address + one.bytes for one in order], dtype=np.int64))
    place = np.searchsorted(starts, slots, side="right") - 1
    return (place >= 0) & (slots < ends[np.maximum(place, 0)])


def _runs(slots: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Returns start and length of each run of neighbouring slots."""
    if not slots.size:
        return []
    first = np.concatenate(([0], np.flatnonzero(np.diff(slots) != _WORD) + 1))
    lengths = np.diff(np.append(first, slots.size))
    return list(zip(slots[first].tolist(), lengths.tolist(), strict=True))


def _with_names(program: ProgramFile, named: dict[int, str]) -> ProgramFile:
    """Returns the program with more names; each function ends where the next one starts."""
    more = np.array(sorted(named), dtype=np.uint64)
    bounds: Addresses = np.unique(np.concatenate((program.entries, program.starts, more)))
    following = np.searchsorted(bounds, more, side="right")
    ends = np.append(bounds, np.uint64(2**63))[following]
    starts = np.concatenate((program.starts, more))
    names = [*program.names, *(named[one] for one in more.tolist())]
    order = np.argsort(starts, kind="stable")
    return replace(
        program,
        starts=starts[order],
        ends=np.concatenate((program.ends, ends))[order],
        names=tuple(names[one] for one in order.tolist()),
    )
