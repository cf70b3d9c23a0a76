"""The page of doubts across all results: by kind, each with what to do, and the results that have it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.front.web import twins
from assay.front.web.archive.rows import CatalogueRow
from assay.front.web.overview.shelf import title_of
from assay.front.web.page import AT, PageRequest, asked, render
from assay.reporting.report import Column, Link, Table, Word, named_columns
from assay.results.verdict import GRAVEST_FIRST


def page(request: Request) -> Response:
    """The kinds of doubt; with `kind` in the address, the results that have it."""
    one = asked(request)
    rows, waiting = one.site.catalogue.rows()
    kind = one.query.get("kind")
    table = kinds_table(one, rows) if kind is None else results_table(one, rows, kind)
    title = one.words("web.doubts.title")
    if kind is not None:
        title = one.words("web.doubts.title-of", kind=one.words.get(f"doubt.{kind}", kind))
    return render(
        one,
        "doubts.html.j2",
        title,
        crumbs=[] if kind is None else [(one.words("web.doubts.title"), one.links.doubts())],
        twins=[(name.upper(), _twin_address(one, kind, name)) for name in ("json", "csv", "md")],
        table=table,
        kind=kind,
        waiting=waiting,
        to_do="" if kind is None else one.words.get(f"doubt-do.{kind}", ""),
    )


def kinds_table(one: PageRequest, rows: Iterable[CatalogueRow]) -> Table:
    """Returns one row a severity and kind; the number of results leads to exactly those."""
    words = one.words
    doubts: dict[tuple[str, str], int] = defaultdict(int)
    results: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        for found in row.doubts:
            doubts[found.severity, found.kind] += found.count
            results[found.severity, found.kind] += 1
    ordered = sorted(doubts, key=lambda at: (GRAVEST_FIRST.index(at[0]), -doubts[at], at[1]))
    return Table(
        "", "doubt-kinds", words("web.doubts.kinds"),
        (
            *named_columns(words, "column", severity="word", kind="links", count="number"),
            Column("results", words("web.column.results")),
            Column("what to do", words("column.what-to-do"), kind="prose"),
        ),
        tuple(
            (
                Word(severity),
                Link(words.get(f"doubt.{kind}", kind), one.links.doubts(kind)),
                doubts[severity, kind],
                results[severity, kind],
                words.get(f"doubt-do.{kind}", ""),
            )
            for severity, kind in ordered
        ),
        empty=words("web.doubts.empty"),
    )  # fmt: skip


def results_table(one: PageRequest, rows: Iterable[CatalogueRow], kind: str) -> Table:
    """Returns the results that have doubts of a kind."""
    words = one.words
    return Table(
        "", "doubt-results", words("web.column.results"),
        (
            Column("result", words("web.column.result"), kind="links"),
            *named_columns(words, "column", severity="word", count="number"),
            Column("host", words("web.shelf.filter-host"), kind="text"),
        ),
        tuple(
            (
                Link(title_of(one, row), f"{one.links.result(row.rid)}#doubts"),
                Word(found.severity),
                found.count,
                "; ".join(row.hosts),
            )
            for row in rows
            for found in row.doubts
            if found.kind == kind
        ),
        empty=words("web.doubts.none-of", kind=words.get(f"doubt.{kind}", kind)),
    )  # fmt: skip


def twin(request: Request) -> Response:
    """The table of the page in another form."""
    one = asked(request)
    rows, _ = one.site.catalogue.rows()
    kind = one.query.get("kind")
    table = kinds_table(one, rows) if kind is None else results_table(one, rows, kind)
    match request.path_params["ending"]:
        case "csv":
            return twins.as_csv(table)
        case "md":
            return twins.as_markdown([table], one.words)
    return twins.as_json(twins.table_object(table))


def _twin_address(one: PageRequest, kind: str | None, ending: str) -> str:
    path, _, query = one.links.doubts(kind).partition("?")
    return f"{path}.{ending}?{query}" if query else f"{path}.{ending}"


ROUTES = [Route(AT + "/doubts.{ending}", twin), Route(AT + "/doubts", page)]
