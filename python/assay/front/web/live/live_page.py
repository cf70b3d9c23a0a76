"""The live page: a study while it runs, its stream, and what a person may ask of it."""

from __future__ import annotations

import json

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from assay.base.decoding import whole_number
from assay.base.tally import CELLS, LOWEST_MS, ROWS_A_DECADE
from assay.design.folder import ResultsFolder, RungFolder
from assay.front.web.answering import answer_of, object_of
from assay.front.web.live.live_parts import PARTS, LiveParts
from assay.front.web.live.live_stream import LiveStream, stream
from assay.front.web.not_found import NotFound
from assay.front.web.page import AT, asked, redirect, render
from assay.front.web.site import site_of
from assay.reporting.live import (
    CHARTS,
    add_note,
    earlier,
    opened,
    previous,
    wish,
)


def page(request: Request) -> Response:
    """Returns the page as it is now; the rest comes by the stream."""
    one = asked(request)
    rid = request.path_params["rid"]
    folder = one.site.catalogue.folder(rid)
    course, place = opened(folder)
    parts = LiveParts(one, rid, folder).all(course, [], None, None)
    charts = [
        {
            "key": chart.key,
            "unit": one.words.unit(chart.unit),
            "title": one.words(f"web.live.chart.{chart.key}"),
            "lines": [
                {"key": f"{chart.key}.{line.key}", "name": one.words(f"web.live.line.{line.key}")}
                for line in chart.lines
            ],
        }
        for chart in CHARTS
    ]
    settings = {
        "cells": CELLS,
        "lowest": LOWEST_MS,
        "rows": ROWS_A_DECADE,
        "charts": charts,
        "words": {
            key.removeprefix("web.live.js."): one.words(key)
            for key in sorted(one.words.keys())
            if key.startswith("web.live.js.")
        },
    }
    name = rid if course.begun is None else course.begun.study
    return render(
        one,
        "live.html.j2",
        one.words("web.live.title", study=name),
        crumbs=[(one.words("web.nav.shelf"), one.links.shelf()), (rid, one.links.result(rid))],
        scripts=() if course.ended is not None or one.site.is_static else ("live.js",),
        rid=rid,
        parts=parts,
        names=PARTS,
        place=str(place),
        is_over=course.ended is not None,
        charts=charts,
        settings=json.dumps(settings, ensure_ascii=False),
        done=course.counted("done"),
        runs=len(course.runs),
    )


def follow(request: Request) -> Response:
    """Returns the stream from the place that the browser was at, or that the page names."""
    one = asked(request)
    rid = request.path_params["rid"]
    folder = one.site.catalogue.folder(rid)
    place = request.headers.get("last-event-id") or request.query_params.get("from")
    live = LiveStream(folder, LiveParts(one, rid, folder), place)
    return StreamingResponse(
        stream(live, folder, once="once" in request.query_params, is_closing=lambda: one.site.is_closing),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


def before(request: Request) -> Response:
    """Returns the seconds of the load point under way that lie before a place in its events, thinned."""
    folder = site_of(request).catalogue.folder(request.path_params["rid"])
    rung = _rung(folder, request)
    text = request.query_params.get("before", "")
    offset = whole_number(text)
    return Response(msgspec.json.encode(earlier(rung, offset)), media_type="application/json")


def same_before(request: Request) -> Response:
    """Returns the throughput of the same treatment and load in the blocks before."""
    folder = site_of(request).catalogue.folder(request.path_params["rid"])
    course, _ = opened(folder)
    lines = previous(
        folder, course, request.query_params.get("run", ""), request.query_params.get("rung", "")
    )
    return Response(msgspec.json.encode(lines), media_type="application/json")


async def ask(request: Request) -> Response:
    """Asks the lab to stop, pause or go on."""
    folder = site_of(request).catalogue.folder(request.path_params["rid"])
    asked_for = await object_of(request)
    return await answer_of(lambda: {"asked": wish(folder, str(asked_for.get("what")))})


async def note(request: Request) -> Response:
    """Adds a note, or changes one."""
    folder = site_of(request).catalogue.folder(request.path_params["rid"])
    given = await object_of(request)

    def add() -> dict[str, object]:
        added = add_note(
            folder,
            str(given.get("text", "")),
            author=str(given.get("author", ""))[:80],
            run=_text(given.get("run")),
            from_wall_ns=_whole(given.get("from_wall_ns")),
            to_wall_ns=_whole(given.get("to_wall_ns")),
            replaces=_text(given.get("replaces")),
        )
        return {"id": added.id}

    return await answer_of(add)


def _rung(folder: ResultsFolder, request: Request) -> RungFolder:
    """Returns a load point by its names, which must be among those that are there."""
    run_id, name = request.query_params.get("run", ""), request.query_params.get("rung", "")
    course, _ = opened(folder)
    for _ in range(2 if run_id in course.runs else 0):  # a run that ends is renamed, maybe between two looks
        run = folder.run_or_unfinished(run_id)
        rungs = [] if run is None else run.rungs()
        found = next((one for one in rungs if one.path.name == name), None)
        if found is not None:
            return found
    raise NotFound("web.missing.rung", run=run_id, number=name)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _whole(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) < 20:
        value = int(value)
    return value if isinstance(value, int) and value > 0 else None


ROUTES = [
    Route("/live/{rid}", redirect),
    Route(AT + "/live/{rid}", page),
    Route(AT + "/live/{rid}/stream", follow),
    Route("/live/{rid}/before", before),
    Route("/live/{rid}/same-before", same_before),
    Route("/live/{rid}/ask", ask, methods=["POST"]),
    Route("/live/{rid}/note", note, methods=["POST"]),
]
