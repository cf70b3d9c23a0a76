"""The engine's events, as types. The shapes follow schema/event.json, which the engine generates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.errors import InputError


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Counters of a stretch of time; see the engine's `Counts`."""

    transactions: int = 0
    queries: int = 0
    reads: int = 0
    writes: int = 0
    other: int = 0
    errors: dict[int, int] = {}
    retries: int = 0
    failed: int = 0
    reconnects: int = 0
    timeouts: int = 0
    dropped: int = 0
    counters: dict[str, int] = {}
    drops: dict[str, int] = {}


class LabelTimes(msgspec.Struct, frozen=True, kw_only=True):
    """Count and histograms (HDR V2 + DEFLATE, base64, nanoseconds) of one label.

    `count`: how many ended in the stretch. In an open loop's result the histograms have those that were
    scheduled in the window, whenever they ended.
    """

    count: int
    service: str
    wait: str | None = None
    response: str | None = None


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of transactions. `inside`: of those that ended in the window, those also wanted in it.

    `retry_ns`: time of tries that failed, in transactions that succeeded in the end; `failed_ns`: of those
    given up. `timeouts`: tries that had no answer in time, which are not in `errors`. `think`: a histogram of
    the think times after transactions of this kind.
    """

    times: LabelTimes | None = None
    inside: int = 0
    retries: int = 0
    failed: int = 0
    errors: dict[int, int] = {}
    timeouts: int = 0
    retry_ns: int = 0
    failed_ns: int = 0
    think: str | None = None

    @property
    def count(self) -> int:
        """How many succeeded."""
        return 0 if self.times is None else self.times.count


class Pacing(msgspec.Struct, frozen=True, kw_only=True):
    """Open loop: how well the schedule was kept. `lateness` is a histogram like those of `LabelTimes`."""

    arrivals: int
    prompt: int
    lateness: str


class EngineUse(msgspec.Struct, frozen=True, kw_only=True):
    """What the engine itself used."""

    user_us: int = 0
    system_us: int = 0
    rss_bytes: int = 0
    voluntary_switches: int = 0
    involuntary_switches: int = 0


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="hello"):
    """First line: who measures, and where its epoch lies."""

    format: int
    version: str
    build: str
    pid: int
    epoch_wall_ns: int
    epoch_monotonic_ns: int
    seed: int
    threads: int
    connections: int
    workload: str


class PhaseStart(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="phase"):
    """A phase begins: connect, load, index, check, cleanup, warmup, measure, drain."""

    phase: str
    start_ns: int
    planned_ms: int | None = None


class Progress(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="progress"):
    """How far a long step is."""

    phase: str
    done: int
    total: int
    unit: str
    elapsed_s: float


class IoBytes(msgspec.Struct, frozen=True, kw_only=True):
    """Storage jobs: bytes moved in a stretch of time."""

    read: int
    written: int


class Interval(Counts, frozen=True, kw_only=True, tag_field="event", tag="interval"):
    """One interval of the time line."""

    phase: str
    index: int
    start_ns: int
    end_ns: int
    in_flight: int
    queued: int
    labels: dict[str, LabelTimes]
    kinds: dict[str, Kind] = {}
    engine: EngineUse
    pacing: Pacing | None = None
    io_bytes: IoBytes | None = None


class ErrorEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="error"):
    """Something went wrong; `fatal` ends the job. Kinds: job, connect, server, lost, host."""

    kind: str
    message: str
    at_ns: int
    fatal: bool
    code: int | None = None
    state: str | None = None
    hint: str | None = None


class Doubt(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="doubt"):
    """A reason to distrust the run, found by the engine."""

    kind: str
    message: str
    value: float
    limit: float


class Connections(msgspec.Struct, frozen=True, kw_only=True):
    """Transactions per connection."""

    count: int
    min: int
    mean: float
    max: int


class Deferred(msgspec.Struct, frozen=True, kw_only=True):
    """Work that transactions left for later; `unfinished` was not done when the drain ended."""

    queued: int
    completed: int
    failed: int
    unfinished: int
    longest_queue: int


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """What a number of values have in common; all 0 where there are none."""

    samples: int = 0
    min: float = 0.0
    max: float = 0.0
    mean: float = 0.0
    stdev: float = 0.0


class Direction(msgspec.Struct, frozen=True, kw_only=True):
    """Reads or writes of a storage job. Histograms like those of `LabelTimes`; series by whole interval.

    `worker_bytes` is of the same intervals, each worker's bytes alone; an older engine did not say it.
    """

    operations: int
    bytes: int
    short: int
    total: str | None = None
    submit: str | None = None
    completion: str | None = None
    series_bytes: list[int]
    series_operations: list[int]
    worker_bytes: Spread | None = None


class ThreadUse(msgspec.Struct, frozen=True, kw_only=True):
    """What the workers of a storage job used."""

    user_us: int
    system_us: int
    switches: int
    major_faults: int
    minor_faults: int


class DiskJobResult(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a storage result: the workers of a group, or one worker."""

    name: str
    group: int | None = None
    workers: int
    elapsed_s: float
    depth: int
    mean_depth: float
    read: Direction
    write: Direction
    syncs: int
    sync: str | None = None
    depths: list[int]
    submit_sizes: list[int]
    collect_sizes: list[int]
    cpu: ThreadUse
    worker_operations: list[int]
    interval_ms: int


