"""Loads tables with several generators: each loads its share of the chunks, by event loops as in a load."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from queue import SimpleQueue

import msgspec

from assay.base.errors import GeneratorLost
from assay.base.format.event import Progress
from assay.base.format.job import FleetPart, Job, PrepareStep
from assay.design.folder import ActionResult, ErrorEvent, Event, decode_event
from assay.measurement.fleet.contract import Backend, Generator, Share
from assay.measurement.fleet.load import places
from assay.measurement.fleet.sums import by_name
from assay.system.engine import Interrupts, JobOutcome, job_error, run_job

_ENDS_S = 5.0
"""How long a generator may take to end after its last line."""


def load_with_fleet(
    job: Job,
    *,
    generators: int,
    backend: Backend,
    interrupts: Interrupts,
    env: Mapping[str, str],
    on_event: Callable[[Event], None],
) -> JobOutcome:
    """Carries a job of the action `prepare` out: an engine here makes the tables, so many generators load the
    rows, and an engine here finishes. Returns the outcome as `assay.system.engine.run_job` does.

    The outcome's error is a `GeneratorLost` where a generator was lost, and that of the first generator that
    failed otherwise; the tables are then loaded in part.
    """

    def here(step: PrepareStep) -> JobOutcome:
        engine = msgspec.structs.replace(job.engine, prepare_step=step)
        one = msgspec.structs.replace(job, engine=engine)
        return run_job(one, interrupts=interrupts, env=env, on_event=on_event)

    made = here("tables")
    if made.done is None or made.error is not None:
        return made
    loading = _Loading(_shares(job, generators, backend), interrupts, on_event)
    error = loading.carry_out(backend, env)
    if error is not None:
        return error
    finished = here("finish")
    if finished.done is None:
        return finished
    rows = list(loading.done.values())
    loaded = by_name(one.rows_by_table for one in rows)
    done = msgspec.structs.replace(
        finished.done,
        elapsed_s=made.done.elapsed_s + max(one.elapsed_s for one in rows) + finished.done.elapsed_s,
        load_statements=sum(one.load_statements for one in rows),
        loaded_as=rows[0].loaded_as,
        rows=sum(one.rows for one in rows),
        rows_by_table={table: loaded.get(table, 0) for table in finished.done.rows_by_table},
    )
    return replace(finished, done=done)


def _shares(job: Job, generators: int, backend: Backend) -> list[Share]:
    placed = places(job, generators, backend)
    loops, shares = sum(own for _, own in placed), []
    first = 0
    for number, (host, own) in enumerate(placed, start=1):
        engine = msgspec.structs.replace(job.engine, threads=own, prepare_step="rows")
        load = msgspec.structs.replace(job.load, part=FleetPart(first_loop=first, loops=loops))
        part = msgspec.structs.replace(job, engine=engine, load=load)
        shares.append(Share(f"g{number}", host.name, own, part))
        first += own
    return shares


@dataclass
class _Heard:
    """What a generator has said."""

    fatal: ErrorEvent | None = None
    progress: Progress | None = None


class _Loading:
    """The rows, while generators load them."""

    def __init__(
        self, shares: Sequence[Share], interrupts: Interrupts, on_event: Callable[[Event], None]
    ) -> None:
        self.done: dict[str, ActionResult] = {}
        self._shares, self._interrupts, self._on_event = shares, interrupts, on_event
        self._heard = {share.name: _Heard() for share in shares}

    def carry_out(self, backend: Backend, env: Mapping[str, str]) -> JobOutcome | None:
        """Returns the outcome of the first generator that has not loaded its share; None where all have."""
        inbox: SimpleQueue[tuple[Generator, bytes | None]] = SimpleQueue()

        def read(generator: Generator) -> None:
            try:
                for line in generator.lines():
                    inbox.put((generator, line))
            finally:
                inbox.put((generator, None))

        with backend.place(self._shares, env) as placed, ExitStack() as stack:
            for generator in placed:
                stack.enter_context(self._interrupts.forwarded_to(generator))
                threading.Thread(target=read, args=(generator,), daemon=True).start()
            left = len(placed)
            while left:
                generator, line = inbox.get()
                if line is not None:
                    self._take(generator.share.name, line)
                    continue
                left -= 1
                if (outcome := self._outcome(generator)) is not None:
                    return outcome  # the others end with the block
        return None

    def _take(self, name: str, line: bytes) -> None:
        try:
            event = decode_event(line)
        except msgspec.DecodeError:
            return  # cut short by a kill: how it ended says so
        heard = self._heard[name]
        match event:
            case ActionResult():
                self.done[name] = event
            case ErrorEvent(fatal=True):
                heard.fatal = event
            case Progress():
                heard.progress = event
                all_progress = [one.progress for one in self._heard.values() if one.progress is not None]
                done, total = (sum(getattr(one, what) for one in all_progress) for what in ("done", "total"))
                self._on_event(msgspec.structs.replace(event, done=done, total=total))
            case _:
                self._on_event(event)

    def _outcome(self, generator: Generator) -> JobOutcome | None:
        share, code = generator.share, generator.gone(_ENDS_S)
        if code == 0 and share.name in self.done:
            return None
        fatal, complaint = self._heard[share.name].fatal, generator.complaint()
        if code is None or (code != 130 and fatal is None):
            why = complaint or f"it ended with {code}"
            lost = GeneratorLost(f"generator {share.name} on {share.host} was lost while it loaded: {why}")
            return JobOutcome(lost.exit_code, None, None, lost)
        error = job_error(code, fatal, complaint)
        error.message = f"{share.name}: {error.message}"
        return JobOutcome(code, None, None, error)
