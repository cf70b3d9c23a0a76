"""The pages of history: changes between builds as an inbox, each series, and the feed of changes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from xml.sax.saxutils import escape, quoteattr

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.base.printable import line, visible
from assay.design.study import MEASURES
from assay.experiments.history import History, HistoryRequest, Shift, State, as_csv, as_object, picture
from assay.front.web import twins
from assay.front.web.answering import answer_of, object_of
from assay.front.web.archive.rows import CatalogueRow
from assay.front.web.history import histories
from assay.front.web.history.histories import SeriesView, views
from assay.front.web.history.histories import only as only_series
from assay.front.web.not_found import NotFound, NotYet
from assay.front.web.page import AT, PageRequest, asked, is_zoomed, moment, render, shown_with
from assay.front.web.sentences import NamedInterval, history_sentence, told
from assay.reporting.report import Chart, Column, Figure, Link, Table, Words, drawn_figure, named_columns
from assay.results.verdict import CLOSINGS

ORDERS = ("build", "date")


def page(request: Request) -> Response:
    """The inbox of changes, and all series."""
    one = asked(request)
    words = one.words
    known = _known(one)
    found = known if isinstance(known, History) else None
    seen = [] if found is None else views(found)
    measures = ["throughput", "p95_ms", "p99_ms"]
    return render(
        one,
        "history.html.j2",
        words("web.history.title"),
        twins=[]
        if found is None
        else [
            *((name.upper(), _with(one, f"{one.links.history()}.{name}")) for name in ("json", "csv", "md")),
            ("Atom", _with(one, one.links.feed())),
        ],
        found=found,
        why="" if isinstance(known, History) else known.reason(words),
        again=isinstance(known, NotYet),
        inbox=None if found is None else inbox_table(one, found),
        series=None if found is None else series_table(one, seen),
        measure=one.query.get("measure", measures[0]),
        measures=[(name, words.measure(name) if name in MEASURES else words("web.history.throughput"))
                  for name in measures],
        order=one.query.get("by", ORDERS[0]),
        orders=[(name, words(f"web.history.by-{name}")) for name in ORDERS],
        canary=one.query.get("canary", ""),
        feed=_with(one, one.links.feed()),
        closings=[(name, words(f"web.history.closed-{name}")) for name in CLOSINGS],
        record=_with(one, one.links.history_state()),
        unread=() if found is None else found.unread,
        line=line,
    )  # fmt: skip


def inbox_table(one: PageRequest, found: History) -> Table:
    """Returns one row for all series that step between the same two builds, the newest first."""
    words = one.words
    ids = {id(view.series): view.id for view in views(found)}
    rows = []
    for shift in reversed(found.shifts):
        largest, state = shift.largest, found.states[shift.id]
        better = shift.better
        direction = "better" if better == len(shift.changes) else "worse" if not better else "mixed"
        rows.append(
            (
                shift.id,
                _when(shift),
                shift.before,
                shift.after,
                Link(
                    f"{words.measure(largest.series.measure)}, {largest.series.where.workload}",
                    one.links.history(ids[id(largest.series)]) + _query(one),
                ),
                Figure(largest.ratio, largest.low, largest.high),
                words(f"web.history.{direction}"),
                words("web.history.series-of", count=len(shift.changes), of=shift.of),
                words(f"web.history.state-{state.state}"),
                "; ".join(
                    text
                    for text in (_closing(words, state), state.reason, state.paired, state.made_of)
                    if text
                ),
            )
        )
    return Table(
        "", "changes", words("web.history.changes"),
        (
            Column("id", "ID", kind="code"),
            Column("when", words("web.column.created"), kind="text"),
            *named_columns(words, "column", before="text", after="text"),
            *named_columns(words, "web.history", largest="links", ratio="number", direction="text"),
            Column("series", words("web.history.moved"), kind="text"),
            Column("state", words("column.status"), kind="text"),
            Column("reason", words("web.column.reason"), kind="prose"),
        ),
        tuple(rows),
        empty=words("web.history.no-changes"),
    )  # fmt: skip


def series_table(one: PageRequest, seen: list[SeriesView]) -> Table:
    """Returns one row a series, those with changes first."""
    words = one.words
    return Table(
        "", "series", words("web.history.series"),
        (
            Column("series", words("column.measure"), kind="links"),
            Column("workload", words("column.workload"), kind="text"),
            Column("load", words("web.column.load"), kind="text"),
            Column("configuration", words("web.history.configuration"), kind="text"),
            Column("host", words("web.shelf.filter-host"), kind="text"),
            *named_columns(words, "web.history", builds="number", last="number", changes="number"),
        ),
        tuple(
            (
                Link(words.measure(view.series.measure), one.links.history(view.id) + _query(one)),
                view.series.where.workload,
                view.series.where.load_text,
                view.series.where.configuration,
                view.series.where.host,
                len(view.series.points),
                Figure(*_last(view)),
                len(view.changes),
            )
            for view in seen
        ),
        empty=words("web.history.no-series"),
    )  # fmt: skip


def series_page(request: Request) -> Response:
    """One series: its picture, its values with the results they come from, its changes."""
    one = asked(request)
    found, view = _view(one, request.path_params["series"])
    words, series = one.words, view.series
    builds = [NamedInterval(point.build, point.value, point.low, point.high) for point in series.points]
    says = history_sentence(builds, words.unit(series.unit), len(view.changes), words)
    chart = Chart(
        "", "history", words("web.history.picture"), words("web.history.caption"), {}, series.points
    )
    name = words.measure(series.measure)
    return render(
        one,
        "series.html.j2",
        words("web.history.series-title", measure=name, workload=series.where.workload,
              load=series.where.load_text),
        crumbs=[(words("web.history.title"), one.links.history() + _query(one))],
        twins=[
            (ending.upper(), one.links.history(view.id, f".{ending}") + _query(one))
            for ending in ("json", "csv", "md", "svg")
        ],
        figure=drawn_figure(told(chart, says), _picture(one, only_series(found, view))),
        values=points_table(one, view),
        inbox=inbox_table(one, only_series(found, view)),
        facts=[
            (words("web.history.configuration"), series.where.configuration),
            (words("web.shelf.filter-host"), series.where.host),
            (words("web.history.canary"), series.canary or words("web.no")),
            (words("web.history.least"), f"{series.least:.1%}"),
        ],
        **shown_with(words),
    )  # fmt: skip


def points_table(one: PageRequest, view: SeriesView) -> Table:
    """Returns one row a build, with the results that its value comes from."""
    words = one.words
    rows, _ = one.site.catalogue.rows()
    by_folder = {str(one.site.catalogue.folder_of(row).path): row for row in rows}
    return Table(
        "", "values", words("web.history.values"),
        (
            Column("build", words("web.history.build"), kind="text"),
            Column("started", words("column.started"), "UTC", kind="text"),
            Column("value", words("web.column.value"), view.series.unit),
            Column("blocks", words("column.blocks")),
            Column("results", words("web.column.results"), kind="links"),
        ),
        tuple(
            (
                point.build,
                moment(point.started_ns),
                Figure(point.value, point.low, point.high),
                len(point.logs),
                tuple(
                    Link(row.rid, one.links.result(row.rid))
                    for folder in point.folders
                    if (row := _row(by_folder, folder)) is not None
                ),
            )
            for point in view.series.points
        ),
    )  # fmt: skip


def twin(request: Request) -> Response:
    """The whole history in another form."""
    one = asked(request)
    found = _computed(one)
    match request.url.path.rpartition(".")[2]:
        case "csv":
            return Response(as_csv(found), media_type="text/csv; charset=utf-8")
        case "md":
            return twins.as_markdown([inbox_table(one, found), series_table(one, views(found))], one.words)
    return twins.as_json(as_object(found))


def series_twin(request: Request) -> Response:
    """One series in another form."""
    one = asked(request)
    found, view = _view(one, request.path_params["series"])
    alone = only_series(found, view)
    match request.url.path.rpartition(".")[2]:
        case "csv":
            return Response(as_csv(alone), media_type="text/csv; charset=utf-8")
        case "md":
            return twins.as_markdown([points_table(one, view), inbox_table(one, alone)], one.words)
        case "svg":
            return twins.as_svg(_picture(one, alone))
    return twins.as_json(as_object(alone))


def feed(request: Request) -> Response:
    """Changes as an Atom feed (RFC 4287), the newest first; each entry has an id of its own for ever."""
    one = asked(request)
    found = _computed(one)
    words = one.words
    ids = {id(view.series): view.id for view in views(found)}
    entries = []
    for shift in reversed(found.shifts):
        largest = shift.largest
        title = words(
            "web.history.entry", before=shift.before, after=shift.after,
            measure=words.measure(largest.series.measure), size=f"{largest.ratio - 1:+.1%}",
        )  # fmt: skip
        said = words("web.history.series-of", count=len(shift.changes), of=shift.of)
        address = one.links.history(ids[id(largest.series)])
        entries.append(
            f"<entry><id>urn:assay:change:{shift.id}</id><title>{escape(title)}</title>"
            f"<updated>{_rfc3339(shift)}</updated><link href={quoteattr(address)}/>"
            f"<summary>{escape(said)}</summary></entry>"
        )
    newest = max((_rfc3339(shift) for shift in found.shifts), default="1970-01-01T00:00:00Z")
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>urn:assay:history</id><title>{escape(words('web.history.title'))}</title>"
        f"<updated>{newest}</updated><author><name>Assay</name></author>{''.join(entries)}</feed>\n"
    )
    return Response(visible(text), media_type="application/atom+xml")


async def record(request: Request) -> Response:
    """Records the explanation of a change, and how it was closed; an empty text removes the record."""
    one = asked(request)
    given = await object_of(request)

    def explain() -> dict[str, object]:
        found = _computed(one)
        wanted = str(given.get("id", ""))
        found.explain(wanted, str(given.get("reason", "")), str(given.get("closing", "")))
        return {"id": found.shift(wanted).id}

    return await answer_of(explain)


def _closing(words: Words, state: State) -> str:
    return words(f"web.history.closed-{state.closing}") if state.closing in CLOSINGS else ""


def _known(one: PageRequest) -> History | NotFound | NotYet:
    """Returns the history that the address asks for, or why there is none (yet)."""
    rows, waiting = one.site.catalogue.rows()
    if waiting:
        return NotYet("web.history.waiting", count=waiting)
    if not any(row.is_readable for row in rows):
        return NotFound("web.shelf.empty")
    order = one.query.get("by", ORDERS[0])
    if order not in ORDERS:
        raise NotFound("web.missing.order", orders=", ".join(ORDERS))
    wanted = HistoryRequest(
        measures=(one.query.get("measure", "throughput"),),
        order="date" if order == "date" else "build",
        canary=one.query.get("canary") or None,
    )
    wait_s = None if one.site.is_static else histories.PATIENCE_S
    found = one.site.histories.of(one.site.catalogue.state(), wanted, wait_s=wait_s)
    return NotYet("web.history.computing") if found is None else found


def _computed(one: PageRequest) -> History:
    """Returns the history that the address asks for. Raises NotFound where there are no results, NotYet where
    it is still being computed.
    """
    known = _known(one)
    if not isinstance(known, History):
        raise known
    return known


def _view(one: PageRequest, wanted: str) -> tuple[History, SeriesView]:
    found = _computed(one)
    view = next((view for view in views(found) if view.id == wanted), None)
    if view is None:
        raise NotFound("web.missing.series", name=wanted)
    return found, view


def _picture(one: PageRequest, found: History) -> str:
    return picture(found, from_zero=not is_zoomed(one, "zoom"))


def _last(view: SeriesView) -> tuple[float, float | None, float | None]:
    point = view.series.points[-1]
    return point.value, point.low, point.high


def _when(shift: Shift) -> str:
    return moment(_started(shift))


def _rfc3339(shift: Shift) -> str:
    return f"{datetime.fromtimestamp(_started(shift) / 1e9, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _started(shift: Shift) -> int:
    points = shift.largest.series.points
    return next(point.started_ns for point in points if point.build == shift.after)


def _row(rows: Mapping[str, CatalogueRow], folder: str) -> CatalogueRow | None:
    return rows.get(folder) or rows.get(str(Path(folder)))


def _query(one: PageRequest) -> str:
    kept: dict[str, Any] = {
        name: one.query[name] for name in ("measure", "by", "canary", "y") if one.query.get(name)
    }
    return f"?{urlencode(kept)}" if kept else ""


def _with(one: PageRequest, address: str) -> str:
    return address + _query(one)


_SERIES = AT + "/history/{series}"

ROUTES = [
    *(Route(f"{AT}/history.{form}", twin) for form in ("json", "csv", "md")),
    Route(AT + "/history/feed.atom", feed),
    *(Route(f"{_SERIES}.{form}", series_twin) for form in ("json", "csv", "md", "svg")),
    Route(AT + "/history/state", record, methods=["POST"]),
    Route(_SERIES, series_page),
    Route(AT + "/history", page),
]
