"""The page of a class of hosts: the results that were measured on it, and what the machine is."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.front.web import twins
from assay.front.web.archive.rows import CatalogueRow
from assay.front.web.not_found import NotFound
from assay.front.web.overview.shelf import title_of
from assay.front.web.overview.shelf_row import headline_cells, headline_columns
from assay.front.web.page import AT, PageRequest, asked, moment, render, shown_with
from assay.reporting.report import Column, Link, Table, Word, named_columns

_SHOWN = ("cpu.%", "memory.%", "kernel.%", "system.%", "storage.%")


def page(request: Request) -> Response:
    """The results of a class of hosts, and the facts of its newest ones."""
    one = asked(request)
    name, rows = _found(one, request)
    words = one.words
    return render(
        one,
        "host.html.j2",
        name,
        crumbs=[(words("web.nav.shelf"), one.links.shelf())],
        twins=[(ending.upper(), one.links.host(name, f".{ending}")) for ending in ("json", "csv", "md")],
        results=results_table(one, rows),
        facts=facts_table(one, rows[0]),
        **shown_with(words),
    )


def results_table(one: PageRequest, rows: Sequence[CatalogueRow]) -> Table:
    """Returns one row a result, with its headline measure."""
    words = one.words
    return Table(
        "", "results", words("web.column.results"),
        (
            Column("result", words("web.column.result"), kind="links"),
            Column("created", words("web.column.created"), kind="text"),
            *named_columns(words, "column", server="text", workload="text"),
            *headline_columns(words),
            Column("gate", words("web.nav.gate"), kind="word"),
            Column("doubts", words("column.doubts")),
        ),
        tuple(
            (
                Link(title_of(one, row), one.links.result(row.rid)),
                moment(row.created_ns),
                "; ".join(row.servers),
                "; ".join(row.workloads),
                *headline_cells(words, row.headline),
                Word(row.gate) if row.gate else None,
                len({found.kind for found in row.doubts}),
            )
            for row in rows
        ),
    )  # fmt: skip


def facts_table(one: PageRequest, row: CatalogueRow) -> Table:
    """Returns what the newest results say of the machine, before their last run."""
    words = one.words
    opened = one.site.opened(row.rid)
    rows = (
        opened.judged.store.cursor()
        .execute(
            "SELECT key, value FROM facts WHERE scope = 'host' AND moment = 'before'"
            " AND (" + " OR ".join("key LIKE ?" for _ in _SHOWN) + ")"
            " AND run_id = (SELECT run_id FROM runs ORDER BY ended_ns DESC LIMIT 1) ORDER BY key",
            list(_SHOWN),
        )
        .fetchall()
    )
    return Table(
        "", "facts", words("web.host.facts"),
        (
            Column("fact", words("column.fact"), kind="code"),
            Column("value", words("web.column.value"), kind="text"),
        ),
        tuple(rows),
        empty=words("web.host.no-facts"),
        folded=len(rows) > 40,
    )  # fmt: skip


def twin(request: Request) -> Response:
    """The results of a class of hosts in another form."""
    one = asked(request)
    name, rows = _found(one, request)
    table = results_table(one, rows)
    match request.url.path.rpartition(".")[2]:
        case "csv":
            return twins.as_csv(table)
        case "md":
            return twins.as_markdown([table], one.words)
    return twins.as_json({"host": name, **twins.table_object(table)})


def _found(one: PageRequest, request: Request) -> tuple[str, list[CatalogueRow]]:
    name = request.path_params["name"]
    rows, _ = one.site.catalogue.rows()
    found = [row for row in rows if name in row.hosts]
    if not found:
        raise NotFound("web.missing.host", name=name)
    return name, found


ROUTES = [
    *(Route(f"{AT}/host/{{name:path}}.{form}", twin) for form in ("json", "csv", "md")),
    Route(AT + "/host/{name:path}", page),
]
