"""Events as types: made of schema/event.json by `make schema`, never edited."""

from __future__ import annotations

from typing import Literal

import msgspec


class OwnMeasure(msgspec.Struct, frozen=True, kw_only=True):
    """A measure that a workload has by a name of its own: how many transactions of one kind fell due and
    ended inside the measured window (`inside` of the kind), over its length.
    """

    kind: str
    """The kind of transactions."""
    name: str
    per_s: int
    """Seconds of the time in the unit: 60 of a minute."""
    unit: str
    """What a figure of it is told in: `/min`."""
    whole: bool
    """Whether figures are cut to whole numbers."""


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="hello"):
    """First line: who measures, and where its epoch lies."""

    build: str
    """`profile-guided` or `release`, which are for measuring, `quick`, which costs more a query, or
    `debug`, which is not fit for measurements.
    """
    connections: int
    epoch_monotonic_ns: int
    """The epoch on CLOCK_MONOTONIC."""
    epoch_wall_ns: int
    """The epoch in nanoseconds since 1970 (wall clock)."""
    format: int
    """Version of the event format; 1."""
    measures: list[OwnMeasure] | None = None
    """Measures that the workload has by names of its own; absent where the engine is too old to say."""
    pid: int
    seed: int
    threads: int
    version: str
    workload: str


Phase = Literal["connect", "load", "index", "check", "cleanup", "warmup", "measure", "drain"]


class PhaseStart(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="phase"):
    phase: Phase
    planned_ms: int | None = None
    """Planned length, where there is one."""
    start_ns: int


class Progress(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="progress"):
    """Progress of a long step."""

    done: int
    elapsed_s: float
    phase: Phase
    total: int
    unit: str
    """`rows`, `indexes`, `connections`, `tables`, `checks`."""


class Ready(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="ready"):
    """The load on a server waits for its start (`phases.hold`): every connection is open."""

    connections: int
    """Connections and event loops of this engine."""
    engine_sha256: str | None = None
    """SHA-256 of the engine's binary, in hexadecimal: generators of a fleet should be of one build.
    Absent where it cannot be read.
    """
    loops: int
    max_fds: int
    """Files that this process may have open."""


class Started(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="started"):
    """The load that was held has begun."""

    first_operation_ns: int
    """The instant at which the first operation began, over all event loops of this engine."""


class EngineUse(msgspec.Struct, frozen=True, kw_only=True):
    """The engine's own use of the machine in a stretch of time."""

    involuntary_switches: int = 0
    rss_bytes: int = 0
    """Resident set at the end of the stretch; in `result` its peak."""
    system_us: int = 0
    user_us: int = 0
    voluntary_switches: int = 0


