"""The page that sets two treatments side by side: the base on the left, what is new on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.design.study import LoadKind
from assay.front.web import twins
from assay.front.web.compare.compare_tables import differences_table, rows_table, settings_table
from assay.front.web.compare.compared import Compared, Side, compare_sides
from assay.front.web.compare.matrix import explaining, explaining_table, headline_table, hidden
from assay.front.web.links import number_text
from assay.front.web.not_found import NotFound
from assay.front.web.page import (
    AT,
    PageRequest,
    asked,
    chart_twins,
    is_zoomed,
    moment,
    render,
    shown_with,
    with_query,
)
from assay.front.web.sentences import NamedInterval, ratios_sentence, told
from assay.reporting.report import (
    Chart,
    Limit,
    Table,
    captions,
    common_loads,
    distribution_of,
    drawn_figure,
    kept_svg,
    limits,
    ratio_limits,
    ratios,
    style,
    timelines_of,
)
from assay.results.stats import around

MOST_RESULTS = 100
"""Results whose treatments stand in the lists to choose from, the newest first."""
MOST_BARS = 40
STEP = 22
LABELS = 360
"""Pixels of the name of a ratio, which is broken into lines beyond."""


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
    charts = {} if found is None else {chart.name: chart for chart in _charts(one, found)}
    drawn = {name: drawn_figure(chart, kept_svg(chart, one.site.pictures)) for name, chart in charts.items()}
    title, choices = words("web.compare.title"), _choices(one)
    if base is not None and new is not None:
        title = words("web.compare.title-of", base=_name(base, new), new=_name(new, base))
    return render(
        one,
        "compare.html.j2",
        title,
        twins=[] if found is None else [(name.upper(), _twin(one, name)) for name in ("json", "csv", "md")],
        **shown_with(words)
        | {"chart_file": chart_twins(one, lambda ending: one.links.compare() + ending)}
        | {"origin": lambda of: None if of is None else one.links.number(*_place(of, base, new))},
        base=base,
        new=new,
        found=found,
        obstacles=[words(f"web.compare.obstacle-{name}") for name in (found.obstacles if found else ())],
        choices=choices,
        chosen=_chosen(one, choices),
        swap=with_query(one, base=one.query.get("new"), new=one.query.get("base")),
        headline=None if found is None else headline_table(words, found, _kind(found)),
        explaining=None if found is None else explaining_table(words, found, _kind(found), every=every),
        settings=None if found is None else settings_table(words, found),
        differences=None if found is None else differences_table(words, found),
        hidden=0 if found is None else hidden(found, every=every),
        show_all=with_query(one, all="1"),
        show_few=with_query(one, all=None),
        every=every,
        figures=drawn,
        loads=[] if found is None else _loads(one, found),
    )


def forest(one: PageRequest, found: Compared, *, every: bool) -> Chart | None:
    """Returns the ratios with their intervals on a logarithmic axis, and the margin as a band."""
    words = one.words
    kind = _kind(found)
    shown = [row for row in found.rows if row.is_headline]
    shown += [
        row for row in explaining(found, every=every) if row.load == max(one.load for one in found.rows)
    ]
    rows = shown[:MOST_BARS]
    named = {
        (row.measure, row.load): f"{words.measure(row.measure)}, {words.load(row.load, kind)}" for row in rows
    }
    bars = [
        Bar(
            named[row.measure, row.load],
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
    width, region = style.WIDTH - 220, around(1.0, found.margin)
    reach = [region.low, region.high]
    reach += [end for bar in bars for end in (bar.low, bar.ratio, bar.high) if end]
    x = ratios.ratio_axis(reach, words("web.compare.axis"), width)
    y = {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": names},
        "axis": style.rows_axis(names, LABELS),
    }
    kinds = sorted({bar.word or "estimate-only" for bar in bars})
    colour = {
        "field": "word",
        "type": "nominal",
        "scale": {"domain": kinds, "range": [style.VERDICTS.get(kind, style.MUTED) for kind in kinds]},
        "legend": None,
    }
    layers = [
        *ratios.band(region, x, width),
        ratios.line_at_one(x),
        {
            "data": {"values": values},
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": colour},
        },
        {
            "data": {"values": values},
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {"x": {**x, "field": "ratio"}, "y": y, "color": colour},
        },
    ]
    known = [limit for limit in _limits(one, found) if (limit.measure, limit.load) in named]
    held = limits.within_reach(known, [bar.ratio for bar in bars], from_zero=False)
    layers += limits.ticks(
        [(named[of.measure, of.load], of) for of in held], x, y, words, step=STEP, middle=1.0
    )
    spec = {"width": width, "height": {"step": max(STEP, style.row_height(names, LABELS))}, "layer": layers}
    parts = {
        "points-of-ratios": True,
        "interval-lines": any(bar.low is not None for bar in bars),
        "margin-band": ratios.sees_band(region, x, width),
        "log-axis": True,
    }
    caption = captions.caption(words, parts, limits.caption(held, known, words))
    chart = Chart("", "ratios", words("web.compare.ratios"), caption, spec, bars)
    told_of = [NamedInterval(bar.name, bar.ratio, bar.low, bar.high) for bar in bars]
    return told(chart, ratios_sentence(told_of, words))


def _kind(found: Compared) -> LoadKind:
    return found.base.opened.judged.results.load_kind


def twin(request: Request) -> Response:
    """The comparison in another form, always with all rows."""
    one = asked(request)
    base, new = _side(one, "base"), _side(one, "new")
    if base is None or new is None:
        raise NotFound("web.missing.sides")
    found = compare_sides(base, new)
    ending = request.url.path.rpartition(".")[2]
    if "chart" in one.query:
        return twins.as_chart(_charts(one, found), one.query["chart"], ending, one.site.pictures)
    tables: list[Table] = [
        rows_table(one.words, found),
        differences_table(one.words, found),
        settings_table(one.words, found),
    ]
    match ending:
        case "svg":
            raise NotFound("web.missing.picture")
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
            "obstacles": list(found.obstacles),
            "tables": [twins.table_object(replace(table, title=table.title)) for table in tables],
        }
    )


def _side(one: PageRequest, name: str) -> Side | None:
    """Returns a side that the address names; None where it names none. Raises NotFound for one that is not
    there.
    """
    given = one.query.get(name, "")
    rid, colon, treatment = given.partition(":")
    if not colon:
        return None
    opened = one.site.opened(rid)
    if treatment not in opened.judged.results.treatments:
        raise NotFound("web.missing.treatment", rid=rid, treatment=treatment)
    return Side(opened, treatment)


def _charts(one: PageRequest, found: Compared) -> list[Chart]:
    """Returns the charts of a comparison: ratios, both sides second by second, latencies of both."""
    base, new = found.base, found.new
    sides = {
        _name(side, other): (side.opened.material(one.language), side.treatment)
        for side, other in ((base, new), (new, base))
    }
    charts = [forest(one, found, every=one.query.get("all") == "1")]
    if len(sides) == 2:
        load = _load(one, common_loads(sides))
        seconds = None if load is None else timelines_of(sides, load, zoom=is_zoomed(one))
        charts += [seconds, distribution_of(sides)]
    return [chart for chart in charts if chart is not None]


def _load(one: PageRequest, loads: Sequence[float]) -> float | None:
    """Returns the load point that the address names, otherwise the highest. Raises NotFound for one that the
    sides do not have in common.
    """
    given = one.query.get("load")
    if given is None:
        return max(loads, default=None)
    found = next((load for load in loads if number_text(load) == given), None)
    if found is None:
        raise NotFound("web.missing.common-load", load=given)
    return found


def _loads(one: PageRequest, found: Compared) -> list[tuple[str, str, bool]]:
    """Returns the load points that both sides have: its words, its address, and whether it is shown."""
    materials = [side.opened.material(one.language) for side in (found.base, found.new)]
    loads = common_loads({str(number): (material, "") for number, material in enumerate(materials)})
    shown = _load(one, loads)
    return [
        (materials[0].load_words(load), with_query(one, load=number_text(load)), load == shown)
        for load in loads
    ]


def _limits(one: PageRequest, found: Compared) -> list[Limit]:
    """Returns the limits of ratios of the sides, where both are of one study."""
    if not found.is_paired:
        return []
    material = found.base.opened.material(one.language)
    return ratio_limits(material, found.new.treatment, found.base.treatment)


def _name(side: Side, other: Side) -> str:
    """Returns the name of a side; where both have the same treatment, with the time of its result."""
    if side.treatment != other.treatment:
        return side.treatment
    return f"{side.treatment} ({moment(side.opened.row.created_ns)})"


def _chosen(one: PageRequest, choices: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> dict[str, str]:
    """Returns what each list has chosen: what the address says, otherwise two sides that differ."""
    values = [value for _, treatments in choices for value, _ in treatments]
    found: dict[str, str] = {}
    for name, other in (("base", "new"), ("new", "base")):
        taken = {one.query.get(other), *found.values()}
        free = next((value for value in values if value not in taken), "")
        found[name] = one.query.get(name) or free
    return found


def _choices(one: PageRequest) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns the treatments of the newest results, by result: the value for the address, and the name with
    the time of the result, since a list that is closed shows no more.
    """
    rows, _ = one.site.catalogue.rows()
    readable = [row for row in rows if row.is_readable and row.treatments][:MOST_RESULTS]
    return [
        (
            f"{one.words.title(dict(row.titles), row.study)} ({row.place})",
            [
                (f"{row.rid}:{treatment}", f"{treatment} · {moment(row.created_ns)}")
                for treatment in row.treatments
            ],
        )
        for row in readable
    ]


def _place(of: Any, base: Side | None, new: Side | None) -> tuple[str, str, float, str]:
    side = base if of.baseline == "base" else new
    assert side is not None
    return side.opened.rid, of.treatment, of.load, of.measure


def _twin(one: PageRequest, ending: str) -> str:
    query = {name: one.query[name] for name in ("base", "new")}
    return f"{one.links.compare()}.{ending}?{urlencode(query)}"


ROUTES = [
    *(Route(f"{AT}/compare.{form}", twin) for form in ("json", "csv", "md", "svg")),
    Route(AT + "/compare", page),
]
