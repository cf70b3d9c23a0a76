"""Takes texts of servers out of what others wrap them in: events of collectors of logs (CloudWatch, Cloud
Logging, Loki, Filebeat, Fluentd, Vector, journald, containers), a portion that RDS has downloaded, lines that
a container or syslog has logged, what a terminal shows of the client, UTF-16.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.experiments.own.audit_log import is_event
from assay.experiments.own.exports import Export
from assay.experiments.own.whole_file import WholeFile

_MOST_BYTES = 256 << 20
_TEXTS = ("FULL_MESSAGE", "MESSAGE", "TEXTPAYLOAD", "LOGFILEDATA", "LOG", "LINE", "_RAW", "CONTENT")
_TIMES = ("TIMESTAMP", "TIME", "__REALTIME_TIMESTAMP")
_SOURCES = (
    *("LOGSTREAM", "LOGSTREAMNAME", "STREAM", "PATH", "FILE", "FILENAME", "POD", "POD_NAME"),
    *("CONTAINER_NAME", "CONTAINER_ID", "HOSTNAME", "_HOSTNAME", "_SYSTEMD_UNIT"),
)
"""Names under which collectors say whose line a line is."""
_GENERAL = (
    r"(?:\d{4}-\d\d-\d\dT\S+|\d{6} +\d?\d:\d\d:\d\d|\t|#011)?(?:\t|#011) *\d+ "
    r"(?:Query|Execute|Connect|Prepare|Init DB|Quit)(?:\t|#011|$)"
)
_MARK = rf"(?:# (?:User@Host|Query_time): |{_GENERAL})"
_MARKED = re.compile(_MARK)
_PREFIX = (
    r"(?:(?P<container>[\w.-]+) +\| ?|(?P<pod>\[pod/[^\]\s]+\]) "
    r"|\w{3} +\d+ \d\d:\d\d:\d\d (?P<program>\S+ [^\s\[]+)\S*: "
    r"|\d{4}-\d\d-\d\dT\S+ (?:std(?:out|err) (?P<part>[FP]) |(?P<full>\S+ [^\s\[]+)\S*: )?)"
)
"""What docker compose, kubectl, syslog, journals with full times, and containers of Kubernetes write before
each line of a log.
"""
_PREFIXED = re.compile(rf"^{_PREFIX}{_MARK}", re.M)
_BEFORE = re.compile(_PREFIX)
_OCTAL = {"#011": "\t", "#012": "\n"}
"""What rsyslog makes of control characters."""
_PROMPT = re.compile(r"(?:mysql|MySQL|MariaDB)(?: \[[^\]\n]*\])?> ?(.*)")
_CONTINUED = re.compile(r" +(?:[-'\"`]|/\*)> ?(.*)")
_SENT = re.compile(rf"{_PROMPT.pattern}|{_CONTINUED.pattern}")
_OTHERS = "lines of other programs"
_WITHOUT_PROMPT = "lines with a semicolon and no prompt of the client before"
_WITHOUT = "events without a text"


@dataclass(frozen=True)
class Enclosed:
    """The text that another file wraps, and how many lines or events of that file are not in it, by why."""

    file: WholeFile
    left_out: dict[str, int]


@contextmanager
def enclosed_text(file: WholeFile, export: Export | None) -> Iterator[Enclosed | None]:
    """Yields the text that a file wraps; None where it wraps none. Raises InputError for one that cannot be
    read.
    """
    left_out: dict[str, int] = {}
    text = None if export is None else _of_rows(export, left_out)
    if text is None:
        text = _of_lines(file, left_out)
    if text is None:
        yield None
        return
    with tempfile.NamedTemporaryFile("w", suffix=".log", encoding="utf-8") as whole:
        whole.write(text)
        whole.flush()
        yield Enclosed(WholeFile(Path(whole.name), shown=file.path), left_out)


def _of_rows(export: Export, left_out: dict[str, int]) -> str | None:
    names = [one for one in _TEXTS if export.has(one)]
    if not names:
        return None
    time = next((one for one in _TIMES if export.has(one)), "")
    # A container's log has the end of a line where there is one: without it the line goes on.
    is_whole = not export.has("LOG", "STREAM")
    by_source: dict[str, list[tuple[str, str]]] = {}
    for row in export.rows:
        text = next((said for one in names if (said := _text(row.get(one))) is not None), None)
        if text is None:
            left_out[_WITHOUT] = left_out.get(_WITHOUT, 0) + 1
            continue
        source = "\0".join(str(row[one]) for one in _SOURCES if row.get(one) is not None)
        said = f"{text}\n" if is_whole and not text.endswith("\n") else text
        by_source.setdefault(source, []).append((str(row.get(time)), said))
    texts = []
    for source, several in by_source.items():
        # Web pages show the last event first, and export what they show.
        in_order = several[::-1] if several[0][0] > several[-1][0] else several
        texts += [(source, text) for _, text in in_order]
    return _of_sources(texts, left_out)


def _text(value: Any) -> str | None:
    """Returns a text as collectors write it; a journal lists the bytes of one with control characters."""
    if isinstance(value, list) and value and all(isinstance(one, int) and 0 <= one < 256 for one in value):
        return bytes(value).decode("utf-8", "replace")
    return value if isinstance(value, str) else None


def _of_sources(texts: Sequence[tuple[str, str]], left_out: dict[str, int]) -> str:
    """Returns the texts of each source together: those of sources that log statements, where some do."""
    by_source: dict[str, list[str]] = {}
    for source, text in texts:
        by_source.setdefault(source, []).append(text)
    logs = [source for source, several in by_source.items() if any(map(_is_of_log, several))]
    if len(by_source) == 1 or not logs:
        return "".join(text for several in by_source.values() for text in several)
    if others := sum(len(several) for source, several in by_source.items() if source not in logs):
        left_out[_OTHERS] = left_out.get(_OTHERS, 0) + others
    return "".join(text for source in logs for text in by_source[source])


def _is_of_log(text: str) -> bool:
    return any(_MARKED.match(line) or is_event(line) for line in text.split("\n", 4)[:4])


def _of_lines(file: WholeFile, left_out: dict[str, int]) -> str | None:
    if _PREFIXED.search(file.head):
        return _of_sources(list(_without_prefixes(file.text("a log", _MOST_BYTES))), left_out)
    if _is_shown_by_client(file.head):
        lines = file.text("what a client shows", _MOST_BYTES).split("\n")
        sent = [(line, _PROMPT.match(line) or _CONTINUED.match(line)) for line in lines]
        if without := sum(one is None and line.rstrip().endswith(";") for line, one in sent):
            left_out[_WITHOUT_PROMPT] = left_out.get(_WITHOUT_PROMPT, 0) + without
        return "".join(f"{one[1]}\n" for _, one in sent if one)
    return file.text("a text in UTF-16", _MOST_BYTES) if file.is_utf16 else None


def _is_shown_by_client(head: str) -> bool:
    """Returns whether most statements stand after a prompt: the first may come late in what a window shows,
    and a comment of a file of statements may quote one.
    """
    lines = head.split("\n")
    prompts = sum(_PROMPT.match(line) is not None for line in lines)
    return prompts > 0 and prompts > sum(
        line.rstrip().endswith(";") and not _SENT.match(line) for line in lines
    )


def _without_prefixes(text: str) -> Iterator[tuple[str, str]]:
    """Yields lines, each with whose it is; of those without a prefix the program before."""
    source = ""
    parts: list[str] = []
    for line in text.removesuffix("\n").split("\n"):
        before = _BEFORE.match(line)
        said = line
        if before is not None:
            source = before["container"] or before["pod"] or before["program"] or before["full"] or ""
            said = line[before.end() :]
            if before["program"] or before["full"]:
                said = re.sub(r"#01[12]", lambda found: _OCTAL[found[0]], said)
        parts.append(said)
        if before is None or before["part"] != "P":
            yield source, f"{''.join(parts)}\n"
            parts = []
    if parts:
        yield source, "".join(parts)
