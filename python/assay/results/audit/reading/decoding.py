"""Reads files from elsewhere as text: packed, in other encodings, with colours, with prefixes of lines."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import InputError
from assay.base.packed import PACKERS, compression_of, unpacked

_COLOURS = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>]"
)
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_DUMP = re.compile(
    rb"(?im)^(?:INSERT (?:IGNORE )?INTO|CREATE TABLE|-- (?:MySQL|MariaDB) dump|/\*[!M]\d{5}) ?"
)
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|table)\b", re.I | re.S
)
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
_PAIR_IN_WORD = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]{2}(?=[A-Za-z])")
_RARE_IN_WESTERN = re.compile(rb"[\x81-\x84\x86-\x90\x98\x9b\x9d\xfe\xff]")
"""Without a meaning in Windows-1252, or rare there; most begin a kana or a kanji of Shift_JIS."""
_SEVERAL_BYTES = ("GB18030", "Shift_JIS", "EUC-JP", "Big5", "EUC-KR")
_LONG = 4 << 20  # bytes from which on the beginning alone decides whether a file is a dump
_HEAD = 64 << 10

_TIME = r"\d\d:\d\d:\d\d(?:[.,]\d+)?"
_STAMP = rf"\d{{4}}-\d\d-\d\d[T ]{_TIME}(?:Z| ?[+-]\d\d:?\d\d)?"
_PREFIXES = (
    ("quoted lines", r"(?:> ?)+"),
    ("time stamps", rf"{_STAMP} (?:stdout|stderr) [FP](?: |$)"),
    ("time stamps", rf"[\[(]?{_STAMP}[\])]?[:|]?(?:[ \t]|$)"),
    ("time stamps", rf"[A-Z][a-z]{{2}} [ \d]\d {_TIME}(?: [\w.-]+ [\w./-]+(?:\[\d+\])?:)?(?: |$)"),
    ("time stamps", rf"[\[(]?{_TIME}[\])]?(?:[ \t]|$)"),
    ("names of containers", r"[\w./-]+ +\| ?"),
    ("names of containers", r"\[[\w./:-]{3,}\] ?"),
    ("names of jobs", r"[^\t\n]+\t[^\t\n]*\t"),
    ("levels of a log", r"(?:\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR)\]?:?)(?: |$)"),
    ("comment signs", r"(?:#|//|--)(?: |$)"),
)
_MOST = 0.9
"""Share of the lines that must have a prefix."""


@dataclass(frozen=True)
class Decoded:
    """The text of a file, and in words what was done to have it."""

    text: str
    said: tuple[str, ...] = ()


def read_bytes(path: Path, largest: int) -> bytes:
    """Returns the bytes of a file. Raises InputError for one that is none, or larger than `largest` bytes."""
    try:
        known = path.stat()
        if not stat.S_ISREG(known.st_mode) and not stat.S_ISDIR(known.st_mode):
            raise InputError(
                f"{path}: must be a regular file", hint="give the output of a tool, saved in a file"
            )
        size = known.st_size
        with path.open("rb") as file:
            content = file.read(_HEAD)
            if size > _LONG and _DUMP.search(content):
                raise InputError(
                    f"{path}: holds {size >> 20} MiB of SQL statements, as a dump has them, and no results",
                    hint="give the output of a tool, or tables of results",
                )
            content += file.read(largest + 1 - len(content))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(content) > largest:
        raise InputError(
            f"{path}: has {size >> 20} MiB, and results have at most {largest >> 20} MiB",
            hint="give the part with the results alone",
        )
    return content


def decode(path: Path, content: bytes, largest: int) -> Decoded:
    """Returns the content of a file as text without colours. Raises InputError for what is no text."""
    said: list[str] = []
    content = _unpacked(path, content, largest, said)
    text = _text(path, content, said)
    if "\r" in text and "\n" not in text:
        text = text.replace("\r", "\n")  # the line ends of early Macintosh, which spreadsheets still write
    if _HTML.match(text):
        raise InputError(
            f"{path}: is a page in HTML, and no table or output",
            hint="copy the table or the output from the browser into a text file, or save it as CSV",
        )
    if "\x1b" in text:
        text = _COLOURS.sub("", text)
        said.append("colours of a terminal are left out")
    return Decoded(text, tuple(said))


def _unpacked(path: Path, content: bytes, largest: int, said: list[str]) -> bytes:
    compression = compression_of(content)
    if compression is None:
        return content
    with unpacked(path) as file:
        plain = file.read(largest + 1)
    if len(plain) > largest:
        raise InputError(f"{path}: unpacks to more than {largest >> 20} MiB")
    said.append(f"unpacked with {PACKERS[compression]}")
    return plain


def _text(path: Path, content: bytes, said: list[str]) -> str:
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "")
    if not encoding and len(content) > 3 and 0 in content[:4]:
        encoding = "utf-16-le" if content[1] == 0 and content[3] == 0 else ""
        encoding = encoding or ("utf-16-be" if content[0] == 0 and content[2] == 0 else "")
    try:
        if encoding:
            text = content.decode(encoding)
            said.append(f"read as {encoding.upper()[:6]}")
            return text
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if encoding:
            raise InputError(
                f"{path}: cannot be read as text in {encoding.upper()[:6]}: {error.reason}",
                hint="give the whole file, best in UTF-8",
            ) from None
        if is_western(content):
            said.append("read as Windows-1252, as it is no UTF-8: signs beyond ASCII may differ")
            return content.decode("cp1252")
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}:{line}: expected UTF-8 text, found the byte 0x{content[error.start]:02x}",
            hint=_how_to_convert(content),
        ) from None


def is_western(content: bytes) -> bool:
    """Returns whether text that is no UTF-8 is of one byte a character, with few beyond ASCII.

    Texts in Chinese, Japanese, Korean, Cyrillic or Greek have their signs beyond ASCII side by side; those of
    Latin letters stand alone: an accent, `°`, `µ`. In every encoding of such texts the ASCII characters, and
    so all figures, are the same.
    """
    if _NO_TEXT.search(content) or _RARE_IN_WESTERN.search(content):
        return False
    signs = [len(run) for run in _BEYOND_ASCII.findall(content)]
    of_words = len(_PAIR_IN_WORD.findall(content))
    return max(signs, default=0) <= 2 and signs.count(1) + of_words >= signs.count(2) - of_words


def _how_to_convert(content: bytes) -> str:
    """Returns what to do with text in an encoding that cannot be told for certain."""
    if _NO_TEXT.search(content):
        return "give a table as CSV or plain text, or the output of a tool, in UTF-8"
    possible = " or ".join(name for name in _SEVERAL_BYTES if _decodes(content, name))
    named = f"; its bytes would be valid {possible}" if possible else ""
    return f"convert it from its own encoding: iconv -f ENCODING -t UTF-8 FILE > NEW{named}"


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


_INDENT = r"\s{0,200}"
"""Blanks before a prefix. Without an end, a line of blanks would take time by the square of its length."""


def without_prefixes(decoded: Decoded, *, of_tables: bool = False) -> Iterator[Decoded]:
    """Yields the text without what a log or a mail put before each line, one kind of prefix less each time.

    The numbers of the lines stay. Nothing is yielded where less than nine lines in ten have a prefix. Of
    tables every line must have it, with one name where it is a name: else it could be their first column.
    """
    lines = decoded.text.splitlines()
    said = decoded.said
    for _ in range(4):
        filled = [line for line in lines if line.strip()]
        found = next(
            (
                (name, pattern)
                for name, text in _PREFIXES
                if _has(pattern := re.compile(_INDENT + text), filled, 1.0 if of_tables else _MOST)
                and (not of_tables or not name.startswith("names") or _is_one(pattern, filled))
            ),
            None,
        )
        if found is None:
            return
        name, pattern = found
        lines = [pattern.sub("", line, count=1) if pattern.match(line) else line for line in lines]
        said = (*said, f"{name} at the beginning of lines are left out")
        yield Decoded("\n".join(lines) + "\n", said)


def _has(pattern: re.Pattern[str], lines: list[str], share: float) -> bool:
    few = lines[:50]
    if not lines or sum(pattern.match(line) is not None for line in few) < _MOST * len(few):
        return False
    return sum(pattern.match(line) is not None for line in lines) >= share * len(lines)


def _is_one(pattern: re.Pattern[str], lines: list[str]) -> bool:
    return len({said[0].strip() for line in lines if (said := pattern.match(line))}) == 1
