"""The page of one number: what it is, the blocks it comes from, and the way down to the engine's events."""

from __future__ import annotations

import math
from dataclasses import asdict
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.base.numbers import with_interval
from assay.front.web import twins
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.not_found import NotFound
from assay.front.web.page import AT, PageRequest, asked, chart_twins, render
from assay.front.web.result.by_hand import loaded, sql_text
from assay.front.web.result.claims_of_number import CLAIM, GATE, claims_table
from assay.front.web.result.number_charts import BlockValue, Number, strip_chart
from assay.front.web.result.result_page import leading, target
from assay.front.web.result.run_page import doubts_of
from assay.reporting.report import (
    Chart,
    Column,
    Link,
    Material,
    Origin,
    Ratio,
    Table,
    drawn_figure,
    kept_svg,
    limits,
    named_columns,
    quantiles_of_runs,
)

_QUERY = (
    "SELECT m.block, m.run_id, m.rung, r.started_ns, m.value, m.unit"
    " FROM measures m JOIN runs r USING (run_id)"
    " WHERE m.treatment = ? AND m.load = ? AND m.measure = ? ORDER BY r.started_ns, m.block"
)


def number_in(opened: OpenResults, material: Material, treatment: str, load: float, measure: str) -> Number:
    """Returns a number of the results. Raises NotFound where nothing of the kind was measured."""
    estimate = next(
        (
            one
            for one in opened.judged.results.estimates
            if (one.treatment, one.load, one.measure) == (treatment, load, measure)
        ),
        None,
    )
    rows = opened.judged.store.cursor().execute(_QUERY, [treatment, load, measure]).fetchall()
    if not rows:
        raise NotFound("web.missing.number", measure=measure, treatment=treatment, load=f"{load:g}")
    mean = None if estimate is None else estimate.value
    values = tuple(
        BlockValue(
            block, run_id, rung, started, value, _log_ratio(value, mean), material.is_used(run_id, load)
        )
        for block, run_id, rung, started, value, _ in rows
    )
    return Number(treatment, load, measure, rows[0][-1], estimate, values)


def _log_ratio(value: float, mean: float | None) -> float | None:
    return math.log(value / mean) if mean is not None and mean > 0 and value > 0 else None


def page(request: Request) -> Response:
    """The number with its interval, its blocks as a table and as a strip, and what leads further down."""
    one, opened, found = _found(request)
    words, material = one.words, opened.material(one.language)
    name, load = words.measure(found.measure), material.load_words(found.load)
    unit = words.unit(found.unit)
    estimate = found.estimate
    shown = "–" if estimate is None else with_interval(estimate.value, estimate.low, estimate.high)
    return render(
        one,
        "number.html.j2",
        words("web.number.title", measure=name, treatment=found.treatment, load=load),
        crumbs=[
            (words("web.nav.shelf"), one.links.shelf()),
            (words.title(opened.judged.study.title, opened.judged.study.name), one.links.result(opened.rid)),
        ],
        twins=[
            (ending.upper(), _address(one, opened, found, f".{ending}"))
            for ending in ("json", "csv", "md", "svg")
        ],
        **leading(one, opened, material.words)
        | {"href": lambda link: _targets(one, opened).get(link.href) or target(one, opened, link)}
        | {"chart_file": chart_twins(one, lambda ending: _address(one, opened, found, ending))},
        rid=opened.rid,
        found=found,
        shown=shown,
        unit=unit,
        sentence=_sentence(one, found, name, load, shown, unit),
        blocks=blocks_table(one, opened, found),
        figures=[
            drawn_figure(chart, kept_svg(chart, one.site.pictures)) for chart in _charts(one, opened, found)
        ],
        claims=claims_table(one, opened, found.treatment, found.load, found.measure),
        comparisons=_comparisons(one, opened, found),
        doubts=doubts_of(one, opened, [None, *(value.run_id for value in found.values)], found.load),
        sql=_sql(found),
        python=_python(opened, found),
        interim=opened.is_interim,
    )


def _charts(one: PageRequest, opened: OpenResults, found: Number) -> list[Chart]:
    """Returns the strip of blocks; of a percentile also each run's latency by tail."""
    material = opened.material(one.language)
    strip = strip_chart(one, material, found)
    tail = None
    if found.measure in limits.PERCENTILES:
        tail = quantiles_of_runs(material, found.treatment, found.load)
    return [strip] if tail is None else [strip, tail]


def as_json(request: Request) -> Response:
    _, opened, found = _found(request)
    return twins.as_json({"rid": opened.rid, "interim": opened.is_interim, **asdict(found)})


def as_csv(request: Request) -> Response:
    one, opened, found = _found(request)
    if "chart" in one.query:
        return twins.as_chart(_charts(one, opened, found), one.query["chart"], "csv", one.site.pictures)
    return twins.as_csv(blocks_table(one, opened, found))


