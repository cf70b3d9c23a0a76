"""The page of one run: its load points, what changed meanwhile, its server's log, its doubts."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.base.printable import visible
from assay.design.folder import Manifest, RungEntry, length_of, read_manifest
from assay.front.web import twins
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.page import AT, PageRequest, asked, moment, render
from assay.front.web.result.by_hand import loaded, sql_text
from assay.front.web.result.result_page import leading
from assay.reporting.report import Column, Figure, Link, Origin, Table, explain_doubt, named_columns
from assay.results.verdict import by_severity

LOG_BYTES = 40_000
"""The end of a server's log that a page shows."""

RUN = AT + "/r/{rid}/run/{run_id}"


def run_page(request: Request) -> Response:
    """What the run was: its load points, what changed meanwhile, its server's log, its doubts."""
    one, opened, manifest = run_asked(request)
    rid = opened.rid
    tables = run_tables(one, opened, manifest)
    return render(
        one,
        "run.html.j2",
        manifest.run_id,
        crumbs=crumbs_to(one, opened),
        twins=[(name.upper(), one.links.run(rid, manifest.run_id, f".{name}")) for name in ("json", "md")],
        **leading(one, opened, opened.material(one.language).words),
        rid=rid,
        facts=_facts(one, manifest),
        manifest=manifest,
        tables=tables,
        failure=manifest.failure,
        doubts=doubts_of(one, opened, [manifest.run_id], None),
        log=_log_end(opened, manifest.run_id),
        files=sorted((name, length_of(written)) for name, written in manifest.files.items()),
        moment=moment,
        sql="SELECT rung, load, measure, value FROM measures\n"
        f"WHERE run_id = {sql_text(manifest.run_id)} ORDER BY rung, measure",
        python=f"{loaded(opened)}.measures().where(run_id={manifest.run_id!r})",
    )


def run_tables(one: PageRequest, opened: OpenResults, manifest: Manifest) -> list[Table]:
    """Returns the load points, the variables that the study set, and the facts that changed during the
    run.
    """
    words = one.words
    store = opened.judged.store.cursor()
    subject = opened.judged.study.subject
    measures = {
        (rung, measure): value
        for rung, measure, value in store.execute(
            "SELECT rung, measure, value FROM measures"
            " WHERE run_id = ? AND measure IN (?, 'p95_ms', 'p99_ms')",
            [manifest.run_id, subject.throughput],
        ).fetchall()
    }
    rungs = tuple(
        (
            Link(str(number), f"runs/{manifest.run_id}/{entry.dir}/events.jsonl"),
            entry.load,
            words.get(f"word.{entry.status}", entry.status),
            *(figure_of_run(measures.get((number, name)), manifest, entry, name) for name in _shown(opened)),
        )
        for number, entry in enumerate(manifest.rungs, start=1)
    )
    changed = store.execute(
        "SELECT scope, key, max(value) FILTER (WHERE moment = 'before') AS was,"
        " max(value) FILTER (WHERE moment = 'after') AS became FROM facts"
        " WHERE run_id = ? AND moment IN ('before', 'after') GROUP BY scope, key"
        " HAVING was IS NOT NULL AND became IS NOT NULL AND was <> became ORDER BY scope, key",
        [manifest.run_id],
    ).fetchall()
    return [
        Table(
            "", "rungs", words("web.run.rungs"),
            (
                *named_columns(words, "web.column", rung="links", load="number"),
                Column("status", words("column.status"), kind="text"),
                *(Column(name, words.measure(name)) for name in _shown(opened)),
            ),
            rungs,
            empty=words("web.run.no-rungs"),
        ),
        Table(
            "", "variables", words("web.run.variables"),
            (
                Column("variable", words("column.variable"), kind="code"),
                Column("value", words("web.column.value"), kind="text"),
            ),
            tuple((name, str(value)) for name, value in manifest.variables.items()),
            empty=words("web.run.no-variables"),
        ),
        Table(
            "", "changed", words("web.run.changed"),
            (
                *named_columns(words, "column", scope="text", fact="code", before="text", after="text"),
            ),
            tuple(changed),
            empty=words("web.run.unchanged"),
            folded=len(changed) > 12,
        ),
    ]  # fmt: skip


