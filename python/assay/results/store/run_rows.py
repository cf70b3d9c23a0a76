"""Turns one run folder into rows of every table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple

import msgspec
import numpy as np

from assay.base.decoding import any_json, reading
from assay.base.doubts import statements_of
from assay.base.inner_path import InnerPath
from assay.base.tally import cells_of_times, decode_many
from assay.design.folder import (
    PROFILE,
    WHOLE,
    Damaged,
    Interval,
    LabelTimes,
    Loss,
    Manifest,
    RunFolder,
    RungEntry,
    RunResult,
    again,
    damaged,
    losses,
    read_manifest,
    read_plans,
    succeeded,
)
from assay.design.study import level_text
from assay.results.ledger import MeasuredLoad, watched_load
from assay.results.store.facts import flatten
from assay.results.store.file_jobs import file_jobs
from assay.results.store.identity import identity
from assay.results.store.imported_rows import add_imported
from assay.results.store.measures import Measure, rung_measures, volume_measures
from assay.results.store.profiles import source_rows, watched_measures
from assay.results.store.rung import Rung, read_rung
from assay.results.store.series import Series, read_series
from assay.results.store.tables import Rows
from assay.results.store.times import response_of

_FACTS = [(scope, moment) for scope in ("host", "server") for moment in ("before", "after")]

_VOLUME = re.compile(r"/[^\s\"]*/assay-\d+-\d+-\d+-volume/mounted")
"""Mount point of a run's own volume, which differs in every run and means the same."""


def add_run(rows: Rows, folder: RunFolder) -> None:
    """Adds the rows of a finished run. A failed run has rows in every table but `measures`."""
    manifest = read_manifest(folder)
    if manifest.imported is not None:
        add_imported(rows, folder, manifest, manifest.imported)
        return
    lost = losses(folder, manifest)
    facts = {place: _facts_in(folder, *place, lost) for place in _FACTS}
    _run(rows, manifest, folder, facts["host", "before"])
    _losses(rows, manifest, lost)
    samples = dict(_series_of(folder, lost))
    session: dict[str, str] = {}
    for series in samples.values():
        _samples(rows, manifest, series)
    for number, entry in enumerate(manifest.rungs, start=1):
        with _reading(folder, folder.rung_at(entry.dir).events):
            rung = _rung_of(folder, number, entry, lost)
            measured = _load_point(rows, manifest, folder, rung, samples)
        _ledger(rows, manifest, folder, rung, measured, lost)
        session = session or ({} if rung.result is None else dict(rung.result.session))
    _doubts_of_lab(rows, manifest)
    _volume(rows, manifest)
    for (scope, moment), found in {**facts, ("session", "before"): session}.items():
        rows.extend("facts", ((manifest.run_id, scope, moment, key, value) for key, value in found.items()))
    _settings(rows, manifest)
    _plans(rows, manifest, folder, lost)


def _reading(folder: RunFolder, file: InnerPath) -> AbstractContextManager[None]:
    return reading(file, hint=again(folder.path), kind=Damaged)


def _load_point(
    rows: Rows, manifest: Manifest, folder: RunFolder, rung: Rung, samples: dict[str, Series]
) -> list[Measure]:
    """Adds the rows of a rung in all tables, and returns its measures: those of a complete run only."""
    _rung(rows, manifest, rung, _from_results(folder.rung_at(rung.entry.dir).events, folder))
    where = _where(manifest, rung)
    rows.extend("file_jobs", ((*where, *row) for row in file_jobs(rung.job)))
    _intervals(rows, manifest, rung)
    _kinds(rows, manifest, rung)
    _rates(rows, manifest, rung, samples)
    _moments(rows, manifest, rung)
    _traces(rows, manifest, rung)
    _found(rows, manifest, rung)
    if manifest.status == "complete":
        cpus = manifest.server.get("cpus")
        measures = [
            *rung_measures(rung, samples, None if cpus is None else str(cpus)),
            *volume_measures(manifest.volume),
        ]
        rows.extend("measures", ((*where, m.name, m.unit, m.value, m.at_least, m.few) for m in measures))
        return measures
    return []


