"""The page of the engine's events: each line at its byte, decoded, with the line itself as it was written."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.base.decoding import any_json
from assay.base.tally import decode
from assay.front.web import twins
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.not_found import NotFound
from assay.front.web.page import PageRequest, render
from assay.front.web.result.event_lines import Line, event_lines, raw_line
from assay.front.web.result.run_page import RUN, crumbs_to, run_asked
from assay.front.web.result.rung_page import rung_asked
from assay.reporting.report import Cell, Column, Table, named_columns

LINES = 100
"""Lines of one page."""
_HDR = "HIST"  # how the engine's histograms begin


def page(request: Request) -> Response:
    """A page of lines, and the line that the address names with all that is in it."""
    one, opened, run_id, number, lines, file = _asked(request)
    words, rid = one.words, opened.rid
    at = _place(lines, one.query.get("at"))
    first = at // LINES * LINES
    at = first if one.site.is_static else at  # as files, a page of lines is kept once
    line = lines[at]
    raw = raw_line(file, line)
    event = _decoded(raw)
    shown = lines[first : first + LINES]
    return render(
        one,
        "events.html.j2",
        words("web.events.title", rung=number, run=run_id),
        crumbs=[
            *crumbs_to(one, opened),
            (run_id, one.links.run(rid, run_id)),
            (words("web.number.rung", rung=number), one.links.rung(rid, run_id, number)),
        ],
        twins=[
            ("JSON", f"{one.links.events(rid, run_id, number, ending='.json')}?at={line.offset}"),
            ("CSV", one.links.events(rid, run_id, number, ending=".csv")),
        ],
        canonical=f"{one.links.events(rid, run_id, number)}?at={line.offset}",
        rid=rid,
        run_id=run_id,
        number_of_rung=number,
        file=file.relative_to(opened.folder.path).as_posix(),
        line=line,
        lines=shown,
        count=len(lines),
        first=first,
        before=lines[first - LINES].offset if first else None,
        after=lines[first + LINES].offset if first + LINES < len(lines) else None,
        fields=list(_fields(event)),
        histograms=_histograms_table(one, event),
        raw=raw.decode("utf-8", errors="backslashreplace"),
        by_hand=f"tail -c +{line.offset + 1} {shlex.quote(str(file))} | head -n 1",
        event_words=lambda name: words.get(f"web.event.{name}", name),
    )


def as_json(request: Request) -> Response:
    """The line that the address names, decoded, and as it was written."""
    _, opened, run_id, number, lines, file = _asked(request)
    line = lines[_place(lines, request.query_params.get("at"))]
    raw = raw_line(file, line)
    return twins.as_json(
        {
            "rid": opened.rid,
            "run_id": run_id,
            "rung": number,
            "file": file.relative_to(opened.folder.path).as_posix(),
            "byte": line.offset,
            "event": _decoded(raw),
            "raw": raw.decode("utf-8", errors="backslashreplace"),
        }
    )


def as_csv(request: Request) -> Response:
    """The list of lines."""
    one, _, _, _, lines, _ = _asked(request)
    words = one.words
    table = Table(
        "", "events", words("web.events.lines"),
        (
            *named_columns(words, "web.column", byte="number", length="number", event="text", phase="text"),
            Column("index", words("column.order")),
        ),
        tuple((line.offset, line.length, line.event, line.phase, line.index) for line in lines),
    )  # fmt: skip
    return twins.as_csv(table)


def _asked(request: Request) -> tuple[PageRequest, OpenResults, str, int, Sequence[Line], Any]:
    one, opened, manifest = run_asked(request)
    number, entry = rung_asked(request, manifest)
    file = opened.folder.run(manifest.run_id).rung_at(entry.dir).events
    if not file.is_file():
        raise NotFound("web.missing.events", run=manifest.run_id, number=number)
    lines = event_lines(file)
    if not lines:
        raise NotFound("web.missing.events", run=manifest.run_id, number=number)
    return one, opened, manifest.run_id, number, lines, file


def _place(lines: Sequence[Line], at: str | None) -> int:
    """Returns the number of the line in which a byte lies; without one, of the first line."""
    if at is None:
        return 0
    if not at.isdecimal() or len(at) > 18:
        raise NotFound("web.missing.place", at=at[:40])
    byte = int(at)
    if byte >= lines[-1].offset + lines[-1].length:
        raise NotFound("web.missing.byte", byte=byte)
    return next(number for number, line in enumerate(lines) if byte < line.offset + line.length)


def _decoded(raw: bytes) -> Any:
    """Returns the object of a line; None where the line is none."""
    try:
        return any_json(raw)
    except msgspec.DecodeError:
        return None


def _fields(event: Any, above: str = "") -> Iterator[tuple[str, str]]:
    """Yields the plain values of an event by their dotted names; histograms are in a table of their own."""
    for name, value in _parts(event):
        path = f"{above}.{name}" if above else name
        if isinstance(value, Mapping) or (isinstance(value, list) and not all(map(_is_plain, value))):
            yield from _fields(value, path)
        elif not _is_histogram(value):
            yield path, json.dumps(value, ensure_ascii=False)


def _parts(event: Any) -> Iterator[tuple[str, Any]]:
    """Yields the parts of an object or a list by name or number; nothing for a plain value."""
    if isinstance(event, Mapping):
        yield from ((str(name), value) for name, value in event.items())
    elif isinstance(event, list):
        yield from ((str(number), value) for number, value in enumerate(event))


def _is_plain(value: Any) -> bool:
    return not isinstance(value, Mapping | list) and not _is_histogram(value)


def _is_histogram(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(_HDR) and len(value) > 40


def _histograms(event: Any, above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in _parts(event):
        path = f"{above}.{name}" if above else name
        if _is_histogram(value):
            yield path, value
        else:
            yield from _histograms(value, path)


def _histograms_table(one: PageRequest, event: Any) -> Table:
    """Returns what is in each histogram of an event: counts, and times by share."""
    words = one.words
    rows: list[tuple[Cell, ...]] = []
    for name, text in _histograms(event):
        try:
            found = decode(text)
        except ValueError:
            continue
        times = [float(ns) / 1e6 for ns in found.percentiles((0.5, 0.95, 0.99, 0.999, 1.0))]
        rows.append((name, found.total, found.mean / 1e6, *times))
    return Table(
        "", "histograms", words("web.events.histograms"),
        (
            *named_columns(words, "column", name="code", count="number"),
            Column("mean", words("web.column.mean"), "ms"),
            *(Column(name, name, "ms") for name in ("p50", "p95", "p99", "p99.9", "max")),
        ),
        tuple(rows),
        empty=words("web.events.no-histograms"),
    )  # fmt: skip


_EVENTS = RUN + "/{rung:int}/events"

ROUTES = [
    Route(_EVENTS + ".json", as_json),
    Route(_EVENTS + ".csv", as_csv),
    Route(_EVENTS, page),
]
