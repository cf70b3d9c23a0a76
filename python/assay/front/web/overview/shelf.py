"""The first page: every results folder below the root, the newest first, with search and filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from assay.base.printable import line
from assay.front.web import twins
from assay.front.web.archive.rows import CatalogueRow
from assay.front.web.live.live_parts import LiveParts
from assay.front.web.overview.shelf_row import (
    answer_of,
    doubts_of,
    headline_cells,
    headline_columns,
    is_open,
    outcomes_of,
    words_of,
)
from assay.front.web.page import AT, PageRequest, asked, redirect, render, with_query
from assay.reporting.live import opened
from assay.reporting.report import Column, Link, Table, Word, named_columns

FILTERS = ("server", "workload", "host", "word", "gate", "state")
"""Keys of the query that select rows; each has a list to choose from."""
MOST = 250
"""Rows of the page, unless all are asked for."""
MOST_RUNNING = 20
"""Number of unfinished studies, newest first, that the list asks whether they run."""


@dataclass(frozen=True)
class Choice:
    """One value of a filter, and how many results have it."""

    value: str
    label: str
    count: int


def page(request: Request) -> Response:
    """The list, as its address selects it."""
    one = asked(request)
    rows, waiting = one.site.catalogue.rows()
    shown = selected(one, rows)
    words = one.words
    return render(
        one,
        "shelf.html.j2",
        words("web.shelf.title"),
        twins=[(name.upper(), f"/{one.language}/results.{name}") for name in ("json", "csv", "md")],
        running=[] if one.site.is_static else list(running(one, rows)),
        rows=shown if one.site.is_static or one.query.get("all") else shown[:MOST],
        found=len(shown),
        count=len(rows),
        waiting=waiting,
        root=str(one.site.root),
        search=one.query.get("q", ""),
        filters=[(name, words(f"web.shelf.filter-{name}"), choices(one, rows, name)) for name in FILTERS],
        every=with_query(one, all="1"),
        is_filtered=any(one.query.get(name) for name in ("q", *FILTERS)),
        title_of=lambda row: title_of(one, row),
        why=lambda row: why(one, row),
        has_gates=any(row.gate for row in shown),
        claims=words_of,
        is_open=is_open,
        answer=lambda row: answer_of(words, row.headline),
        doubts=lambda row: doubts_of(words, row),
        line=line,
    )


def running(one: PageRequest, rows: Iterable[CatalogueRow]) -> Iterator[tuple[CatalogueRow, str]]:
    """Yields the studies that run at present, each with the top of its live page, which has its time left."""
    for row in islice((row for row in rows if row.state == "part"), MOST_RUNNING):
        folder = one.site.catalogue.folder_of(row)
        course, _ = opened(folder)
        if course.lab_is_alive():
            yield row, LiveParts(one, row.rid, folder).all(course, [], None, None, ("top",))["top"]


def selected(one: PageRequest, rows: Iterable[CatalogueRow]) -> list[CatalogueRow]:
    """Returns the rows that the query selects: every word of `q` is in the row, every filter has its
    value.
    """
    wanted = one.query.get("q", "").lower().split()
    chosen = {name: one.query[name] for name in FILTERS if one.query.get(name)}
    return [
        row
        for row in rows
        if all(value in values_of(row, name) for name, value in chosen.items())
        and (not wanted or _has(one, row, wanted))
    ]


def values_of(row: CatalogueRow, name: str) -> Sequence[str]:
    """Returns the values that a row has for a filter."""
    match name:
        case "server":
            return row.servers
        case "workload":
            return row.workloads
        case "host":
            return row.hosts
        case "word":
            return outcomes_of(row)
        case "gate":
            return [row.gate] if row.gate else []
    return [row.state]


def choices(one: PageRequest, rows: Iterable[CatalogueRow], name: str) -> list[Choice]:
    """Returns the values of a filter, in order, each with its number of results."""
    counts = Counter(value for row in rows for value in dict.fromkeys(values_of(row, name)))
    words = one.words

    def label(value: str) -> str:
        match name:
            case "word" | "gate":
                return words.get(f"word.{value}", line(value))
            case "state":
                return words(f"web.state.{value}")
        return line(value)

    return [Choice(value, label(value), count) for value, count in sorted(counts.items())]


def title_of(one: PageRequest, row: CatalogueRow) -> str:
    return one.words.title(dict(row.titles), row.study or row.rid)


def why(one: PageRequest, row: CatalogueRow) -> str:
    """Returns why a folder has no results that can be shown."""
    return row.reason or one.words("web.shelf.foreign")


def rows_table(one: PageRequest, rows: Sequence[CatalogueRow]) -> Table:
    """Returns the list as a table."""
    words = one.words
    return Table(
        "", "results", words("web.shelf.title"),
        (
            *named_columns(words, "web.column", result="links", title="text", folder="code"),
            Column("state", words("column.status"), kind="text"),
            Column("reason", words("web.column.reason"), kind="prose"),
            Column("created", words("web.column.created"), "ns", kind="text"),
            Column("host", words("web.shelf.filter-host"), kind="text"),
            *named_columns(words, "column", server="text", workload="text", blocks="number"),
            Column("blocks planned", words("web.column.planned")),
            Column("claims", words("web.column.words"), kind="text"),
            *headline_columns(words),
            Column("gate", words("web.nav.gate"), kind="word"),
            Column("doubts", words("column.doubts")),
        ),
        tuple(
            (
                Link(row.rid, one.links.result(row.rid)), title_of(one, row), line(row.place), row.state,
                "" if row.is_readable else why(one, row), str(row.created_ns), "; ".join(row.hosts),
                "; ".join(row.servers), "; ".join(row.workloads), row.blocks, row.blocks_planned,
                "; ".join(f"{outcome} {count}" for outcome, count in Counter(outcomes_of(row)).items()),
                *headline_cells(words, row.headline),
                Word(row.gate) if row.gate else None,
                len({each.kind for each in row.doubts}),
            )
            for row in rows
        ),
    )  # fmt: skip


def twin(request: Request) -> Response:
    """The list in another form, selected by the same query."""
    one = asked(request)
    rows, waiting = one.site.catalogue.rows()
    shown = selected(one, rows)
    match request.path_params["ending"]:
        case "csv":
            return twins.as_csv(rows_table(one, shown))
        case "md":
            return twins.as_markdown([rows_table(one, shown)], one.words)
    return twins.as_json({"unread": waiting, "results": [_object(row) for row in shown]})


def _object(row: CatalogueRow) -> dict[str, Any]:
    return asdict(row) | {"titles": dict(row.titles), "place": line(row.place)}


def _has(one: PageRequest, row: CatalogueRow, wanted: Sequence[str]) -> bool:
    claims = (claim for claim, _ in row.claims)
    titles = (title for _, title in row.titles)
    parts = (row.rid, row.place, row.reason, *titles, *claims, *row.servers, *row.workloads, *row.hosts)
    text = " ".join((*parts, *row.treatments)).lower()
    return all(word in text for word in wanted)


def redirect_to_shelf(request: Request) -> Response:
    """Sends `/en` to `/en/`, so that addresses beside the page are found."""
    return RedirectResponse(f"{request.scope['path']}/", 307)


ROUTES = [
    Route("/", redirect),
    Route(AT, redirect_to_shelf),
    Route(AT + "/", page),
    Route(AT + "/results.{ending}", twin),
]