def _ledger(
    rows: Rows,
    manifest: Manifest,
    folder: RunFolder,
    rung: Rung,
    measures: Sequence[Measure],
    lost: Sequence[Loss],
) -> None:
    """Adds the lines of what was watched after a measured window; none of files that changed since, or that
    cannot be read: what was measured does not rest on them.
    """
    if not measures:
        return
    place = rung.entry.dir
    gone = {loss.file.rpartition("/")[2]: loss.what for loss in lost if _is_beside(loss.file, place)}
    figures = {measure.name: measure.value for measure in measures}
    measured = MeasuredLoad(rung.entry.load, rung.entry.kind, figures)
    watched, where = watched_load(folder.rung_at(place), measured, gone), _where(manifest, rung)
    if watched is None:
        return
    rows.extend(
        "ledger_lines",
        ((*where, one.ledger, one.group, one.line, one.amount, one.unit) for one in watched.lines),
    )
    rows.extend("profile_frames", ((*where, *astuple(one)) for one in watched.frames))
    rows.extend("profile_sources", ((*where, *row) for row in source_rows(watched)))
    if watched.window is not None:
        for effect in watched_measures(watched.window, measured):
            rows.add("measures", *where, effect.name, effect.unit, effect.value, False, False)


def _is_beside(file: str, rung: str) -> bool:
    """Returns whether a file is one of a rung's profile window."""
    return file.startswith(f"{rung}/{PROFILE}/")


def _moments(rows: Rows, manifest: Manifest, rung: Rung) -> None:
    """Adds rows for moments that were recorded; `t_s` is on the load's time line, null where there was no
    load.
    """
    window = rung.window_ns()
    for moment in (moment for found in rung.found for moment in found.moments):
        t_s = None if window is None else (moment.at_wall_ns - window[0]) / 1e9
        rows.add("moments", *_where(manifest, rung), moment.name, moment.at_wall_ns, t_s)


def _traces(rows: Rows, manifest: Manifest, rung: Rung) -> None:
    """Adds rows for recorded series over time; `t_s` is as in `_moments`."""
    where, window = _where(manifest, rung), rung.window_ns()
    for trace in (trace for found in rung.found for trace in found.traces):
        for at_ns, value in zip(trace.at_wall_ns, trace.values, strict=True):
            t_s = None if window is None else (at_ns - window[0]) / 1e9
            rows.add("traces", *where, trace.name, trace.unit, at_ns, t_s, value)


def _found(rows: Rows, manifest: Manifest, rung: Rung) -> None:
    """Adds rows for findings that are no numbers."""
    facts = (fact for found in rung.found for fact in found.facts.items())
    rows.extend("facts", ((manifest.run_id, "experiment", "after", key, value) for key, value in facts))


def _losses(rows: Rows, manifest: Manifest, lost: Sequence[Loss]) -> None:
    """Adds rows for lost files, with a rung where its figures rest on the file."""
    numbers = {entry.dir: (number, entry.load) for number, entry in enumerate(manifest.rungs, start=1)}
    for loss in lost:
        number, load = (None, None) if loss.rung is None else numbers[loss.rung]
        rows.add("losses", *_who(manifest), number, load, loss.file, loss.what)


def _rung_of(folder: RunFolder, number: int, entry: RungEntry, lost: Sequence[Loss]) -> Rung:
    """Returns the rung; an empty one when its figures are lost: nothing is read of files that changed."""
    if any(loss.rung == entry.dir for loss in lost):
        return Rung(number, entry, {})
    return read_rung(folder, number, entry)


def _series_of(folder: RunFolder, lost: Sequence[Loss]) -> Iterator[tuple[str, Series]]:
    for path in folder.sampled():
        if not _among(folder, path, lost):
            with _reading(folder, path):
                series = read_series(path)
            yield path.stem, series


def _among(folder: RunFolder, file: InnerPath, lost: Sequence[Loss]) -> bool:
    return folder.inside(file) in {loss.file for loss in lost}


def _who(manifest: Manifest) -> tuple[str, str, int]:
    return manifest.run_id, manifest.treatment, manifest.block


def _where(manifest: Manifest, rung: Rung) -> tuple[str, str, int, int, float]:
    return *_who(manifest), rung.number, rung.entry.load