class DiskSide(msgspec.Struct, frozen=True, kw_only=True):
    """Reads or writes of a block device; `ms` is the sum of their times."""

    operations: int
    merges: int
    bytes: int
    ms: int


class DiskUse(msgspec.Struct, frozen=True, kw_only=True):
    """How far a block device's counters moved in the window."""

    name: str
    read: DiskSide
    write: DiskSide
    busy_ms: int
    queue_ms: int
    utilisation: float


class Promised(msgspec.Struct, frozen=True, kw_only=True):
    """What a ledger says of a load: numbers of writes begun, acknowledged, durable.

    `same_boot`: the machine has not been started anew since.
    """

    begun: int
    acknowledged: int
    durable: int
    same_boot: bool


class Flawed(msgspec.Struct, frozen=True, kw_only=True):
    """A block that is not as it should be: `lost-durable`, `lost`, `torn`, `misplaced` or `damaged`."""

    flaw: str
    file: str
    offset: int
    what: str


class Verified(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="verified"):
    """Blocks of one worker that were read back, each counted once; `bad` are those that nothing excuses."""

    name: str
    blocks: int
    whole: int
    blank: int
    stale: int
    torn: int
    lost: int
    lost_durable: int
    misplaced: int
    damaged: int
    bad: int
    promised: Promised | None = None
    described: list[Flawed]


class StorageResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a result says about disks, beside what it says about every load."""

    jobs: list[DiskJobResult]
    disks: list[DiskUse]


class RunResult(Counts, frozen=True, kw_only=True, tag_field="event", tag="result"):
    """The measured window as a whole.

    `latency` says what times mean: `service` (closed loop, from the start) or `response` (open loop, and
    terminals that share connections: from the instant at which it was wanted). `terminals` is there where
    they do. `server_questions` is how far the server's own count moved while `sent_statements` were sent.
    """

    start_ns: int
    end_ns: int
    elapsed_s: float
    labels: dict[str, LabelTimes]
    kinds: dict[str, Kind] = {}
    facts: dict[str, str] = {}
    connections: Connections
    terminals: Connections | None = None
    deferred: Deferred | None = None
    engine: EngineUse
    engine_total: EngineUse
    warmup: Counts
    warmup_s: float
    drained: int
    abandoned: int
    mean_in_flight: float | None = None
    complete: bool
    latency: str | None = None
    pacing: Pacing | None = None
    carried_over: int = 0
    mean_think_ms: float | None = None
    sent_statements: int = 0
    server_questions: int | None = None
    longest_stall_ns: int = 0
    io_bytes: IoBytes | None = None
    storage: StorageResult | None = None


class CheckOutcome(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="check"):
    """One condition of the tables, tried: `violations` of them break it, `places` names the first few."""

    name: str
    title: str
    violations: int
    places: list[str] = []
    elapsed_s: float


class Done(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="done"):
    """The outcome of prepare, check and cleanup.

    `loaded_as`: what the rows of a prepare travelled in (`file`, `bulk`, `insert`); None when none did.
    `rows_by_table`: of prepare and check; empty where a resumed prepare found whole tables.
    """

    action: str
    elapsed_s: float
    rows: int
    tables: int
    rows_by_table: dict[str, int] = {}
    loaded_as: str | None = None
    load_statements: int = 0
    engine: EngineUse


Event = (
    Hello | PhaseStart | Progress | Interval | ErrorEvent | Doubt | RunResult | CheckOutcome | Verified | Done
)

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)

EVENT_FORMAT = 1
"""As the engine says it in its first line."""


def decode_event(line: bytes | str) -> Event:
    """One line of the engine's output. `msgspec.DecodeError` on anything else; InputError: a later format."""
    event = _decoder.decode(line)
    if isinstance(event, Hello) and event.format > EVENT_FORMAT:
        raise InputError(
            f"the engine's events have format {event.format}, and this assay reads formats up to"
            f" {EVENT_FORMAT}",
            hint="build engine and lab from the same source",
        )
    return event


def read_events(path: Path) -> Iterator[Event]:
    """The events of a file; a last line cut short by a kill is left out."""
    with path.open("rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                yield decode_event(line)