class IoBytes(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes moved in a stretch of time."""

    read: int
    written: int


class UnendedTimes(msgspec.Struct, frozen=True, kw_only=True):
    """Operations that were in flight, or still waited for a connection, when the drain ended. The
    histograms of their label have the times that they had taken by then, which are lower bounds;
    these here have the bounds alone.
    """

    count: int
    response: str
    """end − scheduled"""
    service: str | None = None
    """end − started, of those that had started; absent where none had."""
    wait: str | None = None
    """end − scheduled, of those that had not started; absent where all had."""


class LabelTimes(msgspec.Struct, frozen=True, kw_only=True):
    """The times of one label: counts and HDR histograms (V2 + DEFLATE, base64; nanoseconds; 3
    significant digits).
    """

    count: int
    """How many ended in the stretch. In an open loop's `result` the histograms have those that were
    scheduled in the window, whenever they ended, and their counts are others.
    """
    response: str | None = None
    """ended − scheduled. Absent where there is no schedule: equal to service."""
    service: str
    """ended − started"""
    unended: UnendedTimes | None = None
    """Operations among them that never ended, of whole transactions in a `result`; absent where none is
    known.
    """
    wait: str | None = None
    """started − scheduled. Absent where there is no schedule: the wait is zero by definition. Of
    terminals that share connections it is the time until one is free.
    """


class KindTally(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of transactions of the workload, where it has several."""

    errors: dict[int, int] = {}
    """Failed tries by server error code; 0 is a lost connection."""
    failed: int = 0
    """Transactions given up after an error."""
    failed_ns: int = 0
    """Time of transactions that were given up, from their start."""
    inside: int = 0
    """Transactions of this kind that ended in the measured window and were wanted in it."""
    retries: int = 0
    """Tries after the first; the time of all tries is in the transaction's."""
    retry_ns: int = 0
    """Time of tries that failed, their rollbacks and reconnects included, in transactions that succeeded
    in the end: what is left of `service` is that of the tries that succeeded.
    """
    think: str | None = None
    """Think times after transactions of this kind that ended in the stretch (a histogram as in `times`),
    where terminals think.
    """
    timeouts: int = 0
    """Tries given up because no answer came in time; they are not in `errors`."""
    times: LabelTimes | None = None
    """Times of the kind; absent when none of its transactions succeeded."""


class Pacing(msgspec.Struct, frozen=True, kw_only=True):
    """Open loop: how well the schedule was kept. Arrivals belong to the stretch in which their instant
    lies.
    """

    arrivals: int
    """Arrivals of the schedule in this stretch, dropped ones included: over its length, the rate that
    was achieved.
    """
    lateness: str
    """How late those started (HDR histogram as in `labels`): the pacer's own part of the wait."""
    prompt: int
    """Operations started in this stretch for which a connection was free at their instant."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """How late answers were read: their time between epoll's return and the turn of their connection,
    behind others of their batch. That wait is the generator's own, and part of the service times.
    """

    answers: int
    """Answers of statements that succeeded."""
    lateness: str
    """HDR histogram as in `labels`."""


class Interval(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="interval"):
    """One interval of the time line."""

    counters: dict[str, int] = {}
    """What the workload counts itself, by name; a transaction's part is added when it succeeds."""
    dropped: int = 0
    """Open loop: arrivals that were never sent, the sum of `drops`."""
    drops: dict[str, int] = {}
    """By cause: `queue-full`, `unserved-at-end` for those still queued when the drain ended, and
    `generator-lost` for those of a generator that was lost.
    """
    end_ns: int
    engine: EngineUse
    errors: dict[int, int] = {}
    """Failed statements by server error code; 0 is a lost connection."""
    failed: int = 0
    """Transactions given up after an error."""
    in_flight: int
    """Operations in flight, and arrivals queued for a connection, at the interval's end."""
    index: int
    """Number of the interval within its phase, from 0."""
    io_bytes: IoBytes | None = None
    """Storage jobs: bytes moved."""
    kinds: dict[str, KindTally] = {}
    """By kind of transaction, where the workload has kinds."""
    labels: dict[str, LabelTimes]
    """By label; `transaction` is the whole unit, the others its statements."""
    other: int = 0
    """Statements that are neither: BEGIN, COMMIT, an UPDATE that hit nothing."""
    pacing: Pacing | None = None
    """Pacing: how well the schedule was kept. Open loop only."""
    phase: Phase
    queries: int = 0
    """Statements that succeeded: reads + writes + other."""
    queued: int
    reading: Reading | None = None
    """Lateness of reading answers. Loads on servers only."""
    reads: int = 0
    """Statements with a result set."""
    reconnects: int = 0
    retries: int = 0
    """Tries of transactions after the first."""
    start_ns: int
    timeouts: int = 0
    """Tries of transactions given up because no answer came in time. They are in no other counter of
    errors.
    """
    transactions: int = 0
    """Transactions that succeeded (sysbench: events)."""
    writes: int = 0
    """Statements that changed rows."""


ErrorKind = Literal["job", "connect", "server", "lost", "host", "data"]
"""By cause; each has an exit code.

`job`: The job is wrong (exit 2).
`connect`: No connection, or no login (exit 3).
`server`: The server refused a statement (exit 4).
`lost`: The server went away (exit 5).
`host`: Something in this machine (exit 6).
`data`: What was read back is not what was written (exit 8).
"""


class ErrorEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="error"):
    """Something that went wrong. `fatal` ends the job."""

    at_ns: int
    code: int | None = None
    """Server error code and SQLSTATE, where the server sent them."""
    fatal: bool
    hint: str | None = None
    """Advice: what to do about the error."""
    kind: ErrorKind
    message: str
    state: str | None = None