def _run(rows: Rows, m: Manifest, folder: RunFolder, host: Mapping[str, str]) -> None:
    failure = m.failure
    why = (failure.kind, failure.message, failure.hint, failure.detail) if failure else (None,) * 4
    rows.add(
        "runs",
        *_who(m),
        m.position,
        m.status,
        m.seed,
        m.started_wall_ns,
        m.ended_wall_ns,
        *why,
        m.workload,
        *identity(m, host),
        _from_results(folder.manifest, folder),
        m.fleet_host,
        None,
    )
    for factor, level in m.levels.items():
        rows.add("levels_by_run", m.run_id, m.treatment, factor, level_text(level))


def _from_results(file: InnerPath, folder: RunFolder) -> str:
    """Returns a file's path relative to the results folder, in whose `runs` the run's folder lies."""
    return file.relative_to(folder.path.parents[1]).as_posix()


def _rung(rows: Rows, manifest: Manifest, rung: Rung, events: str) -> None:
    result, hello, window = rung.result, rung.hello, rung.window_ns() or (None, None)
    if result:
        counts: tuple[object, ...] = (
            result.elapsed_s, result.transactions, result.queries, result.reads, result.writes, result.other,
            sum(result.errors.values()), result.retries, result.failed, result.reconnects, result.dropped,
        )  # fmt: skip
        shares = result.connections
        engine: tuple[object, ...] = (
            shares.count, shares.min, shares.mean, shares.max, *_terminals(result),
            result.engine.user_us, result.engine.system_us, result.engine_total.rss_bytes,
        )  # fmt: skip
        end: tuple[object, ...] = (result.warmup_s, result.drained, result.abandoned)
        statements = _statements(result)
        where = _where(manifest, rung)
        rows.extend("error_counts", ((*where, code, count) for code, count in result.errors.items()))
        for label, times in result.labels.items():
            for kind in ("service", "wait", "response"):
                if text := getattr(times, kind):
                    rows.add("histograms", *where, label, kind, times.count, text)
    else:
        counts, engine, end, statements = (None,) * 11, (None,) * 10, (None,) * 3, (None,) * 5
    rows.add(
        "rungs", *_who(manifest), rung.number, rung.entry.kind, rung.entry.load, *window, *counts, *engine,
        hello.threads if hello else None, hello.build if hello else None, *end,
        bool(result and result.complete and rung.entry.status == "complete"), *statements, events,
    )  # fmt: skip
    for doubt in rung.doubts:
        rows.add("doubts", *_where(manifest, rung), doubt.kind, doubt.message, doubt.value, doubt.limit)


def _terminals(result: RunResult) -> tuple[object, object, object]:
    """Returns the number of terminals that share connections, and their fewest and mean transactions."""
    found = result.terminals
    return (None,) * 3 if found is None else (found.count, found.min, found.mean)


def _statements(result: RunResult) -> tuple[object, ...]:
    """Returns the columns about statements that were sent and counted."""
    found = statements_of(result)
    if found is None:
        return (None,) * 5
    return found.sent, found.counted, found.unsure, found.goodbyes, found.elapsed_s


_MIB = 1 << 20
_NOTHING = LabelTimes(count=0, service="")


def _intervals(rows: Rows, manifest: Manifest, rung: Rung) -> None:
    times = [interval.labels.get(WHOLE, _NOTHING) for interval in rung.intervals]
    histograms = iter(decode_many([response_of(t) for t in times if t.count]))
    origin = (rung.window_ns() or (0, 0))[0]
    where = _where(manifest, rung)
    for interval, time in zip(rung.intervals, times, strict=True):
        start = rung.epoch_ns + interval.start_ns
        seconds = (interval.end_ns - interval.start_ns) / 1e9
        latency: tuple[float | None, ...] = (None,) * 4
        if time.count:
            histogram = next(histograms)
            percentiles = (histogram.percentiles((0.5, 0.95, 0.99)) / 1e6).tolist()
            latency = (histogram.mean / 1e6, *percentiles)
            t_s, cells = (start - origin) / 1e9, cells_of_times(histogram)
            rows.add("heat", *where, interval.phase, t_s, seconds, histogram.max / 1e6, *cells)
        done = (interval.transactions, interval.queries)
        rate = [count / seconds if seconds > 0 else None for count in done]
        rows.add(
            "intervals", *where, interval.phase, interval.index, start, (start - origin) / 1e9, seconds,
            *rate, *latency, response_of(time) if time.count else None, sum(interval.errors.values()),
            interval.in_flight, interval.queued,
            interval.engine.user_us + interval.engine.system_us, *_moved(interval, seconds),
        )  # fmt: skip


