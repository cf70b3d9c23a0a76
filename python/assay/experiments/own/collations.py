"""Collations of a dump that some servers lack, and the key of a study that has others stand in for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from assay.base.decoding import whole_number
from assay.base.errors import AssayError
from assay.base.packed import unpacked
from assay.experiments.own.source import files_of_schema
from assay.system.server import find_build
from assay.system.server.flavour import COLLATION, family_of, stand_in

_LOOKED_AT = 64 << 20
"""Bytes of each file that are looked at: a dump begins with its first tables, and names their collations."""
_PIECE = 1 << 20


def collations_in(data: Path, database: str | None = None) -> list[str]:
    """Returns the collations of a dump that not every server has; none of one that cannot be read, which the
    load says.
    """
    found: set[str] = set()
    with suppress(AssayError, OSError):
        for file in files_of_schema(data, database)[0]:
            with unpacked(file) as content:
                left, before = _LOOKED_AT, b""
                while left > 0 and (piece := content.read(_PIECE)):
                    text = (before + piece).decode("ascii", errors="replace")
                    found.update(name.lower() for name in COLLATION.findall(text))
                    left, before = left - len(piece), piece[-128:]
    return sorted(name for name in found if family_of(name) is not None)


def lacked_by(uses: Sequence[str], collations: Iterable[str]) -> list[str]:
    """Returns those of these collations that one of the servers lacks; a server of an unknown version lacks
    them all.
    """
    servers = list(map(_server, uses))
    return [
        name
        for name in collations
        if (family := family_of(name)) is not None and not all(family.is_known(*one) for one in servers)
    ]


def collation_key(collations: Iterable[str]) -> str:
    """Returns the key of `[dataset]` that has other collations stand in for these."""
    pairs = ", ".join(f'{name} = "{stand_in(name)}"' for name in collations)
    return f"collation = {{ {pairs} }}"


def who_lacks(collations: Iterable[str]) -> str:
    """Returns who lacks these collations, in words."""
    return "; ".join(dict.fromkeys(_lacked(collations)))


def _lacked(collations: Iterable[str]) -> Iterator[str]:
    for name in collations:
        if (family := family_of(name)) is not None:
            yield family.lacked


def _server(use: str) -> tuple[str, tuple[int, ...]]:
    with suppress(AssayError):
        build = find_build(use)
        return build.flavour_name, build.version
    name, _, version = use.partition("@")
    return name, tuple(number for part in version.split(".") if (number := whole_number(part)) is not None)
