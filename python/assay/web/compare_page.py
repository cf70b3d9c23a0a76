"""The page that sets two treatments side by side: the base on the left, what is new on the right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.report import Chart, Table, drawn_figure, style, to_svg
from assay.web import twins
from assay.web.compare_tables import differences_table, rows_table
from assay.web.compared import Compared, Side, compare_sides
from assay.web.not_found import NotFound
from assay.web.page import AT, Asked, asked, render, shown_with, with_query

MOST_RESULTS = 100
"""Results whose treatments stand in the lists to choose from, the newest first."""
MOST_BARS = 40


@dataclass(frozen=True)
class Bar:
    """One row of the picture."""

    name: str
    ratio: float
    low: float | None
    high: float | None
    word: str


def page(request: Request) -> Response:
    """The comparison, or two lists to choose from."""
    one = asked(request)
    words = one.words
    base, new = _side(one, "base"), _side(one, "new")
    found = None if base is None or new is None else compare_sides(base, new)
    every = one.query.get("all") == "1"
    chart = None if found is None else forest(one, found, every=every)
    title = words("web.compare.title")
    if base is not None and new is not None:
        title = words("web.compare.title-of", base=base.treatment, new=new.treatment)
    return render(
        one,
        "compare.html.j2",
        title,
        twins=[] if found is None else [(name.upper(), _twin(one, name)) for name in ("json", "csv", "md")],
        **shown_with(words)
        | {"origin": lambda of: None if of is None else one.links.number(*_place(of, base, new))},
        base=base,
        new=new,
        found=found,
        choices=_choices(one),
        swap=with_query(one, base=one.query.get("new"), new=one.query.get("base")),
        table=None if found is None else rows_table(words, found, every=every),
        differences=None if found is None else differences_table(words, found),
        hidden=0 if found is None or every else sum(not row.matters for row in found.rows),
        show_all=with_query(one, all="1"),
        show_few=with_query(one, all=None),
        every=every,
        figure=None if chart is None else drawn_figure(chart, to_svg(chart)),
    )


def forest(one: Asked, found: Compared, *, every: bool) -> Chart | None:
    """Returns the ratios with their intervals on a logarithmic axis, and the margin as a band."""
    words = one.words
    kind = found.base.opened.judged.results.load_kind
    rows = [row for row in found.rows if every or row.matters][:MOST_BARS]
    bars = [
        Bar(
            f"{words.measure(row.measure)}, {words.load(row.load, kind)}",
            row.ratio,
            row.low,
            row.high,
            row.word,
        )
        for row in rows
        if row.ratio is not None and row.ratio > 0
    ]
    if not bars:
        return None
    names = [bar.name for bar in bars]
    values = [
        {"name": bar.name, "ratio": bar.ratio, "low": bar.low or bar.ratio, "high": bar.high or bar.ratio,
         "word": bar.word or "estimate-only"}
        for bar in bars
    ]  # fmt: skip
    x: dict[str, Any] = {
        "field": "ratio",
        "type": "quantitative",
        "scale": {"type": "log", "nice": False},
        "axis": {"title": words("web.compare.axis"), "tickCount": 6},
    }
    y = {"field": "name", "type": "nominal", "sort": names, "axis": {"title": None, "labelLimit": 360}}
    kinds = sorted({bar.word or "estimate-only" for bar in bars})
    colour = {
        "field": "word",
        "type": "nominal",
        "scale": {"domain": kinds, "range": [style.VERDICTS.get(kind, style.MUTED) for kind in kinds]},
        "legend": None,
    }
    band = {"low": 1 / (1 + found.margin), "high": 1 + found.margin}
    layers = [
        {
            "data": {"values": [band]},
            "mark": {"type": "rect", "color": style.SHADE},
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}},
        },
        {
            "data": {"values": values},
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": colour},
        },
        {
            "data": {"values": values},
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {"x": x, "y": y, "color": colour},
        },
    ]
    spec = {"width": style.WIDTH - 220, "height": {"step": 22}, "layer": layers}
    return Chart("", "ratios", words("web.compare.ratios"), words("web.compare.caption"), spec, bars)


def twin(request: Request) -> Response:
    """The comparison in another form, always with all rows."""
    one = asked(request)
    base, new = _side(one, "base"), _side(one, "new")
    if base is None or new is None:
        raise NotFound("a comparison needs base=RESULT:TREATMENT and new=RESULT:TREATMENT")
    found = compare_sides(base, new)
    tables: list[Table] = [
        rows_table(one.words, found, every=True),
        differences_table(one.words, found),
    ]
    match request.url.path.rpartition(".")[2]:
        case "csv":
            return twins.as_csv(tables[0])
        case "md":
            return twins.as_markdown(tables, one.words)
    return twins.as_json(
        {
            "base": {"rid": base.opened.rid, "treatment": base.treatment},
            "new": {"rid": new.opened.rid, "treatment": new.treatment},
            "paired": found.is_paired,
            "common_blocks": found.blocks,
            "tables": [twins.table_object(replace(table, title=table.title)) for table in tables],
        }
    )


def _side(one: Asked, name: str) -> Side | None:
    """Returns a side that the address names; None where it names none. Raises NotFound for one that is not
    there.
    """
    given = one.query.get(name, "")
    rid, colon, treatment = given.partition(":")
    if not colon:
        return None
    opened = one.site.opened(rid)
    if treatment not in opened.judged.results.treatments:
        raise NotFound(f"{rid} has no treatment {treatment}")
    return Side(opened, treatment)


def _choices(one: Asked) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns the treatments of the newest results, by result: the value for the address, and the name."""
    rows, _ = one.site.catalogue.rows()
    readable = [row for row in rows if row.is_readable and row.treatments][:MOST_RESULTS]
    return [
        (
            f"{one.words.title(dict(row.titles), row.study)} ({row.place})",
            [(f"{row.rid}:{treatment}", treatment) for treatment in row.treatments],
        )
        for row in readable
    ]


def _place(of: Any, base: Side | None, new: Side | None) -> tuple[str, str, float, str]:
    side = base if of.baseline == "base" else new
    assert side is not None
    return side.opened.rid, of.treatment, of.load, of.measure


def _twin(one: Asked, ending: str) -> str:
    query = {name: one.query[name] for name in ("base", "new")}
    return f"{one.links.compare()}.{ending}?{urlencode(query)}"


ROUTES = [
    *(Route(f"{AT}/compare.{form}", twin) for form in ("json", "csv", "md")),
    Route(AT + "/compare", page),
]