class Doubt(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="doubt"):
    """A reason to distrust this run, found by the engine."""

    kind: str
    """Kind of the doubt: a short fixed name, e.g. `littles-law`."""
    limit: float
    message: str
    value: float


class Connections(msgspec.Struct, frozen=True, kw_only=True):
    """Operations per connection: is everybody served?"""

    count: int
    max: int
    mean: float
    min: int
    stdev: float | None = None
    """The standard deviation, over all of them; absent where the engine is too old to say."""


class Deferred(msgspec.Struct, frozen=True, kw_only=True):
    """Work that was left for later (TPC-C: queued Deliveries). Its times are those of its kind, from the
    queue on.
    """

    completed: int
    failed: int
    """Work given up after an error."""
    longest_queue: int
    """The most that waited at once: the sum over event loops, each at its worst."""
    queued: int
    unfinished: int
    """Work that was not completed when the drain ended."""


class GeneratorResult(msgspec.Struct, frozen=True, kw_only=True):
    """One generator of a load that several carried out together. The lab says it in the result that it
    merges from theirs.
    """

    cause: str | None = None
    connections: int
    exit_code: int | None = None
    """Its exit code; below 0 the signal that ended it. Absent where it did not end."""
    host: str
    loops: int
    lost_at_ns: int | None = None
    """The instant at which the generator was lost; absent, as its cause is, where it came to its end."""
    lost_connection_s: float | None = None
    """Closed loop: its connections, times the part of the measured window in which it was lost, in
    seconds.
    """
    name: str
    planned_arrivals: int | None = None
    """Open loop: arrivals of its share of the schedule in the measured window, and those of them that
    came due while it was there.
    """
    started_arrivals: int | None = None


Latency = Literal["service", "response"]
"""The time that the histograms of a result measure.

`service`: Closed loop: from the start of an operation. What a user would have waited for its
start is not in it.
`response`: Open loop, terminals that share connections: from the instant at which the operation
was wanted.
"""


class ThreadEvents(msgspec.Struct, frozen=True, kw_only=True):
    """One thread's part."""

    busy_ns: int
    """The sum of their service times."""
    events: int


class MachineResult(msgspec.Struct, frozen=True, kw_only=True):
    """Events that ended in the measured window or in the drain after it: all that a thread had begun
    counts to its end.
    """

    bytes: int
    """Bytes of memory that events read or wrote."""
    elapsed_s: float
    """From the beginning of the window to the end of the last event."""
    events: int
    latency: str | None = None
    """HDR histogram of the same times; absent where no event ended."""
    max_ns: int
    min_ns: int
    """The shortest and the longest time, and the sum of all: of service in a closed loop, else of
    response.
    """
    sum_ns: int
    threads: list[ThreadEvents]


class DiskSide(msgspec.Struct, frozen=True, kw_only=True):
    bytes: int
    merges: int
    ms: int
    operations: int


class DiskUse(msgspec.Struct, frozen=True, kw_only=True):
    """How far the counters of a block device moved in the window; times in milliseconds."""

    busy_ms: int
    """Time with anything in flight, and the sum of the times of all requests."""
    name: str
    queue_ms: int
    read: DiskSide
    utilisation: float
    """Share of the window in which anything was in flight."""
    write: DiskSide


class ThreadUse(msgspec.Struct, frozen=True, kw_only=True):
    major_faults: int
    minor_faults: int
    switches: int
    system_us: int
    user_us: int


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """The spread of a number of values."""

    max: float = 0.0
    mean: float = 0.0
    min: float = 0.0
    samples: int = 0
    stdev: float = 0.0


