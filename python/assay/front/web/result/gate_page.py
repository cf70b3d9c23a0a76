"""The page of a gate: each required claim at each load point, with the number that made it fail."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.base.errors import InputError
from assay.experiments.gate import (
    Check,
    Gated,
    as_junit,
    as_markdown,
    as_object,
    as_openmetrics,
    complaint,
)
from assay.front.web import twins
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.page import AT, PageRequest, asked, render, shown_with
from assay.reporting.report import (
    Link,
    Table,
    chance_sentence,
    check_name,
    checks_table,
    explain_check,
    gate_summary,
)

NAMED = 3
"""Checks that the page names before its table."""


def page(request: Request) -> Response:
    """The outcome of the whole, and of each check with its figure."""
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    words, study = one.words, opened.judged.study
    gated = opened.gated
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
        summary=None if gated is None else gate_summary(gated, words),
        remarkable=[] if gated is None else remarkable(one, opened, gated),
        beyond=0 if gated is None else max(len(gated.remarkable) - NAMED, 0),
        chance=None if gated is None else chance_sentence(gated, words),
        exit_code=0 if error is None else error.exit_code,
        table=None if gated is None else _table(one, opened, gated),
        **shown_with(words),
    )


@dataclass(frozen=True)
class Remark:
    """A check that did not pass: what it is, why it has its outcome, and the numbers that decide it."""

    outcome: str
    name: str
    why: str
    numbers: tuple[Link, ...]


def remarkable(one: PageRequest, opened: OpenResults, gated: Gated) -> list[Remark]:
    """Returns the first checks that did not pass, the gravest first, so that nobody has to look for them."""
    material = opened.material(one.language)
    return [
        Remark(
            check.outcome,
            check_name(check, gated, one.words),
            explain_check(material, check),
            _numbers(one, opened, check),
        )
        for check in gated.remarkable[:NAMED]
    ]


def _table(one: PageRequest, opened: OpenResults, gated: Gated) -> Table:
    """Returns one row a check; its load leads to the numbers of its sides."""
    return checks_table(
        gated.checks, opened.material(one.language), "", lambda check: _numbers(one, opened, check)
    )


def _numbers(one: PageRequest, opened: OpenResults, check: Check) -> tuple[Link, ...]:
    sides = () if check.part is None else check.part.where
    measures = [term.measure for term in check.rule.hypothesis.terms]
    return tuple(
        Link(place.treatment, one.links.number(opened.rid, place.treatment, place.load, measure))
        for place, measure in zip(sides, measures or [""], strict=False)
        if place.load is not None and measure
    )


def twin(request: Request) -> Response:
    """The outcome in another form. Raises InputError where there is none."""
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    gated = opened.gated
    if gated is None:
        raise InputError(
            f"{opened.folder.path}: has no gates that are judged",
            hint="write a [[gate]], and finish the study",
        )
    match request.url.path.rpartition(".")[2]:
        case "json":
            return twins.as_json(as_object(gated))
        case "csv":
            return twins.as_csv(_table(one, opened, gated))
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
