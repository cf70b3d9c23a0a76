"""The page of one result: the report's sections from the same records, with a link on every number."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.front.web import twins
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.not_found import NotFound
from assay.front.web.page import AT, PageRequest, asked, render, shown_with
from assay.front.web.result.measures_table import estimates_table
from assay.reporting.live import Note, read_notes
from assay.reporting.report import (
    Chart,
    Drawings,
    DrawnFigure,
    Link,
    Origin,
    Table,
    Words,
    drawn_figure,
    kept_svg,
    page_parts,
    records_csv,
)


@dataclass(frozen=True)
class _FigureLater:
    """A chart that is drawn while the page is read: a picture takes a few tenths of a second."""

    chart: Chart
    picture: Future[str]

    @cached_property
    def _drawn(self) -> DrawnFigure:
        return drawn_figure(self.chart, self.picture.result())

    @property
    def svg(self) -> Markup:
        return self._drawn.svg

    @property
    def least_px(self) -> int:
        return self._drawn.least_px


def page(request: Request) -> Response:
    """The report's sections, with notes on what they rest on."""
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    language, rid = one.language, opened.rid
    material, study = opened.material(language), opened.judged.study
    more = max((h.more_blocks or 0 for h in opened.judged.results.hypotheses), default=0)
    return render(
        one,
        "result.html.j2",
        one.words.title(study.title, study.name),
        crumbs=[(one.words("web.nav.shelf"), one.links.shelf())],
        twins=[(name.upper(), one.links.result(rid, f".{name}")) for name in ("json", "csv", "md")],
        later=lambda: _later(one, opened),
        w=material.words,
        **leading(one, opened, material.words),
        chart_file=lambda name, ending: one.links.chart(rid, name, ending),
        table_file=lambda name, ending: one.links.table(rid, name, ending),
        rid=rid,
        row=opened.row,
        interim=opened.is_interim,
        more_blocks=more,
        add_blocks=f"assay run {opened.folder.study_file} --results {opened.folder.path}"
        f" --blocks {opened.judged.results.blocks_planned + max(more, 1)}",
        has_gates=bool(study.gates),
        has_innodb=study.subject.kind == "server" and not study.is_imported,
        treatments=opened.judged.results.treatments,
        notes=_notes(opened),
        scripts=() if one.site.is_static else ("notes.js",),
    )


def _later(one: PageRequest, opened: OpenResults) -> dict[str, Any]:
    """Returns what takes its time: tables and charts, the outcome of gates, and a look at the report on
    disk.
    """
    figures = _drawn_meanwhile(opened.charts(one.language), one.site.pictures)
    parts = page_parts(opened.material(one.language), opened.tables(one.language), figures)
    return {**parts, "on_disk": opened.report_on_disk, "gated": opened.gated}


def _drawn_meanwhile(charts: Sequence[Chart], pictures: Path) -> list[_FigureLater]:
    """Returns charts that are drawn in the order of the page, two at a time, while its other parts are
    made.
    """
    drawing = ThreadPoolExecutor(Drawings.MOST)
    made = [_FigureLater(chart, drawing.submit(kept_svg, chart, pictures)) for chart in charts]
    drawing.shutdown(wait=False)
    return made


def _notes(opened: OpenResults) -> list[Note]:
    """Returns the notes on the results; a note of a run that never finished has no page to lead to."""
    return [
        note if note.run in opened.runs else msgspec.structs.replace(note, run=None)
        for note in read_notes(opened.folder)
    ]


def leading(one: PageRequest, opened: OpenResults, words: Words) -> dict[str, Any]:
    """Returns how the macros of `parts.html.j2` show tables of results: with the words of the study's kind,
    and a link on every number that has a page.
    """
    return shown_with(words) | {
        "href": lambda link: target(one, opened, link),
        "origin": lambda of: number_of(one, opened, of),
    }


def target(one: PageRequest, opened: OpenResults, link: Link) -> str | None:
    """Returns the page for a file that the report links, or the place on this page; None where there is
    none.
    """
    if link.href.startswith("#"):
        return link.href
    found = opened.targets.get(link.href)
    if found is None:
        return None
    run_id, rung = found
    if rung is None:
        return one.links.run(opened.rid, run_id)
    return one.links.rung(opened.rid, run_id, rung)


def number_of(one: PageRequest, opened: OpenResults, of: Origin | None) -> str | None:
    """Returns the page of an estimate, or of a comparison."""
    if of is None or of.load is None:
        return None
    if of.baseline is not None:
        return one.links.compare((opened.rid, of.baseline), (opened.rid, of.treatment))
    return one.links.number(opened.rid, of.treatment, of.load, of.measure)


def as_json(request: Request) -> Response:
    """What `assay show --json` says of the folder, with its name here."""
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    content = json.loads(msgspec.json.encode(opened.judged.results))
    return twins.as_json(
        {
            "rid": opened.rid,
            "folder": opened.row.place,
            "interim": opened.is_interim,
            "results": content,
            "tables": [table.name for table in opened.tables(one.language)],
            "charts": [chart.name for chart in opened.charts(one.language)],
        }
    )


def as_csv(request: Request) -> Response:
    """Every estimate of the results."""
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    return twins.as_csv(estimates_table(one.words, opened.judged.results.estimates))


def as_markdown(request: Request) -> Response:
    """Every table of the report."""
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    return twins.as_markdown(opened.tables(one.language), opened.material(one.language).words)


def chart(request: Request) -> Response:
    """One chart: its picture or its records."""
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    found = opened.chart(one.language, request.path_params["name"])
    match request.path_params["ending"]:
        case "svg":
            return twins.as_svg(kept_svg(found, one.site.pictures))
        case "csv":
            return Response(records_csv(found), media_type="text/csv; charset=utf-8")
        case "json":
            return twins.as_json({"name": found.name, "records": [asdict(row) for row in found.records]})
    raise NotFound("web.missing.chart-form")


def table(request: Request) -> Response:
    """One table of the report."""
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    found: Table = opened.table(one.language, request.path_params["name"])
    match request.path_params["ending"]:
        case "csv":
            return twins.as_csv(found)
        case "md":
            return twins.as_markdown([found], opened.material(one.language).words)
        case "json":
            return twins.as_json(twins.table_object(found))
    raise NotFound("web.missing.table-form")


ROUTES = [
    Route(AT + "/r/{rid}/charts/{name}.{ending}", chart),
    Route(AT + "/r/{rid}/tables/{name}.{ending}", table),
    Route(AT + "/r/{rid}.json", as_json),
    Route(AT + "/r/{rid}.csv", as_csv),
    Route(AT + "/r/{rid}.md", as_markdown),
    Route(AT + "/r/{rid}", page),
]