class Direction(msgspec.Struct, frozen=True, kw_only=True):
    """Reads, or writes."""

    bytes: int
    completion: str | None = None
    operations: int
    series_bytes: list[int]
    """By whole interval of the window: bytes and operations."""
    series_operations: list[int]
    short: int
    """Operations that moved fewer bytes than asked."""
    submit: str | None = None
    total: str | None = None
    """HDR histograms: of the whole operation, of handing it over, of the rest. The last two are absent
    where one call does everything.
    """
    worker_bytes: Spread | None = None
    """Bytes by whole interval of each worker alone; absent where none moved any in one."""


class JobResult(msgspec.Struct, frozen=True, kw_only=True):
    collect_sizes: list[int]
    cpu: ThreadUse
    """Processor use of the workers' threads in the window."""
    depth: int
    """Operations in flight: asked for, of all workers together, and the mean over the window."""
    depths: list[int]
    """Operations by the depth at which they were handed over (1, 2-3, 4-7 … 64 and more)."""
    elapsed_s: float
    """From the beginning of the window to the last worker's end."""
    end_syncs: int = 0
    """Syncs of files when the load was over, which are not among those."""
    group: int | None = None
    interval_ms: int
    """Length of an interval of the series."""
    mean_depth: float
    name: str
    """Name of the first job in the group."""
    read: Direction
    submit_sizes: list[int]
    """Calls by the operations that they handed over, or collected: 0, up to 4, 8, 16, 32, 64, more."""
    sync: str | None = None
    syncs: int
    """fsync and fdatasync: how many, and an HDR histogram of their times."""
    worker_operations: list[int]
    """Reads and writes of each worker."""
    workers: int
    write: Direction


class StorageResult(msgspec.Struct, frozen=True, kw_only=True):
    """The disks' part of a result, over the measured window."""

    disks: list[DiskUse]
    """The block devices beneath the files."""
    jobs: list[JobResult]
    """By group, or by worker where a job has none, in their order."""


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Counters of a stretch of time; every one is a count of things that ended in it."""

    counters: dict[str, int] = {}
    """What the workload counts itself, by name; a transaction's part is added when it succeeds."""
    dropped: int = 0
    """Open loop: arrivals that were never sent, the sum of `drops`."""
    drops: dict[str, int] = {}
    """By cause: `queue-full`, `unserved-at-end` for those still queued when the drain ended, and
    `generator-lost` for those of a generator that was lost.
    """
    errors: dict[int, int] = {}
    """Failed statements by server error code; 0 is a lost connection."""
    failed: int = 0
    """Transactions given up after an error."""
    other: int = 0
    """Statements that are neither: BEGIN, COMMIT, an UPDATE that hit nothing."""
    queries: int = 0
    """Statements that succeeded: reads + writes + other."""
    reads: int = 0
    """Statements with a result set."""
    reconnects: int = 0
    retries: int = 0
    """Tries of transactions after the first."""
    timeouts: int = 0
    """Tries of transactions given up because no answer came in time. They are in no other counter of
    errors.
    """
    transactions: int = 0
    """Transactions that succeeded (sysbench: events)."""
    writes: int = 0
    """Statements that changed rows."""


