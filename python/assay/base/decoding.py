"""Decodes what strangers wrote: whatever is in a file ends in one sentence, and never in a traceback.

Parsers raise more than their own errors: a list in 100,000 lists ends their stack, a number of 5,000 digits
is no number that Python converts, damaged archives raise errors of the compression.
"""

from __future__ import annotations

import json
import lzma
import re
import struct
import tarfile
import tomllib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import msgspec

from assay.base.errors import AssayError, InputError
from assay.base.printable import line

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_NO_NUMBER = re.compile(
    r"(?:invalid literal for int\(\) with base \d+|could not convert string to float): (.*)", re.DOTALL
)

UNREADABLE = (
    ValueError,  # of msgspec, json, tomllib, Arrow and UTF-8, too
    ArithmeticError,
    LookupError,
    RecursionError,
    MemoryError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    tarfile.TarError,
)
"""What the content of a file can raise in code that reads it."""

MOST_DOTS = 32
"""The most tables within each other that a key of TOML may name."""

_WHOLE = re.compile("[0-9]{1,18}")
_DOTTED = re.compile(
    rf"""(?<![\w.-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{MOST_DOTS}}}"""  # with their dots
)


class Decoder(Protocol[T_co]):
    """A decoder of msgspec."""

    def decode(self, content: bytes | str, /) -> T_co: ...


def whole_number(text: str) -> int | None:
    """Returns the whole number from 0 that a text from elsewhere is; None for any other text.

    `isdigit` is no such test: it is also true of `²`, of which no number can be made, and of thousands of
    digits, which Python does not convert.
    """
    return int(text) if _WHOLE.fullmatch(text) else None


def why_unreadable(error: BaseException) -> str:
    """Returns the reason in words: `its lists or tables are nested too deep`."""
    match error:
        case OSError() if error.strerror:
            return error.strerror
        case RecursionError():
            return "its lists or tables are nested too deep"
        case MemoryError():
            return "it needs more memory than there is"
        case OverflowError():
            return "a number in it is too large"
        case UnicodeError():
            return "it is not UTF-8 text"
        case KeyError():
            return (
                f"it has the unknown word {line(error.args[0], 80)}"
                if error.args
                else "it has an unknown word"
            )
        case ValueError() if "integer string conversion" in str(error):
            return "a number in it has too many digits"
        case ArithmeticError():  # of Decimal, too: its words are those of its code
            return "a number in it cannot be computed with"
        case ValueError() if found := _NO_NUMBER.match(str(error)):
            return f"expected a number, found {line(found[1], 80)}"
    return line(error, 300) or type(error).__name__


@contextmanager
def reading(what: object, *, hint: str | None = None, kind: type[InputError] = InputError) -> Iterator[None]:
    """Turns what a file's content can raise in the block into an error that names the file."""
    try:
        yield
    except AssayError:
        raise
    except UNREADABLE as error:
        raise kind(f"{what} cannot be read: {why_unreadable(error)}", hint=hint) from error


def decoded(decoder: Decoder[T], content: bytes | str) -> T:
    """Returns what a decoder makes of a text. Raises `msgspec.DecodeError` whatever is wrong with it."""
    try:
        return decoder.decode(content)
    except msgspec.DecodeError:
        raise
    except UNREADABLE as error:
        raise msgspec.DecodeError(why_unreadable(error)) from error


def json_as(content: bytes | str, kind: type[T]) -> T:
    """Returns JSON as a type. Raises `msgspec.DecodeError` whatever is wrong with it."""
    return decoded(msgspec.json.Decoder(kind), content)


def any_json(content: bytes | str) -> Any:
    """Returns JSON of any form. Raises `msgspec.DecodeError` whatever is wrong with it."""
    try:
        return json.loads(content)
    except UNREADABLE as error:
        raise msgspec.DecodeError(why_unreadable(error)) from error


def toml_tables(text: str) -> dict[str, Any]:
    """Returns the tables of a TOML text. Raises `tomllib.TOMLDecodeError` whatever is wrong with it.

    A key of very many tables is refused before it is parsed: the time for it grows by the square.
    """
    if (found := _DOTTED.search(text)) is not None:
        number = text.count("\n", 0, found.start()) + 1
        raise tomllib.TOMLDecodeError(
            f"a key names more than {MOST_DOTS} tables (at line {number}, column 1)"
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except UNREADABLE as error:
        raise tomllib.TOMLDecodeError(why_unreadable(error)) from error
