"""Reads of a Linux program what it asks of the system that it runs on: its machine, libraries and glibc.

The layout is that of the System V ABI, chapters 4 and 5, and of the Linux Standard Base for the versions of
symbols. Only 64-bit little-endian programs are read.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MACHINES = {62: "x86_64", 183: "aarch64"}
_LOADED, _DYNAMIC = 1, 2
_NEEDED, _STRINGS, _VERSIONS, _VERSION_COUNT = 1, 5, 0x6FFFFFFE, 0x6FFFFFFF
_SYMBOL_TABLE = 2


@dataclass(frozen=True)
class Program:
    """A program: `libraries` that it loads, the newest `glibc` whose symbols it uses (None: a static
    program), and whether it has symbols that only a debugger reads.
    """

    machine: str
    libraries: tuple[str, ...]
    glibc: tuple[int, int] | None
    has_symbols: bool

    def needs(self) -> str:
        """Says what the program asks of a system."""
        if self.glibc is not None:
            return f"glibc {self.glibc[0]}.{self.glibc[1]} or newer"
        if self.libraries:
            return f"{', '.join(self.libraries)} of any version"
        return "static, runs on any Linux"


def read_program(path: Path) -> Program:
    """Returns what the file says. Raises ValueError for one that is no such program."""
    content = path.read_bytes()
    if content[:6] != b"\x7fELF\x02\x01":
        raise ValueError(f"{path} is not a 64-bit Linux program")
    (machine,) = struct.unpack_from("<H", content, 18)
    if machine not in _MACHINES:
        raise ValueError(f"{path} is for machine {machine}; known are {', '.join(_MACHINES.values())}")
    image = _Image(content)
    versions = [
        tuple(map(int, name.removeprefix("GLIBC_").split(".")[:2]))
        for name in image.versions()
        if name.startswith("GLIBC_2.")
    ]
    newest = max(versions, default=None)
    glibc = None if newest is None else (newest[0], newest[1])
    return Program(_MACHINES[machine], tuple(image.libraries()), glibc, image.has_symbols())


class _Image:
    """The tables of a program."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        table, each, count = *struct.unpack_from("<Q", content, 32), *struct.unpack_from("<HH", content, 54)
        self._segments: list[tuple[int, int, int, int]] = [
            (kind, offset, address, size)
            for kind, _, offset, address, _, size, _, _ in (
                struct.unpack_from("<IIQQQQQQ", content, table + number * each) for number in range(count)
            )
        ]
        self._dynamic = list(self._entries())

    def _entries(self) -> Iterator[tuple[int, int]]:
        for kind, offset, _, size in self._segments:
            if kind == _DYNAMIC:
                for at in range(offset, offset + size, 16):
                    tag, value = struct.unpack_from("<qQ", self._content, at)
                    if tag == 0:
                        return
                    yield tag, value

    def _values(self, wanted: int) -> list[int]:
        return [value for tag, value in self._dynamic if tag == wanted]

    def _offset(self, address: int) -> int:
        """Returns where in the file an address of memory is."""
        for kind, offset, start, size in self._segments:
            if kind == _LOADED and start <= address < start + size:
                return address - start + offset
        raise ValueError(f"address {address:#x} is in no segment")

    def _text(self, at: int) -> str:
        start = self._offset(self._values(_STRINGS)[0]) + at
        return self._content[start : self._content.index(b"\0", start)].decode()

    def libraries(self) -> Iterator[str]:
        yield from map(self._text, self._values(_NEEDED))

    def versions(self) -> Iterator[str]:
        """Yields the names of the versions of symbols that the program asks its libraries for."""
        if not self._values(_VERSIONS):
            return
        library = self._offset(self._values(_VERSIONS)[0])
        for _ in range(self._values(_VERSION_COUNT)[0]):
            _, count, _, first, following = struct.unpack_from("<HHIII", self._content, library)
            version = library + first
            for _ in range(count):
                *_, name, step = struct.unpack_from("<IHHII", self._content, version)
                yield self._text(name)
                version += step
            library += following

    def has_symbols(self) -> bool:
        (table,) = struct.unpack_from("<Q", self._content, 40)
        each, count = struct.unpack_from("<HH", self._content, 58)
        kinds = (
            struct.unpack_from("<I", self._content, table + number * each + 4)[0] for number in range(count)
        )
        return _SYMBOL_TABLE in kinds


def main(paths: list[str]) -> int:
    """Prints a line for each program: its machine, its size, and what it needs."""
    for path in map(Path, paths):
        try:
            program = read_program(path)
        except (OSError, ValueError, struct.error, IndexError) as error:
            print(f"error: what {path} needs cannot be told: {error}", file=sys.stderr)
            return 2
        print(f"{path}: {program.machine}, {path.stat().st_size} bytes, {program.needs()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
