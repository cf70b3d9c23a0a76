"""The page of one load point of a run: its measures, its seconds, its errors, its job."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.base.tally import decode_many
from assay.design.folder import Manifest, RungEntry, read_job
from assay.front.web import twins
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.not_found import NotFound
from assay.front.web.page import PageRequest, chart_twins, is_zoomed, render
from assay.front.web.result.by_hand import loaded, sql_text
from assay.front.web.result.event_lines import Line, event_lines
from assay.front.web.result.result_page import leading, target
from assay.front.web.result.run_page import RUN, crumbs_to, doubts_of, figure_of_run, run_asked
from assay.front.web.sentences import seconds_sentence, told
from assay.reporting.report import (
    Chart,
    Column,
    Limit,
    Link,
    Table,
    captions,
    drawn_figure,
    heat_of_run,
    kept_svg,
    level_limits,
    limits,
    quantiles_of_runs,
    style,
)


@dataclass(frozen=True)
class Second:
    """One interval of a load point, `seconds` long from `t_s` on; `series` says whose: this one, or another
    block's.
    """

    series: str
    block: int
    t_s: float
    seconds: float
    tps: float | None
    p95_ms: float | None


def rung_page(request: Request) -> Response:
    """One load point of a run: its measures, its seconds, its errors, its job."""
    one, opened, manifest = run_asked(request)
    number, entry = rung_asked(request, manifest)
    words, rid = one.words, opened.rid
    charts = charts_of(one, opened, manifest, number, entry)
    seconds = seconds_table(one, opened, manifest, number, entry)
    tables = [
        measures_table(one, opened, manifest, number, entry),
        labels_table(one, opened, manifest, number),
        errors_table(one, opened, manifest, number),
    ]
    run = opened.folder.run(manifest.run_id)
    return render(
        one,
        "rung.html.j2",
        words(
            "web.rung.title", load=opened.material(one.language).load_words(entry.load), run=manifest.run_id
        ),
        crumbs=[*crumbs_to(one, opened), (manifest.run_id, one.links.run(rid, manifest.run_id))],
        twins=[
            (name.upper(), one.links.rung(rid, manifest.run_id, number, f".{name}"))
            for name in ("json", "csv", "md", "svg")
        ],
        **leading(one, opened, opened.material(one.language).words)
        | {"href": lambda link: _target(one, opened, manifest, number, link)}
        | {
            "chart_file": chart_twins(
                one, lambda ending: one.links.rung(rid, manifest.run_id, number, ending)
            )
        },
        rid=rid,
        manifest=manifest,
        number_of_rung=number,
        entry=entry,
        figures=[drawn_figure(each, kept_svg(each, one.site.pictures)) for each in charts],
        sql="SELECT t_s, tps, p50_ms, p95_ms, p99_ms FROM intervals\n"
        f"WHERE run_id = {sql_text(manifest.run_id)} AND rung = {number} ORDER BY t_s",
        python=f"{loaded(opened)}.seconds({manifest.run_id!r}).where(rung={number})",
        seconds=seconds,
        tables=tables,
        doubts=doubts_of(one, opened, [manifest.run_id], entry.load),
        job=json.dumps(read_job(run, entry.dir), indent=1, ensure_ascii=False),
        has_events=(run.rung_at(entry.dir).events).is_file(),
    )


def charts_of(
    one: PageRequest, opened: OpenResults, manifest: Manifest, number: int, entry: RungEntry
) -> list[Chart]:
    """Returns the charts of a load point of a run: its seconds, its heat map, its latency by tail."""
    material = opened.material(one.language)
    found = (
        seconds_chart(one, opened, manifest, number, entry),
        heat_of_run(material, manifest.treatment, entry.load, manifest.block),
        quantiles_of_runs(material, manifest.treatment, entry.load, manifest.run_id),
    )
    return [chart for chart in found if chart is not None]


def measures_table(
    one: PageRequest, opened: OpenResults, manifest: Manifest, number: int, entry: RungEntry
) -> Table:
    """Returns every measure of a load point of a run, each leading to the number that it is a block of."""
    rows = (
        opened.judged.store.cursor()
        .execute(
            "SELECT measure, unit, value FROM measures WHERE run_id = ? AND rung = ? ORDER BY measure",
            [manifest.run_id, number],
        )
        .fetchall()
    )
    words = one.words
    return Table(
        "", "measures", words("web.rung.measures"),
        (
            Column("measure", words("column.measure"), kind="text"),
            Column("name", words("web.column.name"), kind="code"),
            Column("unit", words("column.unit"), kind="text"),
            Column("value", words("web.column.value")),
        ),
        tuple(
            (words.measure(name), name, words.unit(unit), figure_of_run(value, manifest, entry, name))
            for name, unit, value in rows
        ),
        empty=words("web.rung.no-measures"),
        folded=len(rows) > 40,
    )  # fmt: skip


def labels_table(one: PageRequest, opened: OpenResults, manifest: Manifest, number: int) -> Table:
    """Returns the times of each kind of statement, decoded from the histograms of the result."""
    words = one.words
    rows = (
        opened.judged.store.cursor()
        .execute(
            "SELECT label, kind, count, hdr FROM histograms"
            " WHERE run_id = ? AND rung = ? ORDER BY label, kind",
            [manifest.run_id, number],
        )
        .fetchall()
    )
    shares = (0.5, 0.95, 0.99, 0.999, 1.0)
    times = [
        [float(ns) / 1e6 for ns in found.percentiles(shares)]
        for found in decode_many([row[3] for row in rows])
    ]
    return Table(
        "", "labels", words("web.rung.labels"),
        (
            Column("label", words("column.statement"), kind="code"),
            Column("kind", words("web.column.time"), kind="text"),
            Column("count", words("column.count")),
            *(Column(name, name, "ms") for name in ("p50", "p95", "p99", "p99.9", "max")),
        ),
        tuple((*row[:3], *found) for row, found in zip(rows, times, strict=True)),
        empty=words("web.rung.no-labels"),
    )  # fmt: skip


def errors_table(one: PageRequest, opened: OpenResults, manifest: Manifest, number: int) -> Table:
    """Returns the errors by the server's code."""
    words = one.words
    rows = (
        opened.judged.store.cursor()
        .execute(
            "SELECT code, count FROM error_counts WHERE run_id = ? AND rung = ? ORDER BY count DESC",
            [manifest.run_id, number],
        )
        .fetchall()
    )
    return Table(
        "", "errors", words("section.errors"),
        (Column("code", words("column.code")), Column("count", words("column.count"))),
        tuple((str(code), count) for code, count in rows),
        empty=words("web.rung.no-errors"),
    )  # fmt: skip


