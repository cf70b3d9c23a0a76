"""Takes texts of servers out of what others wrap them in: events of CloudWatch and Cloud Logging, a portion
that RDS has downloaded, lines that a container or syslog has logged, what a terminal shows of the client,
UTF-16.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.experiments.own.exports import Export
from assay.experiments.own.whole_file import WholeFile

_MOST_BYTES = 256 << 20
_TEXTS = ("MESSAGE", "TEXTPAYLOAD", "LOGFILEDATA", "LOG")
_TIMES = ("TIMESTAMP", "TIME")
_PREFIX = r"(?:[\w.-]+ +\| ?|\w{3} +\d+ \d\d:\d\d:\d\d \S+ \S+: |\d{4}-\d\d-\d\dT\S+ (?:\S+ \S+: )?)"
"""What docker compose, syslog, and journals with full times write before each line of a log."""
_PREFIXED = re.compile(rf"^{_PREFIX}# (?:User@Host|Query_time): ", re.M)
_PROMPT = re.compile(r"(?:mysql|MySQL|MariaDB)(?: \[[^\]\n]*\])?> ?(.*)")
_CONTINUED = re.compile(r" +(?:[-'\"`]|/\*)> ?(.*)")


@contextmanager
def enclosed_text(file: WholeFile, export: Export | None) -> Iterator[WholeFile | None]:
    """Yields a file with the text that another one wraps; None where it wraps none. Raises InputError for one
    that cannot be read.
    """
    text = None if export is None else _of_rows(export)
    if text is None:
        text = _of_lines(file)
    if text is None:
        yield None
        return
    with tempfile.NamedTemporaryFile("w", suffix=".log", encoding="utf-8") as whole:
        whole.write(text)
        whole.flush()
        yield WholeFile(Path(whole.name), shown=file.path)


def _of_rows(export: Export) -> str | None:
    name = next((one for one in _TEXTS if export.has(one)), None)
    if name is None:
        return None
    rows = [row for row in export.rows if isinstance(row.get(name), str)]
    times = next(([row.get(one) for row in rows] for one in _TIMES if export.has(one)), [])
    # Web pages show the last event first, and export what they show.
    if times and str(times[0]) > str(times[-1]):
        rows.reverse()
    texts = [str(row[name]) for row in rows]
    return "".join(text if text.endswith("\n") else f"{text}\n" for text in texts)


def _of_lines(file: WholeFile) -> str | None:
    if _PREFIXED.search(file.head):
        return re.sub(rf"^{_PREFIX}", "", file.text("a log", _MOST_BYTES), flags=re.M)
    if _PROMPT.match(file.head.lstrip()):
        lines = file.text("what a client shows", _MOST_BYTES).splitlines()
        sent = (_PROMPT.match(line) or _CONTINUED.match(line) for line in lines)
        return "".join(f"{one[1]}\n" for one in sent if one)
    return file.text("a text in UTF-16", _MOST_BYTES) if file.is_utf16 else None