def run_json(request: Request) -> Response:
    one, opened, manifest = run_asked(request)
    tables = [twins.table_object(table) for table in run_tables(one, opened, manifest)]
    return twins.as_json({"rid": opened.rid, "manifest": msgspec.to_builtins(manifest), "tables": tables})


def run_markdown(request: Request) -> Response:
    one, opened, manifest = run_asked(request)
    return twins.as_markdown(run_tables(one, opened, manifest), one.words)


def run_asked(request: Request) -> tuple[PageRequest, OpenResults, Manifest]:
    one = asked(request)
    opened = one.site.opened(request.path_params["rid"])
    place = opened.run(request.path_params["run_id"])
    return one, opened, read_manifest(opened.folder.run(place.run_id))


def _shown(opened: OpenResults) -> tuple[str, ...]:
    return (opened.judged.study.subject.throughput, "p95_ms", "p99_ms")


def figure_of_run(value: float | None, manifest: Manifest, entry: RungEntry, measure: str) -> Figure | None:
    if value is None:
        return None
    return Figure(value, of=Origin(manifest.treatment, entry.load, measure))


def crumbs_to(one: PageRequest, opened: OpenResults) -> list[tuple[str, str]]:
    study = opened.judged.study
    return [
        (one.words("web.nav.shelf"), one.links.shelf()),
        (one.words.title(study.title, study.name), one.links.result(opened.rid)),
    ]


def _facts(one: PageRequest, manifest: Manifest) -> list[tuple[str, str]]:
    words = one.words
    server = " ".join(str(manifest.server[key]) for key in ("flavour", "version") if key in manifest.server)
    pairs = (
        (words("column.treatment"), manifest.treatment),
        (words("column.block"), f"{manifest.block}, {words('web.run.position', position=manifest.position)}"),
        (words("column.status"), words.get(f"word.{manifest.status}", manifest.status)),
        (
            words("column.started"),
            f"{moment(manifest.started_wall_ns)} UTC" if manifest.started_wall_ns else "",
        ),
        (words("column.duration"), _seconds(manifest)),
        (words("web.run.server"), server),
        (words("web.run.workload"), manifest.workload),
        (words("web.run.tools"), ", ".join(f"{name} {version}" for name, version in manifest.tools.items())),
    )
    return [(name, value) for name, value in pairs if value]


def _seconds(manifest: Manifest) -> str:
    if not manifest.started_wall_ns:
        return ""
    return f"{(manifest.ended_wall_ns - manifest.started_wall_ns) / 1e9:.1f} s"


def doubts_of(
    one: PageRequest, opened: OpenResults, runs: Collection[str | None], load: float | None
) -> list[tuple[str, str, str, str | None]]:
    """Returns the severity, name, sentence and run of each doubt about these runs, the most serious first.

    `runs` holds None for doubts that are about all runs; without `load`, those of every load point count.
    """
    words = one.words
    return [
        (note.severity, words.get(f"doubt.{note.kind}", note.kind), explain_doubt(words, note), note.run_id)
        for note in by_severity(opened.judged.results.doubts)
        if note.run_id in runs and (load is None or note.load in (None, load))
    ]


def _log_end(opened: OpenResults, run_id: str) -> str | None:
    """Returns the end of the server's log; None where there is none."""
    file = opened.folder.run(run_id).server_log
    try:
        with file.open("rb") as log:
            size = file.stat().st_size
            log.seek(max(0, size - LOG_BYTES))
            text = log.read().decode("utf-8", errors="replace")
    except OSError:
        return None
    return visible(text if size <= LOG_BYTES else text.partition("\n")[2])


ROUTES = [
    Route(RUN + ".json", run_json),
    Route(RUN + ".md", run_markdown),
    Route(RUN, run_page),
]
