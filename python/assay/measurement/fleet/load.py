"""Carries one job out with several generators, and leaves one result."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

import msgspec

from assay.base.errors import AssayError, GeneratorLost, HostError
from assay.base.format.event import GeneratorResult
from assay.base.format.job import Job
from assay.base.inner_path import InnerPath
from assay.base.wording import duration
from assay.design.folder import Event, FleetRecord, GeneratorEntry, LostEntry, RungFolder, RunResult
from assay.measurement.fleet.conducting import Conducted, Conductor, Lost
from assay.measurement.fleet.contract import Backend, FleetHost, Share
from assay.measurement.fleet.doubts import fleet_doubts
from assay.measurement.fleet.merging import GeneratorEvents, line_of
from assay.measurement.fleet.shares import loops_for, split
from assay.system.engine import Interrupts, JobOutcome, find_engine, job_error

_TRIES = 2
"""A load whose start a generator has missed is begun once more."""
_OFF_NS = 10**6
"""Nanoseconds by which a generator's window may differ from the one that was agreed, beside the bound of its
clock.
"""


def run_fleet(
    job: Job,
    *,
    generators: int,
    backend: Backend,
    folder: RungFolder,
    interrupts: Interrupts,
    on_start: Callable[[int], None] | None = None,
    on_event: Callable[[Event], None] | None = None,
    env: Mapping[str, str] | None = None,
    count: Callable[[], int | None] = lambda: None,
) -> JobOutcome:
    """Carries one job out with so many generators, and returns its outcome as `engine.run_job` does.

    The merged events are written to the rung's events, those of each generator to its own folder, and what
    is known of the fleet to `fleet.json`. A rung with fewer connections than generators has as many
    generators as connections. `count` reads the server's own count of statements. The outcome's error is a
    `GeneratorLost` where a generator was lost.
    """
    shares = _shares(job, generators, backend)
    for number in range(1, _TRIES + 1):
        outcome = _try(job, shares, number, backend, folder, interrupts, on_start, on_event, env or {}, count)
        if outcome is not None:
            return outcome
    error = HostError(
        f"a generator missed the start of the load {_TRIES} times",
        hint="this machine is too busy to carry commands to its generators; use fewer of them",
    )
    return JobOutcome(error.exit_code, None, None, error)


def places(job: Job, generators: int, backend: Backend) -> list[tuple[FleetHost, int]]:
    """Returns the host of each generator, and its event loops if connections are no limit."""
    hosts = backend.join()
    placed = [hosts[number % len(hosts)] for number in range(generators)]
    if job.engine.threads:
        return [(host, max(1, job.engine.threads // generators)) for host in placed]
    return [(host, max(1, host.loops // placed.count(host))) for host in placed]


def _shares(job: Job, generators: int, backend: Backend) -> list[Share]:
    placed = places(job, generators, backend)
    loops = loops_for(job.load.connections, [most for _, most in placed])
    there = [(host, own) for (host, _), own in zip(placed, loops, strict=True) if own > 0]
    jobs = split(job, [own for _, own in there])
    return [
        Share(f"g{number}", host.name, own, part)
        for number, ((host, own), part) in enumerate(zip(there, jobs, strict=True), start=1)
    ]


def _try(
    job: Job,
    shares: Sequence[Share],
    number: int,
    backend: Backend,
    folder: RungFolder,
    interrupts: Interrupts,
    on_start: Callable[[int], None] | None,
    on_event: Callable[[Event], None] | None,
    env: Mapping[str, str],
    count: Callable[[], int | None],
) -> JobOutcome | None:
    """Carries the load out once; None when a generator has missed its start and it can be tried again."""
    with ExitStack() as files:
        merged = files.enter_context(folder.events.open("wb"))
        parts = {}
        for share in shares:
            own = folder.generator(share.name)
            own.path.mkdir(parents=True, exist_ok=True)
            own.job.write_bytes(msgspec.json.format(msgspec.json.encode(share.job)))
            parts[share.name] = files.enter_context(own.events.open("wb"))

        def say(event: Event) -> None:
            merged.write(line_of(event))
            merged.flush()
            if on_event is not None:
                on_event(event)

        with backend.place(shares, env) as placed:
            for generator in placed:
                if on_start is not None and generator.pid is not None:
                    on_start(generator.pid)
            try:
                conductor = Conductor(
                    job,
                    placed,
                    lead_s=backend.lead_s,
                    parts=parts,
                    say=say,
                    interrupts=interrupts,
                    count=count,
                )
            except GeneratorLost as lost:
                return JobOutcome(lost.exit_code, None, None, lost)
            conducted = conductor.conduct()
            complaints = {one.share.name: one.complaint() for one in placed}
        _refuse_other_windows(conducted)
        result = conducted.merger.result(
            [_generator_result(one, conducted, job, folder) for one in conducted.merger.heard.values()],
            whole=conducted.whole,
        )
        result = _with_lost_arrivals(result)
        if result is not None and conducted.questions is not None:
            result = msgspec.structs.replace(result, server_questions=conducted.questions.counted)
        doubts = [*conducted.merger.doubts(), *backend.doubts(shares)]
        if result is not None:
            clocks = {name: conducted.clock(name) for name in conducted.clocks}
            doubts += fleet_doubts(
                conducted.merger.heard.values(),
                result,
                steady=conducted.steady,
                clocks=clocks,
                questions=conducted.questions if conducted.whole else None,
                ceiling_qps=backend.ceiling_qps(shares),
                said=[doubt.kind for doubt in doubts],
            )
        for doubt in doubts:
            say(doubt)
        if result is not None:
            say(result)
    _record(conducted, backend, number, folder)
    if conducted.late and not conducted.lost and not conducted.failed and number < _TRIES:
        return None
    error = _error(conducted, complaints, interrupts)
    code = 0 if error is None else 130 if interrupts.requested else error.exit_code
    return JobOutcome(code, result, None, error)


def _refuse_other_windows(conducted: Conducted) -> None:
    """Counts a generator as lost that has measured another window than the one that was agreed."""
    if conducted.window_ns is None or not conducted.whole:
        return
    for one in conducted.merger.heard.values():
        if one.result is None or not one.result.complete:
            continue
        share, clock = one.generator.share, conducted.clock(one.name)
        began = one.epoch_ns() + one.result.start_ns
        if abs(began - conducted.window_ns) > _OFF_NS + clock.bound_ns:
            off_ms = (began - conducted.window_ns) / 1e6
            cause = f"it measured another window, {off_ms:+.1f} ms from the one that was agreed"
            conducted.lost.append(Lost(share.name, share.host, began, cause))


def _generator_result(
    one: GeneratorEvents, conducted: Conducted, job: Job, folder: RungFolder
) -> GeneratorResult:
    share, merger = one.generator.share, conducted.merger
    lost = next((loss for loss in conducted.lost if loss.name == one.name), None)
    connections = one.hello.connections if one.hello is not None else 0
    lost_s = None
    if lost is not None and job.load.arrivals is None and conducted.window_ns is not None:
        end = conducted.window_ns + job.phases.measure_ms * 10**6
        lost_s = connections * max(end - max(lost.at_ns, conducted.window_ns), 0) / 1e9
    return GeneratorResult(
        name=one.name,
        host=share.host,
        loops=share.loops,
        connections=connections,
        planned_arrivals=_planned_arrivals(one, conducted, job, folder),
        started_arrivals=None if job.load.arrivals is None else one.arrivals or 0,
        lost_connection_s=lost_s,
        lost_at_ns=None if lost is None else max(lost.at_ns - merger.base_ns(), 0),
        cause=None if lost is None else lost.cause,
        exit_code=conducted.exit_codes.get(one.name),
    )


def _planned_arrivals(one: GeneratorEvents, conducted: Conducted, job: Job, folder: RungFolder) -> int | None:
    """Returns the arrivals of a generator's share in the window, which the engine counts: the share is a
    function of the job.
    """
    start, window = conducted.start_ns, conducted.window_ns
    if job.load.arrivals is None or start is None or window is None or not job.phases.measure_ms:
        return None
    span = [str(window - start), str(window - start + job.phases.measure_ms * 10**6)]
    path = folder.generator(one.name).job
    answer = subprocess.run(
        [find_engine(), "arrivals", path, *span],
        capture_output=True,
        check=False,
        encoding="utf-8",
        errors="replace",
    )
    return int(answer.stdout) if answer.returncode == 0 else None


def _with_lost_arrivals(result: RunResult | None) -> RunResult | None:
    """Returns the result with the arrivals dropped that a lost generator still had."""
    if result is None:
        return None
    missing = sum(
        one.planned_arrivals - (one.started_arrivals or 0)
        for one in result.generators
        if one.cause is not None and one.planned_arrivals is not None
    )
    if missing <= 0:
        return result
    drops = {**result.drops, "generator-lost": missing}
    return msgspec.structs.replace(result, drops=drops, dropped=result.dropped + missing)


def _error(conducted: Conducted, complaints: Mapping[str, str], interrupts: Interrupts) -> AssayError | None:
    if conducted.failed is not None:
        one = conducted.failed
        code = conducted.exit_codes.get(one.name)
        error = job_error(1 if code is None else code, one.fatal, complaints[one.name])
        error.message = f"{one.name}: {error.message}"
        return error
    if interrupts.requested:
        return job_error(130, None, "")
    if conducted.lost:
        return _lost_error(conducted)
    if conducted.late:
        return HostError(f"generator {conducted.late[0]} missed the start of the load {_TRIES} times")
    return None


def _lost_error(conducted: Conducted) -> GeneratorLost:
    sentences = []
    for loss in conducted.lost:
        when = "before the load began"
        if conducted.start_ns is not None and loss.at_ns > conducted.start_ns:
            when = f"{duration((loss.at_ns - conducted.start_ns) / 1e9)} into the load"
        sentences.append(f"generator {loss.name} on {loss.host} was lost {when}: {loss.cause}")
    return GeneratorLost(
        "; ".join(sentences),
        hint="this run does not count; the same command repeats it with its block",
    )


def _record(conducted: Conducted, backend: Backend, number: int, folder: RungFolder) -> None:
    merger, start = conducted.merger, conducted.start_ns
    first = {
        one.name: merger.base_ns() + one.started.first_operation_ns
        for one in merger.heard.values()
        if one.started is not None
    }
    entries = []
    for one in merger.heard.values():
        share, clock = one.generator.share, conducted.clock(one.name)
        events = folder.generator(one.name).events
        hello = one.hello
        entries.append(
            GeneratorEntry(
                name=one.name,
                host=share.host,
                loops=share.loops,
                connections=None if hello is None else hello.connections,
                engine=None if hello is None else f"{hello.version} ({hello.build})",
                engine_sha256=None if one.ready is None else one.ready.engine_sha256,
                clock_offset_ns=clock.before.offset.offset_ns,
                clock_bound_ns=clock.bound_ns,
                clock_drift_ppm=clock.drift_ppm,
                first_operation_ns=None
                if start is None or one.name not in first
                else first[one.name] - start,
                events_sha256=_sha256(events),
                events_bytes=events.stat().st_size,
                exit_code=conducted.exit_codes.get(one.name),
            )
        )
    record = FleetRecord(
        backend=backend.name,
        tries=number,
        start_monotonic_ns=start,
        window_monotonic_ns=conducted.window_ns,
        start_spread_ns=max(first.values()) - min(first.values()) if len(first) == len(entries) else None,
        generators=entries,
        lost=[
            LostEntry(name=loss.name, host=loss.host, at_monotonic_ns=loss.at_ns, cause=loss.cause)
            for loss in conducted.lost
        ],
    )
    folder.fleet.write_whole(msgspec.json.format(msgspec.json.encode(record)))


def _sha256(path: InnerPath) -> str:
    digest = hashlib.sha256()
    for line in path.lines():
        digest.update(line)
    return digest.hexdigest()