def seconds_table(
    one: PageRequest, opened: OpenResults, manifest: Manifest, number: int, entry: RungEntry
) -> Table:
    """Returns one row an interval; its place in the file of events is the link."""
    words = one.words
    rows = (
        opened.judged.store.cursor()
        .execute(
            'SELECT phase, "index", t_s, seconds, tps, p50_ms, p95_ms, p99_ms, errors, in_flight'
            " FROM intervals WHERE run_id = ? AND rung = ? ORDER BY t_s",
            [manifest.run_id, number],
        )
        .fetchall()
    )
    lines = lines_of(opened, manifest.run_id, entry)
    at = {(line.phase, line.index): line.offset for line in lines if line.event == "interval"}
    made = []
    for phase, index, t_s, seconds, *figures in rows:
        offset = at.get((phase, index))
        where = Link(str(offset), str(offset)) if offset is not None else None
        made.append((t_s, words.get(f"web.phase.{phase}", phase), seconds, *figures, where))
    return Table(
        "", "seconds", words("web.rung.seconds"),
        (
            Column("t", words("web.column.t"), "s"),
            Column("phase", words("web.column.phase"), kind="text"),
            Column("seconds", words("column.duration"), "s"),
            Column("tps", words.measure("tps"), "1/s"),
            *(Column(name, name.removesuffix("_ms"), "ms") for name in ("p50_ms", "p95_ms", "p99_ms")),
            Column("errors", words("section.errors")),
            Column("in flight", words("web.column.in-flight")),
            Column("byte", words("web.column.byte"), kind="links"),
        ),
        tuple(made),
        empty=words("web.rung.no-seconds"),
        folded=len(made) > 120,
    )  # fmt: skip