class RunResult(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="result"):
    """The measured window as a whole."""

    abandoned: int
    carried_over: int = 0
    """Open loop: arrivals of the warm-up that were still queued when the window began. They are served
    first, as users of an overloaded server see it.
    """
    complete: bool
    """False when a signal or an error ended the window early."""
    connections: Connections
    counters: dict[str, int] = {}
    """What the workload counts itself, by name; a transaction's part is added when it succeeds."""
    deferred: Deferred | None = None
    """Work that transactions left for later, where the workload does that: from the start of the load to
    its end.
    """
    drained: int
    """What was in flight when the window closed: finished in the drain, and given up."""
    dropped: int = 0
    """Open loop: arrivals that were never sent, the sum of `drops`."""
    drops: dict[str, int] = {}
    """By cause: `queue-full`, `unserved-at-end` for those still queued when the drain ended, and
    `generator-lost` for those of a generator that was lost.
    """
    elapsed_s: float
    end_ns: int
    ended_open: int = 0
    """Operations that ended inside an open transaction, warm-up and drain included."""
    engine: EngineUse
    """The engine's use of the machine in the measured window."""
    engine_total: EngineUse
    """The engine's use of the machine over the whole process, set-up included."""
    errors: dict[int, int] = {}
    """Failed statements by server error code; 0 is a lost connection."""
    facts: dict[str, str] = {}
    """What is worth knowing about the workload: what it found in the tables, what it drew."""
    failed: int = 0
    """Transactions given up after an error."""
    generators: list[GeneratorResult] = []
    """The generators of a load that several carried out, where the lab merged their results."""
    io_bytes: IoBytes | None = None
    """Storage jobs: bytes moved."""
    kinds: dict[str, KindTally] = {}
    """By kind of transaction, where the workload has kinds."""
    labels: dict[str, LabelTimes]
    """By label; `transaction` is the whole unit, the others its statements."""
    latency: Latency
    """What times mean here: `response` where there is a schedule, else `service`."""
    left_open: int = 0
    """Connections that were closed inside a transaction that held something."""
    longest_stall_ns: int = 0
    """Largest time by which an event loop was late for its own next turn, in the window."""
    machine: MachineResult | None = None
    """Loads on the machine itself: what else there is to say."""
    mean_in_flight: float = 0.0
    """Transactions in flight, averaged over the window: their time inside it, by its length."""
    mean_think_ms: float | None = None
    """Closed loop with think time: its mean per transaction, as it was spent."""
    other: int = 0
    """Statements that are neither: BEGIN, COMMIT, an UPDATE that hit nothing."""
    pacing: Pacing | None = None
    """Pacing: how well the schedule was kept. Open loop only."""
    queries: int = 0
    """Statements that succeeded: reads + writes + other."""
    reading: Reading | None = None
    """Lateness of reading answers. Loads on servers only."""
    reads: int = 0
    """Statements with a result set."""
    reconnects: int = 0
    retries: int = 0
    """Tries of transactions after the first."""
    sent_statements: int = 0
    """Statements sent on all connections from the start of the load to the last one's end: warm-up,
    drain, ROLLBACKs and failed ones included.
    """
    server_questions: int | None = None
    """How far the server's own `Questions` moved from the start of the load to its end; absent when it
    did not say.
    """
    server_version: str | None = None
    """The server's version, as its variable of that name says it; absent where it was not read."""
    session: dict[str, str] = {}
    """The session of the load's connections as the server has shown it before the load: `autocommit`,
    `sql_mode`, `transaction_isolation` and what else decides what statements mean. Empty where it was
    not read.
    """
    start_ns: int
    storage: StorageResult | None = None
    """Storage jobs: what else there is to say."""
    terminals: Connections | None = None
    """Transactions by terminal, where terminals share connections."""
    timeouts: int = 0
    """Tries of transactions given up because no answer came in time. They are in no other counter of
    errors.
    """
    transactions: int = 0
    """Transactions that succeeded (sysbench: events)."""
    uncommitted: int = 0
    """Operations of `ended_open` that no commit has followed on their connection: they were counted, and
    the server has not kept them.
    """
    unprepared: int = 0
    """Statements that the server could not prepare and that went as text, counted on each connection;
    transaction control is not among them.
    """
    unstored: int = 0
    """INSERTs and REPLACEs of a script that stored no row: duplicate keys under IGNORE, for one."""
    warmup: Counts
    """Transactions of the warm-up, kept apart."""
    warmup_s: float
    writes: int = 0
    """Statements that changed rows."""


class CheckOutcome(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="check"):
    """The outcome of one condition of the tables that `check` tried."""

    elapsed_s: float
    name: str
    """Name of the condition, short and fixed, e.g. `consistency-3`."""
    places: list[str] = []
    """The first few places that break the condition, each as column = value."""
    title: str
    """Title of the condition: what must hold, for people."""
    violations: int
    """Places that break it; counting stops at 1000 for each part of the tables."""


