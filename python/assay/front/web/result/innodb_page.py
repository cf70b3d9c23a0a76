"""The page of what InnoDB did, second by second: one cursor over all panels, treatments overlaid or side by
side.
"""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.base.numbers import number
from assay.front.web import twins
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.not_found import NotFound
from assay.front.web.page import AT, PageRequest, asked, render, with_query
from assay.front.web.result.result_page import leading
from assay.reporting.report import (
    Column,
    InnodbSeconds,
    Table,
    Words,
    innodb_seconds,
    innodb_table,
    line_name,
    style,
)

_FAR = 20.0
"""A limit so many times beyond what was seen is named only: the axis would have its line at the bottom."""


def page(request: Request) -> Response:
    """The panels, and in a line each what shows nothing or is not there."""
    one = asked(request)
    opened, seconds = _seconds(one)
    words, rid = opened.material(one.language).words, opened.rid
    results = opened.judged.results
    return render(
        one,
        "innodb.html.j2",
        words("innodb.title"),
        crumbs=[
            (one.words("web.nav.shelf"), one.links.shelf()),
            (words.title(opened.judged.study.title, opened.judged.study.name), one.links.result(rid)),
        ],
        twins=[
            (name.upper(), _address(one, rid, f".{name}")) for name in ("csv", "md") if seconds is not None
        ],
        **leading(one, opened, words),
        seconds=seconds,
        data=None if seconds is None else json.dumps(panels_data(seconds, results.treatments, words)),
        load=None if seconds is None else opened.material(one.language).load_words(seconds.load),
        limits=[] if seconds is None else _limits(seconds, words),
        flat=[] if seconds is None else _flat(seconds, words),
        lacking=[] if seconds is None else _lacking(seconds, words),
        table=innodb_table(seconds, words),
        loads=[]
        if one.site.is_static or seconds is None
        else [
            (
                opened.material(one.language).load_words(load),
                with_query(one, load=f"{load:g}"),
                load == seconds.load,
            )
            for load in results.loads
        ],
        is_side_by_side=one.query.get("view") == "side",
        scripts=("innodb.js",),
    )


def as_csv(request: Request) -> Response:
    """Every value of every panel, flat ones too."""
    one = asked(request)
    opened, seconds = _seconds(one)
    words = opened.material(one.language).words
    names = ("panel", "line", "unit", "treatment", "t_s", "value")
    columns = tuple(Column(name, name) for name in names)
    points = () if seconds is None else seconds.points
    rows = tuple(tuple(getattr(point, name) for name in names) for point in points)
    return twins.as_csv(Table("", "innodb", words("innodb.title"), columns, rows))


def as_markdown(request: Request) -> Response:
    """The mean, the least and the most of each line."""
    one = asked(request)
    opened, seconds = _seconds(one)
    words = opened.material(one.language).words
    return twins.as_markdown([innodb_table(seconds, words)], words)


def _seconds(one: PageRequest) -> tuple[OpenResults, InnodbSeconds | None]:
    opened = one.site.opened(one.request.path_params["rid"])
    asked_load = one.query.get("load")
    loads = {f"{load:g}": load for load in opened.judged.results.loads}
    if asked_load is not None and asked_load not in loads:
        raise NotFound("web.missing.part", name=asked_load)
    load = None if asked_load is None else loads[asked_load]
    return opened, innodb_seconds(opened.material(one.language), load)


def _address(one: PageRequest, rid: str, ending: str) -> str:
    load = one.query.get("load")
    return one.links.innodb(rid, ending) + ("" if load is None else f"?load={load}")


def panels_data(seconds: InnodbSeconds, treatments: tuple[str, ...], words: Words) -> dict[str, Any]:
    """Returns what the script draws: the seconds, and the values of each line of each panel by treatment,
    null where there is no reading.
    """
    known = [one for one in treatments if any(point.treatment == one for point in seconds.points)]
    times = sorted({point.t_s for point in seconds.points})
    values: dict[tuple[str, str, str], dict[int, float]] = {}
    for point in seconds.points:
        values.setdefault((point.panel, point.line, point.treatment), {})[point.t_s] = point.value
    colours = style.cycled(style.SERIES, len(known))
    return {
        "times": times,
        "treatments": [
            {"name": name, "light": colour, "dark": style.DARK[colour]}
            for name, colour in zip(known, colours, strict=True)
        ],
        "panels": [
            {
                "key": panel.key,
                "lines": [
                    {
                        "name": line_name(line, words),
                        "values": [
                            [values.get((panel.key, line, one), {}).get(at) for at in times] for one in known
                        ],
                    }
                    for line in dict.fromkeys(key[1] for key in values if key[0] == panel.key)
                ],
                "limits": _drawn_limits(seconds, known) if panel.limited else [],
            }
            for panel in seconds.shown
        ],
        "limit": words("innodb.limit"),
    }


def _drawn_limits(seconds: InnodbSeconds, treatments: list[str]) -> list[float | None]:
    """Returns the limit of each treatment; None for one that is far from what was seen."""
    most = max((point.value for point in seconds.points if point.panel == "checkpoint"), default=0.0)
    found = (seconds.limits.get(one) for one in treatments)
    return [limit if limit is not None and limit <= _FAR * most else None for limit in found]


def _limits(seconds: InnodbSeconds, words: Words) -> list[str]:
    """Returns a sentence on each limit of the checkpoint age, with the treatments that have it."""
    if all(panel.key != "checkpoint" for panel in seconds.shown):
        return []
    found: dict[str, list[str]] = {}
    for treatment, limit in seconds.limits.items():
        found.setdefault(number(limit), []).append(treatment)
    if len(found) == 1:
        return [words("innodb.limit-of-all", limit=limit) for limit in found]
    return [
        words("innodb.limit-of", treatments=words.listed(treatments), limit=limit)
        for limit, treatments in found.items()
    ]


def _flat(seconds: InnodbSeconds, words: Words) -> list[str]:
    """Returns the panels that show nothing, each with its value."""
    units = {point.panel: words.unit(point.unit) for point in seconds.points}
    return [
        words(
            "innodb.flat-one",
            panel=words(f"innodb.panel.{panel}"),
            value=f"{number(round(value, 3))} {units[panel]}".rstrip() if round(value, 3) else number(0),
        )
        for panel, value in seconds.flat.items()
    ]


def _lacking(seconds: InnodbSeconds, words: Words) -> list[str]:
    return [
        words(f"innodb.panel.{panel}")
        if not treatments
        else words(
            "innodb.lacking-of", panel=words(f"innodb.panel.{panel}"), treatments=words.listed(treatments)
        )
        for panel, treatments in seconds.lacking.items()
    ]


ROUTES = [
    Route(AT + "/r/{rid}/innodb.csv", as_csv),
    Route(AT + "/r/{rid}/innodb.md", as_markdown),
    Route(AT + "/r/{rid}/innodb", page),
]