def as_markdown(request: Request) -> Response:
    one, opened, found = _found(request)
    return twins.as_markdown([blocks_table(one, opened, found)], one.words)


def as_svg(request: Request) -> Response:
    one, opened, found = _found(request)
    name = one.query.get("chart", "strip")
    return twins.as_chart(_charts(one, opened, found), name, "svg", one.site.pictures)


def blocks_table(one: PageRequest, opened: OpenResults, found: Number) -> Table:
    """Returns one row a run, in the order in which they ran."""
    words = one.words
    rows = []
    for value in found.values:
        events = opened.run(value.run_id).rungs[value.rung]
        rows.append(
            (
                value.block,
                Link(value.run_id, f"runs/{value.run_id}/run.json"),
                Link(words("web.number.rung", rung=value.rung), events),
                f"{datetime.fromtimestamp(value.started_ns / 1e9, UTC):%Y-%m-%d %H:%M:%S}"
                if value.started_ns
                else None,
                value.value,
                value.log_ratio,
                words("web.yes" if value.used else "web.no"),
                words.listed(
                    words.get(f"doubt.{kind}", kind) for kind in _doubted(opened, found, value.run_id)
                ),
            )
        )
    return Table(
        section="",
        name="blocks",
        title=words("web.number.blocks"),
        columns=(
            *named_columns(words, "column", block="number", run="links"),
            Column("rung", words("web.column.rung"), kind="links"),
            Column("started", words("column.started"), "UTC", kind="text"),
            Column("value", words("web.column.value"), words.unit(found.unit)),
            Column("log ratio", words("web.column.log-ratio")),
            Column("used", words("web.column.used"), kind="text"),
            Column("doubts", words("column.doubts"), kind="prose"),
        ),
        rows=tuple(rows),
        note=words("web.number.blocks-note"),
    )


def _doubted(opened: OpenResults, found: Number, run_id: str) -> list[str]:
    """Returns the kinds of doubts about a value."""
    notes = (note for note in opened.judged.results.doubts if note.run_id == run_id)
    return list(dict.fromkeys(note.kind for note in notes if note.load in (None, found.load)))


def _comparisons(one: PageRequest, opened: OpenResults, found: Number) -> Table:
    """Returns the comparisons in which the number is a side."""
    words = one.words

    return Table(
        section="",
        name="comparisons",
        title=words("web.number.compared"),
        columns=named_columns(words, "column", baseline="text", other="text", ratio="ratio", blocks="number"),
        rows=tuple(
            (
                c.baseline,
                c.other,
                Ratio(c.ratio, c.low, c.high, c.word, Origin(c.other, c.load, c.measure, c.baseline)),
                c.blocks,
            )
            for c in opened.judged.results.comparisons
            if c.load == found.load
            and c.measure == found.measure
            and found.treatment in (c.baseline, c.other)
        ),
        empty=words("web.number.not-compared"),
    )


def _targets(one: PageRequest, opened: OpenResults) -> dict[str, str]:
    return {CLAIM: f"{one.links.result(opened.rid)}#summary", GATE: one.links.gate(opened.rid)}


def _sentence(one: PageRequest, found: Number, name: str, load: str, shown: str, unit: str) -> str:
    if found.estimate is None:
        return one.words("web.number.nothing-counts", measure=name, blocks=len(found.values))
    return one.words(
        "web.number.sentence",
        measure=name,
        treatment=found.treatment,
        load=load,
        value=f"{shown} {unit}".strip(),
        blocks=len(found.estimate.blocks),
    )


def _sql(found: Number) -> str:
    return (
        "SELECT run_id, block, rung, value FROM measures\n"
        f"WHERE treatment = {sql_text(found.treatment)} AND load = {found.load!r}"
        f" AND measure = {sql_text(found.measure)}"
    )


def _python(opened: OpenResults, found: Number) -> str:
    return (
        f"{loaded(opened)}.measures({found.measure!r})"
        f".where(treatment={found.treatment!r}, load={found.load!r})"
    )


def _address(one: PageRequest, opened: OpenResults, found: Number, ending: str) -> str:
    return one.links.number(opened.rid, found.treatment, found.load, found.measure, ending)


def _found(request: Request) -> tuple[PageRequest, OpenResults, Number]:
    one = asked(request)
    given = request.path_params
    opened = one.site.opened(given["rid"])
    try:
        load = float(given["load"])
    except ValueError:
        raise NotFound("web.missing.load", load=given["load"]) from None
    found = number_in(opened, opened.material(one.language), given["treatment"], load, given["measure"])
    return one, opened, found


_AT = AT + "/r/{rid}/n/{treatment:path}/{load}/{measure}"

ROUTES = [
    Route(_AT + ".json", as_json),
    Route(_AT + ".csv", as_csv),
    Route(_AT + ".md", as_markdown),
    Route(_AT + ".svg", as_svg),
    Route(_AT, page),
]
