"""The page of doubts across all results: by kind, each with what to do, and the results that have it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.experiments.lab import CountedDoubt
from assay.front.web import twins
from assay.front.web.archive.rows import CatalogueRow
from assay.front.web.overview.shelf import title_of
from assay.front.web.page import AT, PageRequest, asked, render
from assay.reporting.report import Column, Link, Table, Word, kind_name, named_columns
from assay.results.verdict import GRAVEST_FIRST, Severity


def page(request: Request) -> Response:
    """The kinds of doubt; with `kind` in the address, the results that have it."""
    one = asked(request)
    rows, waiting = one.site.catalogue.rows()
    kind = one.query.get("kind")
    table = kinds_table(one, rows) if kind is None else results_table(one, rows, kind)
    title = one.words("web.doubts.title")
    if kind is not None:
        title = one.words("web.doubts.title-of", kind=kind_name(one.words, kind))
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
    """Returns one row a kind, those first that turn a verdict somewhere; the number of results leads to
    exactly those.
    """
    words = one.words
    found: dict[str, list[CountedDoubt]] = defaultdict(list)
    for row in rows:
        for doubt in row.doubts:
            found[doubt.kind].append(doubt)
    gravest = {kind: min((of.severity for of in each), key=_grave) for kind, each in found.items()}
    turning = {kind: sum(of.word in _TURNING for of in each) for kind, each in found.items()}
    ordered = sorted(found, key=lambda kind: (-turning[kind], _grave(gravest[kind]), -len(found[kind]), kind))
    return Table(
        "", "doubt-kinds", words("web.doubts.kinds"),
        (
            *named_columns(words, "column", severity="word", kind="links"),
            Column("results", words("web.column.results")),
            Column("turned", words("web.column.turned")),
            Column("runs", words("column.runs")),
            Column("what to do", words("column.what-to-do"), kind="prose"),
        ),
        tuple(
            (
                Word(gravest[kind]),
                Link(kind_name(words, kind), one.links.doubts(kind)),
                len(found[kind]),
                turning[kind],
                sum(of.runs for of in found[kind]),
                words.get(f"doubt-do.{kind}", ""),
            )
            for kind in ordered
        ),
        empty=words("web.doubts.empty"),
    )  # fmt: skip


_TURNING = ("has-turned", "could-turn")


def _grave(severity: str) -> int:
    return [*GRAVEST_FIRST].index(cast(Severity, severity))


def results_table(one: PageRequest, rows: Iterable[CatalogueRow], kind: str) -> Table:
    """Returns the results that have doubts of a kind, those first in which they turn a verdict."""
    words = one.words
    having = [(row, found) for row in rows for found in row.doubts if found.kind == kind]
    having.sort(key=lambda pair: pair[1].word not in _TURNING)
    return Table(
        "", "doubt-results", words("web.column.results"),
        (
            Column("result", words("web.column.result"), kind="links"),
            *named_columns(words, "column", severity="word", consequence="word", runs="number"),
            Column("host", words("web.shelf.filter-host"), kind="text"),
        ),
        tuple(
            (
                Link(title_of(one, row), f"{one.links.result(row.rid)}#doubts"),
                Word(found.severity),
                Word(found.word),
                found.runs,
                "; ".join(row.hosts),
            )
            for row, found in having
        ),
        empty=words("web.doubts.none-of", kind=kind_name(words, kind)),
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