def seconds_chart(
    one: PageRequest, opened: OpenResults, manifest: Manifest, number: int, entry: RungEntry
) -> Chart | None:
    """Returns throughput and p95 by second, with the same load of the treatment in other blocks behind."""
    words = one.words
    rows = (
        opened.judged.store.cursor()
        .execute(
            "SELECT run_id, block, t_s, seconds, tps, p95_ms FROM intervals WHERE treatment = ? AND load = ?"
            " AND phase IN ('warmup', 'measure') ORDER BY block, t_s",
            [manifest.treatment, entry.load],
        )
        .fetchall()
    )
    this, others = words("web.rung.this"), words("web.rung.others")
    records = [
        Second(this if run_id == manifest.run_id else others, block, t_s, seconds, tps, p95)
        for run_id, block, t_s, seconds, tps, p95 in rows
    ]
    if not any(record.series == this for record in records):
        return None
    every = level_limits(
        opened.material(one.language), ["tps", "p95_ms"], treatment=manifest.treatment, load=entry.load
    )
    held = {
        name: limits.within_reach(
            (limit for limit in every if limit.measure == name),
            [value for record in records if (value := getattr(record, name)) is not None],
        )
        for name in ("tps", "p95_ms")
    }
    panels = [
        _panel(one, records, name, unit, (this, others), held[name])
        for name, unit in (("tps", "1/s"), ("p95_ms", "ms"))
    ]
    spec = {"vconcat": panels, "spacing": 16}
    title = words("web.rung.seconds")
    parts = {
        "this-load": True,
        "other-blocks": any(record.series == others for record in records),
        "before-zero": any(record.t_s < 0 for record in records),
    }
    drawn = [*held["tps"], *held["p95_ms"]]
    caption = captions.caption(words, parts, limits.caption(drawn, every, words))
    chart = Chart("", "seconds", title, caption, spec, records)
    rates = [
        (one.t_s, one.tps)
        for one in records
        if one.series == this and one.tps is not None and one.t_s >= 0  # not the warm-up
    ]
    return told(chart, seconds_sentence(rates, words)) if rates else chart


def _panel(
    one: PageRequest,
    records: Sequence[Second],
    name: str,
    unit: str,
    series: tuple[str, str],
    held: Sequence[Limit],
) -> dict[str, Any]:
    (this, others), words = series, one.words
    title = words.with_unit(words.measure(name), words.unit(unit))
    x = {"field": "at", "type": "quantitative", "axis": {"title": words("chart.seconds"), "grid": False}}
    y = {
        "field": name,
        "type": "quantitative",
        "scale": {"zero": not is_zoomed(one)},
        "axis": {"title": title, "tickCount": 4},
    }

    def line(wanted: str, colour: str, width: float) -> dict[str, Any]:
        values = [
            {"at": record.t_s + record.seconds / 2, name: getattr(record, name), "block": record.block}
            for record in records
            if record.series == wanted
        ]
        return {
            "data": {"values": values},
            "mark": {
                "type": "line",
                "color": colour,
                "strokeWidth": width,
                "point": {"color": colour} if wanted == this else False,
            },
            "encoding": {"x": x, "y": y, "detail": {"field": "block", "type": "nominal"}},
        }

    return {
        "width": style.WIDTH,
        "height": 150,
        "layer": [
            line(others, style.AXIS, 1),
            line(this, style.SERIES[0], 1.8),
            *limits.rules(held, "y", y, words, end=style.WIDTH),
        ],
    }


def rung_twin(request: Request) -> Response:
    """The measures of a load point as JSON, its seconds as CSV, both as Markdown, the picture as SVG."""
    one, opened, manifest = run_asked(request)
    number, entry = rung_asked(request, manifest)
    if "chart" in one.query:
        charts = charts_of(one, opened, manifest, number, entry)
        ending = request.path_params["ending"]
        return twins.as_chart(charts, one.query["chart"], ending, one.site.pictures)
    measures = measures_table(one, opened, manifest, number, entry)
    seconds = seconds_table(one, opened, manifest, number, entry)
    match request.path_params["ending"]:
        case "json":
            return twins.as_json(
                {
                    "rid": opened.rid,
                    "run_id": manifest.run_id,
                    "rung": number,
                    "load": entry.load,
                    "tables": [twins.table_object(measures), twins.table_object(seconds)],
                }
            )
        case "csv":
            return twins.as_csv(seconds)
        case "md":
            return twins.as_markdown([measures, seconds], one.words)
        case "svg":
            chart = seconds_chart(one, opened, manifest, number, entry)
            if chart is not None:
                return twins.as_svg(kept_svg(chart, one.site.pictures))
    raise NotFound("web.missing.rung-form")


def _target(one: PageRequest, opened: OpenResults, manifest: Manifest, number: int, link: Link) -> str | None:
    """Returns the page of a link: of a place in the file of events, or of the report."""
    if link.href.isdigit():
        return one.links.events(opened.rid, manifest.run_id, number, int(link.href))
    return target(one, opened, link)


def rung_asked(request: Request, manifest: Manifest) -> tuple[int, RungEntry]:
    number = request.path_params["rung"]
    if not 1 <= number <= len(manifest.rungs):
        raise NotFound("web.missing.rung", run=manifest.run_id, number=number)
    return number, manifest.rungs[number - 1]


def lines_of(opened: OpenResults, run_id: str, entry: RungEntry) -> Sequence[Line]:
    file = opened.folder.run(run_id).rung_at(entry.dir).events
    return event_lines(file) if file.is_file() else ()


ROUTES = [
    Route(RUN + "/{rung:int}.{ending}", rung_twin),
    Route(RUN + "/{rung:int}", rung_page),
]
