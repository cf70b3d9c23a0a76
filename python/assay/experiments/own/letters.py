"""Letters of a dump that some servers lack, and the keys by which a study has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assay.base.decoding import whole_number
from assay.base.errors import AssayError
from assay.base.packed import unpacked
from assay.experiments.own.source import files_of_schema
from assay.system.server import find_build
from assay.system.server.flavour import COLLATION, UTF8MB4_BY_DEFAULT, family_of, stand_in

_LOOKED_AT = 64 << 20
"""Bytes of each file that are looked at: a dump begins with its first tables, and names their collations."""
_MADE = re.compile(
    r"\b(?:CREATE\s+TABLE|(?:CREATE|ALTER)\s+(?:DATABASE|SCHEMA))\b.*?(?:;[ \t\r]*$|\Z)", re.I | re.M | re.S
)
_TEXT = re.compile(r"(?:CHAR|TEXT)\b|\b(?:ENUM|SET)[ \t]*\(", re.I)
_NAMED = re.compile(r"\b(?:CHARSET|CHARACTER\s+SET|COLLATE)\b", re.I)


@dataclass(frozen=True)
class Letters:
    """What a dump needs of a server: `collations` that not every one has; where it is `unnamed`, a default
    character set that has its letters, which are beyond ASCII in tables that name none.
    """

    collations: tuple[str, ...] = ()
    unnamed: bool = False


def letters_of(data: Path, database: str | None = None) -> Letters:
    """Returns what is known of the letters of a dump; nothing of one that cannot be read, which the load
    says.
    """
    collations: set[str] = set()
    unnamed = beyond = False
    with suppress(AssayError, OSError):
        for file in files_of_schema(data, database)[0]:
            with unpacked(file) as content:
                read = content.read(_LOOKED_AT)
            text = read.decode(errors="replace")
            collations.update(name.lower() for name in COLLATION.findall(text))
            made = [one.group() for one in _MADE.finditer(text)]
            databases_name = any(_NAMED.search(one) for one in made if not _is_table(one))
            unnamed |= not databases_name and any(map(_has_unnamed_text, made))
            beyond |= not read.isascii() and "\ufffd" not in text[:-4]
    known = sorted(name for name in collations if family_of(name) is not None)
    return Letters(tuple(known), unnamed and beyond)


def _has_unnamed_text(made: str) -> bool:
    return _is_table(made) and _TEXT.search(made) is not None and _NAMED.search(made) is None


def _is_table(made: str) -> bool:
    return made.split(None, 2)[1].upper() == "TABLE"


def lacked_by(uses: Sequence[str], collations: Iterable[str]) -> list[str]:
    """Returns those of these collations that one of the servers lacks; a server of an unknown version lacks
    them all.
    """
    return [
        name
        for name in collations
        if (family := family_of(name)) is not None and not all(family.is_known(*_server(one)) for one in uses)
    ]


def lack_letters(uses: Sequence[str], letters: Letters) -> bool:
    """Returns whether tables that name no character set would lack letters on one of the servers."""
    return letters.unnamed and not all(UTF8MB4_BY_DEFAULT.is_known(*_server(one)) for one in uses)


def collation_key(collations: Iterable[str]) -> str:
    """Returns the key of `[dataset]` that has other collations stand in for these."""
    pairs = ", ".join(f'{name} = "{stand_in(name)}"' for name in collations)
    return f"collation = {{ {pairs} }}"


CHARACTER_SET = 'character_set_server = "utf8mb4"'
"""The variable of a study whose tables name no character set."""


def who_lacks(collations: Iterable[str]) -> str:
    """Returns who lacks these collations, in words."""
    return "; ".join(dict.fromkeys(_lacked(collations)))


def about_unnamed() -> str:
    """Returns who lacks letters of tables that name no character set, in words."""
    return f"{UTF8MB4_BY_DEFAULT.lacked} take latin1 for tables that name no character set"


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
