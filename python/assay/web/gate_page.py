"""The page of a gate: each required claim at each load point, with the number that made it fail."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.errors import InputError
from assay.gate import (
    Check,
    Gated,
    as_junit,
    as_markdown,
    as_object,
    as_openmetrics,
    chance_sentence,
    complaint,
    gate_of_results,
    reach_text,
    summary,
)
from assay.report import Cell, Column, Figure, Link, Table, Word
from assay.web import twins
from assay.web.opened import Opened
from assay.web.page import AT, Asked, asked, render, shown_with


def page(request: Request) -> Response:
    """The outcome of the whole, and of each check with its figure."""
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    words, study = one.words, opened.judged.study
    gated = None if opened.is_interim or not study.gates else gate_of_results(opened.folder.path)
    error = None if gated is None else complaint(gated)
    return render(
        one,
        "gate.html.j2",
        words("web.gate.title", study=words.title(study.title, study.name)),
        crumbs=[
            (words("web.nav.shelf"), one.links.shelf()),
            (words.title(study.title, study.name), one.links.result(opened.rid)),
        ],
        twins=[]
        if gated is None
        else [
            (label, one.links.gate(opened.rid, f".{ending}"))
            for label, ending in (
                ("JSON", "json"),
                ("CSV", "csv"),
                ("Markdown", "md"),
                ("JUnit", "xml"),
                ("OpenMetrics", "txt"),
            )
        ],
        rid=opened.rid,
        gated=gated,
        interim=opened.is_interim,
        summary=None if gated is None else summary(gated, words),
        chance=None if gated is None else chance_sentence(gated, words),
        exit_code=0 if error is None else error.exit_code,
        table=None if gated is None else checks_table(one, opened, gated),
        **shown_with(words),
    )


def checks_table(one: Asked, opened: Opened, gated: Gated) -> Table:
    """Returns one row a check; its load leads to the numbers of its sides."""
    words = one.words
    return Table(
        "", "checks", words("web.gate.checks"),
        (
            Column("claim", words("web.gate.claim"), kind="code"),
            Column("load", words("web.column.load")),
            Column("outcome", words("column.outcome"), kind="word"),
            Column("figure", words("column.figure")),
            Column("blocks", words("column.blocks")),
            Column("smallest change", words("web.gate.reach"), kind="text"),
            Column("numbers", words("web.gate.numbers"), kind="links"),
            Column("why", words("column.explanation"), kind="prose"),
        ),
        tuple(_row(one, opened, check) for check in gated.checks),
    )  # fmt: skip


def _row(one: Asked, opened: Opened, check: Check) -> tuple[Cell, ...]:
    part = check.part
    figure = None if part is None else part.figure
    sides = () if part is None else part.where
    measures = [term.measure for term in check.rule.hypothesis.terms]
    links = tuple(
        Link(place.treatment, one.links.number(opened.rid, place.treatment, place.load, measure))
        for place, measure in zip(sides, measures or [""], strict=False)
        if place.load is not None and measure
    )
    return (
        check.rule.text,
        check.load,
        Word(check.outcome),
        None if figure is None else Figure(figure.value, figure.low, figure.high),
        check.blocks,
        reach_text(check.reach, one.words),
        links,
        check.why,
    )


def twin(request: Request) -> Response:
    """The outcome in another form. Raises InputError where there is none."""
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    if opened.is_interim or not opened.judged.study.gates:
        raise InputError(
            f"{opened.folder.path}: has no gates that are judged",
            hint="write a [[gate]], and finish the study",
        )
    gated = gate_of_results(opened.folder.path)
    match request.url.path.rpartition(".")[2]:
        case "json":
            return twins.as_json(as_object(gated))
        case "csv":
            return twins.as_csv(checks_table(one, opened, gated))
        case "md":
            return Response(as_markdown(gated, one.language), media_type="text/markdown; charset=utf-8")
        case "xml":
            return Response(as_junit(gated), media_type="application/xml")
    return Response(as_openmetrics(gated), media_type="text/plain; charset=utf-8")


_FORMS = ("json", "csv", "md", "xml", "txt")

ROUTES = [
    *(Route(f"{AT}/gate/{{rid}}.{form}", twin) for form in _FORMS),
    Route(AT + "/gate/{rid}", page),
]
