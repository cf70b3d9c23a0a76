"""Reads what mysqldumpslow and mariadb-dumpslow print: kinds of statements of a slow log, with N for a number
and 'S' for a text (MySQL manual, "mysqldumpslow - Summarize Slow Query Log Files").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.experiments.own.reading import Digest
from assay.experiments.own.whole_file import WholeFile

_MOST_BYTES = 64 << 20
_KIND = re.compile(r"^[ \t]*Count: (\d+)  Time=([\d.]+)s \((\d+)s\)  Lock=.*$", re.M)
_VALUE = re.compile(r"(?<![\w.`])(?:N(?:\.N)?|0xN)\b|'S'|\"S\"")
_NEGATIVE = re.compile(r"([=(,<>]\s*)-(?=N\b)")
_END = re.compile(r"^Died at .*\Z", re.M | re.S)


def dumpslow_of(file: WholeFile) -> list[Digest] | None:
    """Returns the kinds of statements of a summary; None for any other file. Raises InputError for one that
    cannot be read.
    """
    if _KIND.search(file.head) is None:
        return None
    return list(_kinds(_END.sub("", file.text("a summary of mysqldumpslow", _MOST_BYTES))))


def _kinds(text: str) -> Iterator[Digest]:
    begins = [*_KIND.finditer(text)]
    ends = [*(found.start() for found in begins[1:]), len(text)]
    for found, end in zip(begins, ends, strict=True):
        count = int(found[1])
        # The mean has two decimals, and the sum none.
        seconds = max(count * float(found[2]), float(found[3]))
        sql = text[found.end() : end].strip().replace("/*!N", "/*!")
        yield Digest(_VALUE.sub("?", _NEGATIVE.sub(r"\1", sql)), None, count, seconds)