def _kinds(rows: Rows, manifest: Manifest, rung: Rung) -> None:
    """Adds the rate of successful transactions of each kind as a series; `t_s` is the start of an
    interval.
    """
    seen = [(one, (one.end_ns - one.start_ns) / 1e9) for one in rung.intervals if one.kinds]
    origin, names = rung.window_ns(), sorted({name for one, _ in seen for name in one.kinds})
    if origin is None or not names:
        return
    begins = np.array([(rung.epoch_ns + one.start_ns - origin[0]) / 1e9 for one, _ in seen])
    rates = [
        [
            succeeded(one.kinds[name]) / seconds if name in one.kinds and seconds > 0 else np.nan
            for name in names
        ]
        for one, seconds in seen
    ]
    rows.add_series("rate_series", (*_where(manifest, rung), "kinds"), names, begins, np.array(rates))


def _moved(interval: Interval, seconds: float) -> tuple[float | None, float | None]:
    """Returns MiB read and written a second by a load on files."""
    if interval.io_bytes is None or seconds <= 0:
        return None, None
    return interval.io_bytes.read / _MIB / seconds, interval.io_bytes.written / _MIB / seconds


def _samples(rows: Rows, manifest: Manifest, series: Series) -> None:
    who = (*_who(manifest), series.source)
    rows.add_series("sample_series", who, series.names, series.wall_ns, series.values)


def _rates(rows: Rows, manifest: Manifest, rung: Rung, samples: dict[str, Series]) -> None:
    load, window = rung.load_ns(), rung.window_ns()
    if load is None or window is None:
        return
    where = _where(manifest, rung)
    for source, series in samples.items():
        inside = series.between(*load)
        names, values = inside.rates()
        rows.add_series("rate_series", (*where, source), names, (inside.wall_ns - window[0]) / 1e9, values)


def _facts_in(folder: RunFolder, scope: str, moment: str, lost: Sequence[Loss]) -> dict[str, str]:
    path = folder.facts(scope, moment)
    if not path.is_file() or _among(folder, path, lost):
        return {}
    try:
        return dict(flatten(any_json(_VOLUME.sub("the volume", path.read_text(encoding="utf-8")))))
    except (OSError, ValueError) as error:
        raise damaged(path, folder.path, error) from error


def _plans(rows: Rows, manifest: Manifest, folder: RunFolder, lost: Sequence[Loss]) -> None:
    """Adds the plans of the load's statements."""
    plans = None if _among(folder, folder.plans, lost) else read_plans(folder)
    if plans is None:
        return
    found: list[tuple[object, ...]] = []
    for one in plans.statements:
        for s in one.steps:
            key = (s.key, s.key_length, None if s.key_parts is None else ",".join(s.key_parts))
            found.append(
                (one.statement, one.example, s.select, s.table, s.access, *key, s.rows, s.extra, None)
            )
        if not one.steps:
            why = one.refused or ("EXPLAIN has no rows" if one.has_plan else None)
            found.append((one.statement, one.example, *[None] * 8, why))
    if plans.unknown is not None:
        found.append((*[None] * 10, plans.unknown))
    rows.extend("plans", ((*_who(manifest), place, *row) for place, row in enumerate(found)))


def _volume(rows: Rows, manifest: Manifest) -> None:
    if manifest.volume is not None:
        facts = flatten(msgspec.structs.asdict(manifest.volume))
        rows.extend("facts", ((manifest.run_id, "volume", "before", key, value) for key, value in facts))


def _settings(rows: Rows, manifest: Manifest) -> None:
    """Adds rows for host settings that the study changed; facts `before` already have them changed."""
    for entry in manifest.host:
        key = f"{entry.knob} {entry.target}"
        for moment, value in (("was", entry.was), ("set", entry.now)):
            rows.add("facts", manifest.run_id, "setting", moment, key, value)


def _doubts_of_lab(rows: Rows, manifest: Manifest) -> None:
    places = {entry.dir: (number, entry.load) for number, entry in enumerate(manifest.rungs, start=1)}
    for doubt in manifest.doubts:
        number, load = places.get(doubt.rung or "", (None, None))
        rows.add(
            "doubts", *_who(manifest), number, load, doubt.kind, doubt.message, doubt.value, doubt.limit
        )  # fmt: skip