class Flawed(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    flaw: str
    """`lost-durable`, `lost`, `torn`, `misplaced`, `damaged`."""
    offset: int
    what: str
    """What the block holds, and what it should hold."""


class Promised(msgspec.Struct, frozen=True, kw_only=True):
    """Writes of a load, by number."""

    acknowledged: int
    begun: int
    durable: int
    """Acknowledged, and an fsync after them as well."""
    same_boot: bool
    """The machine has not been started anew since."""


class Verified(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="verified"):
    """Blocks of one worker that were read back, each counted once."""

    bad: int
    """Blocks of the above that neither a kill nor a power cut excuses."""
    blank: int
    """Blocks that were never written."""
    blocks: int
    damaged: int
    """Blocks that hold nothing that was ever written."""
    described: list[Flawed]
    """The first few blocks that are not as they should be, bad ones before others."""
    lost: int
    """Older than the last write that was acknowledged; nothing had made that one durable."""
    lost_durable: int
    """Older than a write that was durable: an fsync after it was acknowledged, or the load ended by
    itself.
    """
    misplaced: int
    """Blocks of another place."""
    name: str
    promised: Promised | None = None
    """The promises of the ledger; absent where there was none."""
    stale: int
    """Not written by this load: what was there before."""
    torn: int
    """Parts of several writes, none older than what was durable."""
    whole: int
    """Blocks as new as was promised, or newer."""


LoadAs = Literal["auto", "file", "bulk", "insert"]
"""The form in which rows travel into a table.

`auto`: The quickest that the server takes.
`file`: `LOAD DATA LOCAL INFILE`, from memory; the server's `local_infile` must be on.
`bulk`: A prepared INSERT for many rows at once (MariaDB 10.2 and later).
`insert`: `INSERT … VALUES` of many rows, as text.
"""


class ActionResult(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="done"):
    """The outcome of prepare, check and cleanup."""

    action: str
    database: str | None = None
    """Prepare from files: the database that holds the tables."""
    elapsed_s: float
    engine: EngineUse
    files_read: list[str] = []
    """Prepare by a script: files that it opened for reading, or looked for, as it names them; without
    those that came with it.
    """
    load_statements: int = 0
    """Prepare: the number of statements that carried the rows."""
    loaded_as: LoadAs | None = None
    """Prepare: what the rows travelled in; absent when none did."""
    notes: list[str] = []
    """Prepare from files: what was left out of them or replaced, and how they were sent, in sentences."""
    other_inputs: list[str] = []
    """Prepare by a script: functions by which it may have read what nobody sees, as `io.popen()`."""
    rows: int
    rows_by_table: dict[str, int] = {}
    """Prepare and check: the rows of each table that a workload loads; empty where a resumed prepare
    found them whole and looked at none.
    """
    tables: int
    """Tables of the workload; after cleanup those of them that were there."""
    untried: int = 0
    """Prepare from files without rows: statements that need rows, or may make tables, and have not been
    tried.
    """


class ScriptOutput(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="output"):
    """What a script wrote to its standard output, or its state to standard error: whole lines, unless it
    ended within one.
    """

    error: bool
    """Whether it was written to standard error."""
    text: str


class ScriptHooks(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="hooks"):
    """The hooks of a script that take the place of reports."""

    cumulative: bool
    """The script reports the totals itself."""
    intermediate: bool
    """The script reports intervals itself."""


class ScriptThreads(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="threads"):
    """The parts of the threads of a script, since the last checkpoint or the start of the measured
    window.
    """

    busy_ns: Connections
    """Nanoseconds that each thread's events took."""
    checkpoint: bool
    """Whether this is a checkpoint of the script's options, not the end of the load."""
    end_ns: int
    events: Connections
    """Events of each thread."""


Event = (
    Hello
    | PhaseStart
    | Progress
    | Ready
    | Started
    | Interval
    | ErrorEvent
    | Doubt
    | RunResult
    | CheckOutcome
    | Verified
    | ActionResult
    | ScriptOutput
    | ScriptHooks
    | ScriptThreads
)
