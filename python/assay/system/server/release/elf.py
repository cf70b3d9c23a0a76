"""Reads how an ELF binary was made: build id, compiler, needed libraries.

Source: System V ABI, chapter 4 (object files) and 5 (dynamic linking); `.comment` and `.note.gnu.build-id`
are what GNU and LLVM tools write.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SECTION = struct.Struct("<IIQQQQIIQQ")  # Elf64_Shdr
_NEEDED = 1  # DT_NEEDED
_MACHINES = {
    3: "i386",
    21: "ppc64le",
    22: "s390x",
    40: "arm",
    62: "x86_64",
    183: "aarch64",
    243: "riscv64",
    258: "loongarch64",
}
"""Kinds of machines by the kernel's names, by `e_machine`."""


@dataclass(frozen=True)
class Provenance:
    """How a binary was made: build id, compiler, libraries. Empty where the binary does not say, or is no
    64-bit little-endian ELF file.
    """

    build_id: str = ""
    compiler: str = ""
    libraries: tuple[str, ...] = ()

    @property
    def allocator(self) -> str:
        """The allocator of the binary: a library that it needs, otherwise `libc`, which may also be an
        allocator linked into it.
        """
        for name in ("jemalloc", "tcmalloc", "mimalloc"):
            if any(name in library for library in self.libraries):
                return name
        return "libc"


def machine_of(binary: Path) -> str | None:
    """Returns the kind of machine that a binary is for, by the kernel's name; None where it does not say, or
    is no ELF file, or cannot be read.
    """
    try:
        with binary.open("rb") as file:
            head = file.read(20)
    except OSError:
        return None
    if head[:4] != b"\x7fELF" or len(head) < 20:
        return None
    (number,) = struct.unpack_from("<H" if head[5] == 1 else ">H", head, 18)
    return _MACHINES.get(number)


def read_making(binary: Path) -> Provenance:
    """Returns how a binary was made, from its section headers; a stripped binary still has these sections."""
    with binary.open("rb") as file:
        if file.read(6) != b"\x7fELF\x02\x01":
            return Provenance()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
            try:
                return _making(image)
            except (struct.error, IndexError, OverflowError, ValueError):  # damaged
                return Provenance()


def _making(image: mmap.mmap) -> Provenance:
    sections = dict(_sections(image))
    note = sections.get(".note.gnu.build-id", b"")
    comments = [text.decode(errors="replace") for text in sections.get(".comment", b"").split(b"\0") if text]
    return Provenance(
        build_id=note[16:].hex(),  # after three lengths and the name "GNU"
        compiler="; ".join(dict.fromkeys(comments)),
        libraries=tuple(_needed(sections.get(".dynamic", b""), sections.get(".dynstr", b""))),
    )


def _sections(image: mmap.mmap) -> Iterator[tuple[str, bytes]]:
    """Yields name and content of the sections that are read here."""
    (table,) = struct.unpack_from("<Q", image, 0x28)
    size, count, names_at = struct.unpack_from("<HHH", image, 0x3A)
    headers = [_SECTION.unpack_from(image, table + number * size) for number in range(count)]
    names = headers[names_at][4]
    for header in headers:
        start = names + header[0]
        name = image[start : image.find(b"\0", start)].decode(errors="replace")
        if name in (".comment", ".note.gnu.build-id", ".dynamic", ".dynstr"):
            yield name, image[header[4] : header[4] + header[5]]


def _needed(dynamic: bytes, names: bytes) -> Iterator[str]:
    for tag, value in struct.iter_unpack("<qQ", dynamic[: len(dynamic) // 16 * 16]):
        if tag == _NEEDED:
            yield names[value : names.index(b"\0", value)].decode(errors="replace")
