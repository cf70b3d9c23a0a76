"""Jobs as types: made of schema/job.json by `make schema`, never edited."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Action = Literal["prepare", "check", "run", "cleanup", "command"]
"""The action: what to do with the workload.

`prepare`: Create and fill the tables.
`check`: Say whether the tables are there and whole.
`run`: Drive the load and measure.
`cleanup`: Drop the tables.
`command`: Carry out a command of a script: `workload.script.command`.
"""


class ColumnOfRows(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A column of a file of rows."""

    decoded_by: str | None = None
    """The function that makes the value of the field, such as `FROM_BASE64`; absent: the field is the
    value.
    """
    name: str


class RowsOfTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rows of a table as text, as `LOAD DATA` reads them."""

    charset: str
    columns: list[ColumnOfRows] = []
    """The columns of the file in their order; empty: those of the table."""
    enclosed: str = ""
    """The quote around fields that need one; empty: none."""
    escaped: str = ""
    """The character that escapes the next one; empty: none."""
    fields_terminated: str
    header: bool = False
    """Whether the first line names the columns."""
    lines_terminated: str
    table: str


class DumpFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file of a dump, which may be compressed by gzip, zstd, xz or bzip2."""

    name: str
    """The name of the file in messages."""
    path: str
    rows: RowsOfTable | None = None
    """What the file holds, where that is rows; absent: statements."""


class WholeValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="whole"
):
    """Whole numbers of a type that holds these."""

    least: int
    most: int


class DecimalValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="decimal"
):
    """Numbers in units of 10^-digits."""

    digits: int


class FloatValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="float"
):
    """Floating-point numbers in units of 10^-digits."""

    digits: int


class DateValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="date"
):
    """Days since 1970-01-01."""


class MomentValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="moment"
):
    """Dates with a time, in units of 10^-digits seconds since 1970-01-01 00:00:00."""

    digits: int


class TimeValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="time"
):
    """Times of day or lengths of time, in units of 10^-digits seconds."""

    digits: int


class TextValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="text"
):
    """Texts; a range is of lengths in characters."""


class BytesValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="bytes"
):
    """Bytes; a range is of lengths."""


class JsonValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="json"
):
    """JSON documents; a range is of lengths."""


class UuidValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="uuid"
):
    """UUIDs as text."""


class PointValueForm(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="point"
):
    """Points of a plane."""


ValueForm = (
    WholeValueForm
    | DecimalValueForm
    | FloatValueForm
    | DateValueForm
    | MomentValueForm
    | TimeValueForm
    | TextValueForm
    | BytesValueForm
    | JsonValueForm
    | UuidValueForm
    | PointValueForm
)
"""The form of a column's values. Numbers and times are counted in whole units."""


class ValueRange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A range of values, or of lengths of texts, both ends included."""

    distinct: int
    """How many different values there are."""
    from_: int = msgspec.field(name="from")
    share: float
    """Share of the rows that have a value."""
    to: int


class TopValue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A frequent value of a text column."""

    hash: int
    """A hash of it: the same value of two columns has one, and is generated as the same text."""
    length: int
    """The length of the value."""
    share: float
    """Share of the rows that have a value."""
    value: str | None = None
    """The value itself, where it may be known."""


class ColumnProfile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One column."""

    compressed: float = 1.0
    """Bytes of its texts after compression, as a share of those before."""
    form: ValueForm
    grows: bool = False
    """Whether there are more different values where there are more rows."""
    name: str
    nulls: float = 0.0
    """Share of rows without a value."""
    order: float = 0.0
    """Rank correlation of the values with the order of the rows, from -1 to 1."""
    ranges: list[ValueRange] = []
    """Numbers and times: ranges of values; texts: ranges of lengths. Those of `top` are not among them."""
    top: list[TopValue] = []
    """Values that are frequent."""


class FanOut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A number of rows that belong to one, both ends included, and how many have that."""

    from_: int = msgspec.field(name="from")
    mean: float
    """The mean between them."""
    share: float
    """Share of those that rows belong to."""
    to: int


class KeyProfile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A unique key."""

    columns: list[str]
    distinct: list[int] = []
    """Different values of the first column, of the first two together, and so on, but not of all."""
    fan_outs: list[list[FanOut]] = []
    """For each of these: how many longer ones begin with one of them."""


class ReferenceProfile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Columns whose values are those of another table's columns."""

    columns: list[str]
    fan_out: list[FanOut]
    """Rows here for each row there."""
    table: str
    to: list[str]
    """The columns there, in the same order."""


class TableProfile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table: how it is made, and what its rows are like."""

    columns: list[ColumnProfile]
    """The columns that get values."""
    create: str
    """The statement that makes it."""
    grows: bool = True
    """Whether the scale multiplies its rows."""
    keys: list[KeyProfile] = []
    """Its unique keys, the primary one first."""
    name: str
    references: list[ReferenceProfile] = []
    """What its columns refer to."""
    rows: int
    """Rows at scale 1."""


class Profile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tables to be generated."""

    name: str
    """The name of the profile in messages."""
    scale: float = 1.0
    """What the numbers of rows are multiplied with."""
    tables: list[TableProfile]


class Dump(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Files of SQL and of rows, as dump programs write them; or statistics from which rows are
    generated.
    """

    collations: dict[str, str] = {}
    """Collations and character sets of the files that others stand in for, by name."""
    database: str | None = None
    """The database of several in the files that is taken, or that of the tables where the files name
    none; absent: the only one that they name, otherwise the target's.
    """
    files: list[DumpFile]
    """The files in the order in which they make the tables."""
    generated: Profile | None = None
    """Tables whose rows are generated, in place of files."""
    indexes_after: bool = False
    """Whether secondary indexes are made after the rows, and not where the files have them."""
    structure_only: bool = False
    """Whether only tables, views, triggers and routines are made, and no rows: a trial."""


LoadAs = Literal["auto", "file", "bulk", "insert"]
"""The form in which rows travel into a table.

`auto`: The quickest that the server takes.
`file`: `LOAD DATA LOCAL INFILE`, from memory; the server's `local_infile` must be on.
`bulk`: A prepared INSERT for many rows at once (MariaDB 10.2 and later).
`insert`: `INSERT … VALUES` of many rows, as text.
"""


PrepareStep = Literal["tables", "rows", "finish"]
"""A step of `prepare`, where generators share the rows: one makes the tables, then all load, then
one finishes.

`tables`: The tables, empty; with `index_first` their secondary indexes too.
`rows`: The rows: this engine's share of the chunks, as `load.part` says.
`finish`: All that follows the rows: secondary indexes, last statements, notes.
"""


class EngineOptions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Options of the engine itself."""

    index_first: bool = False
    """`prepare` makes the secondary indexes on the empty tables, not after the rows."""
    ledger: str | None = None
    """File of acknowledged commits, of workloads that keep such a ledger: `run` writes it anew, `check`
    looks for what it says.
    """
    load_as: LoadAs = "auto"
    """The form in which the rows of `prepare` travel."""
    loaders: int = 0
    """Connections that load data in `prepare`; 0 lets the engine choose."""
    prepare_step: PrepareStep | None = None
    """The step of `prepare` to carry out; absent: all of them."""
    resume: bool = False
    """`prepare` goes on with a load that was broken off: chunks that are there are kept."""
    rows_per_statement: int = 0
    """Rows of one statement of `prepare`; 0: as many as make it cheap. Only the last one of a chunk has
    fewer.
    """
    threads: int = 0
    """Event-loop threads; 0 lets the engine choose."""


Reaction = Literal["stop", "count", "retry", "reconnect"]
"""Reaction to one kind of error. A broken or silent connection is always opened again before
anything goes on.

`stop`: Ends the run.
`count`: The transaction is rolled back and counts as failed.
`retry`: The transaction is rolled back and tried again, at most `max_tries` times.
`reconnect`: The transaction counts as failed, and the connection is replaced (a fail-over, a
server that turned read-only).
"""


OnError = Literal["stop", "count"]


class ErrorPolicy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The error policy: what follows an error."""

    max_tries: int = 100
    """Tries of one transaction before it counts as failed."""
    on_error: dict[str, Reaction] = {}
    """By server error code, `lost` (also 2006, 2013) for a broken connection, `timeout` for one that
    does not answer. Goes before `retry` and `other`.
    """
    operation_timeout_ms: int = 0
    """Longest time of one try of a transaction, and of the ROLLBACK after it. 0 is no limit of its own:
    such an operation is given up when the drain ends, or after ten minutes where no time ends the
    window.
    """
    other: OnError | None = None
    """What any other error does: `stop` ends the run, `count` goes on with the next transaction, over a
    new connection if need be. Absent: `count` for a person's own statements (`sql:`), `stop` for all
    else.
    """
    reconnect_tries: int = 100
    """Failed tries in a row to open a lost connection again before the run ends. Pauses double from 10
    ms to 1 s.
    """
    retry: list[int] = msgspec.field(default_factory=lambda: [1213, 1205, 1020])
    """Codes after which the transaction is rolled back and tried again with the same parameters."""


class ConstantArrivals(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="constant"
):
    """Evenly spaced."""

    rate: float


class PoissonArrivals(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="poisson"
):
    """Exponential gaps with this mean rate (a Poisson process)."""

    rate: float


class RampArrivals(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="ramp"
):
    """A rate that goes evenly from `from` to `to` over `duration_ms`, then stays at `to`."""

    duration_ms: int
    from_: float = msgspec.field(name="from")
    to: float


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stretch of `Arrivals::Step` with one rate."""

    duration_ms: int
    rate: float


class StepArrivals(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="step"
):
    """One constant rate after the other; the last one stays. A rate of 0 is a pause."""

    steps: list[Step]


class WaveArrivals(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="wave"
):
    """A rate that swings around `mean` by `amplitude`, as a sine that starts at the mean and rises
    first.
    """

    amplitude: float
    mean: float
    period_ms: int


class TraceArrivals(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="trace"
):
    """Recorded instants, in nanoseconds since the start of the phase; ends with the last one."""

    instants_ns: list[int]


class TraceFileArrivals(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="trace_file"
):
    """Recorded instants in a text file: one whole number of nanoseconds a line, `#` begins a comment.
    Whoever reads the plan reads the file and makes a `trace` of it; there is no I/O here.
    """

    path: str


class ScaledArrivals(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="scaled"
):
    """Another shape whose rates are multiplied by `rate`: a shape around 1 becomes one around `rate`
    arrivals per second. A trace keeps its instants in proportion: its gaps are divided by `rate`.
    """

    rate: float
    shape: Arrivals


Arrivals = (
    ConstantArrivals
    | PoissonArrivals
    | RampArrivals
    | StepArrivals
    | WaveArrivals
    | TraceArrivals
    | TraceFileArrivals
    | ScaledArrivals
)
"""How the arrivals of an open loop are spaced. Rates are arrivals per second."""


class FleetPart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The event loops of a fleet that this engine runs: as many as `engine.threads`, from number
    `first_loop` on. Connections, terminals, rate, queue and transactions of the job stay those of the
    whole fleet; each event loop takes its exact share.
    """

    first_loop: int
    """Event loops of the generators before this one."""
    loops: int
    """Event loops of all generators."""


class ConstantThink(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="constant"
):
    mean_ms: float


class ExponentialThink(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="exponential"
):
    mean_ms: float


Think = ConstantThink | ExponentialThink
"""Think time. It belongs to no operation; every terminal begins with a random part of one, so that
they do not start in step.
"""


class Load(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The load of a run: one load point."""

    arrivals: Arrivals | None = None
    """Absent: closed loop. Present: open loop with this schedule of arrivals."""
    connections: int = 1
    """Connections, each with at most one operation in flight; sysbench calls them threads."""
    deferred_file: str | None = None
    """A file that takes what the workload writes down of work it left for later, one CSV line each
    (TPC-C: queued Deliveries). Made anew.
    """
    part: FleetPart | None = None
    """The part of this load that this engine carries out; absent: all of it."""
    queue_limit: int = 100000
    """Open loop: arrivals that may wait for a free connection before they are dropped and counted."""
    reconnect_each: int = 0
    """Every connection is closed and opened again after so many of its transactions, as applications
    without a pool do; the time is in no transaction, but under the label `connect`. 0: never.
    """
    terminals: int = 0
    """Closed loop: terminals, each with at most one operation in flight, which share the connections. 0:
    as many as there are connections, each with its own; where the workload has a pace of its own
    (TPC-C), as many as that is meant for.
    """
    think: Think | None = None
    """Closed loop: the time between the end of a transaction and the instant at which its terminal wants
    the next one.
    """


class NoneWarmup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="none"):
    pass


class FixedWarmup(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="fixed"
):
    """A fixed time."""

    duration_ms: int


class UntilSteadyWarmup(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="until_steady"
):
    """Until throughput is level: at the slope that the per-interval rate has over the last `window_ms`,
    it would change by less than `tolerance` (a share) over the measured window. At most `cap_ms`.
    """

    cap_ms: int = 120000
    tolerance: float = 0.05
    window_ms: int = 0
    """0: half of the measured window, but at least 30 s, and not above `cap_ms`."""


class UntilToldWarmup(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="until_told"
):
    """Until the command `window` on standard input says when the measured window begins; the engine must
    listen there.
    """


Warmup = NoneWarmup | FixedWarmup | UntilSteadyWarmup | UntilToldWarmup
"""How long the load runs before the measured window."""


class Phases(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The phases of a run: warm-up (kept apart), the measured window, the drain."""

    drain_ms: int = 10000
    """How long operations in flight at the end may take before they are given up."""
    hold: bool = False
    """The load waits, once everything is ready, for the command `start` on standard input; the engine
    must listen there.
    """
    interval_ms: int = 1000
    """Length of one interval of the time line."""
    max_transactions: int = 0
    """Transactions in the measured window; 0 for no limit."""
    measure_ms: int = 10000
    """Length of the measured window; 0 when only `max_transactions` ends it."""
    warmup: Warmup = NoneWarmup()


PsMode = Literal["auto", "disable"]
"""Statement protocol (sysbench `--db-ps-mode`)."""


TlsMode = Literal["disabled", "preferred", "required", "verify-ca", "verify-identity"]


class Tls(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Transport security, by the names of the MySQL clients' `--ssl-mode`."""

    ca: str | None = None
    """PEM file with the certificates to trust (verify-ca, verify-identity)."""
    cert: str | None = None
    """PEM files of a client certificate and its key."""
    get_server_public_key: bool = False
    """Ask the server for that key where none is given. Whoever can answer in its place, or stands
    between, can send a key of their own and read the password.
    """
    key: str | None = None
    mode: TlsMode | None = None
    """Absent: `preferred` over TCP to another machine, `disabled` over a unix socket and the loopback
    interface.
    """
    server_public_key: str | None = None
    """PEM file of the server's RSA public key, for `caching_sha2_password` and `sha256_password` over
    TCP without TLS.
    """


class Target(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the server is and how to log in. A socket wins over host and port."""

    connect_timeout_ms: int = 10000
    """Limit for one connect and login."""
    database: str
    host: str = "127.0.0.1"
    """Host name or address."""
    password_env: str | None = None
    """Name of the environment variable that holds the password: a job file never holds it."""
    port: int = 3306
    ps_mode: PsMode = "auto"
    """`auto` prepares statements at the server, `disable` sends text."""
    server_session: list[str] = []
    """Server variables whose value a session keeps, because a study varies them or a person has set
    them. The engine states the other settings that its statements rely on at each login (autocommit,
    sql_mode, character set, time zone and more); sessions of scripts keep them all.
    """
    socket: str | None = None
    """Path of a unix socket."""
    tls: Tls = Tls()
    user: str


class ScriptChoice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a job says of a script beside its options."""

    argv: list[str] = []
    """The command line that the script sees, the program first."""
    command: str | None = None
    """The command that action `command` carries out."""
    files: dict[str, str] | None = None
    """Texts of the files that `source` loads with require, dofile or loadfile, by their paths from where
    the script's own name begins. Where they are given, a script finds no others beside it.
    """
    memory_bytes: int = 0
    """Bytes that the Lua state of one thread may use; 0: 1 GiB."""
    samples: str | None = None
    """File with the samples that a file of statements draws from (`sql:`): the same values on every
    server that has these data. Where it is not there, or lacks some, they are taken from the server
    and kept in it.
    """
    servers: list[Target] = []
    """Servers beside the target: the connections of a script take turns, the target first."""
    source: str | None = None
    """The script itself, where it is in no file; the name of the workload is then only its name."""


class WorkloadChoice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A workload and its options, by their sysbench names with underscores."""

    name: str
    """The name of a shipped workload; or `lua:` and the path of a script for sysbench, or the name of
    one that comes with the engine.
    """
    options: dict[str, Any] = {}
    script: ScriptChoice | None = None
    """What only a script has."""


class Job(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One job: everything the engine needs for one measurement or one piece of data work."""

    action: Action
    dump: Dump | None = None
    """Files from which `prepare` makes the tables, whatever the workload."""
    engine: EngineOptions = EngineOptions()
    errors: ErrorPolicy = ErrorPolicy()
    load: Load = Load()
    phases: Phases = Phases()
    seed: int = 0
    """Seed of the operation stream and of the data: same seed, same operations, same rows."""
    target: Target
    version: int
    """Version of this format; 1."""
    workload: WorkloadChoice


DiskAction = Literal["storage", "layout"]
"""`storage`: Lay out the files, drive the load, measure.
`layout`: Lay out the files and do nothing else.
"""


class OnceDistribution(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="once"
):
    """Every block once in random order before any comes again. Blocks of one size only; else as
    `uniform`.
    """


class UniformDistribution(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="uniform"
):
    """Every block is as likely each time."""


class ZipfDistribution(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="zipf"
):
    """Block of rank k with weight 1/k^theta; ranks lie scattered over the files."""

    theta: float


class Zone(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A share of the operations on a share of the space; a hot spot is two of them."""

    operations: float
    space: float


class ZonesDistribution(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="zones"
):
    """Stretches of the space, from its beginning, each with its share of the operations."""

    zones: list[Zone]


Distribution = OnceDistribution | UniformDistribution | ZipfDistribution | ZonesDistribution
"""The distribution of the offsets of random access."""


Order = Literal["random", "sequential", "sequential_in_turn", "sequential_shared"]
"""`sequential`: File after file, from the first byte to the last.
`sequential_in_turn`: From the first byte to the last of all files, in turn: one operation each.
`sequential_shared`: One walk of all workers together: each takes every `clones`-th block. Blocks
of one size only.
"""


class Share(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    bytes: int
    weight: float


class Range(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    from_: int = msgspec.field(name="from")
    to: int


Blocks = int | list[Share] | Range
"""Sizes of operations, in bytes."""


class Access(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The bytes that are touched, and how."""

    distribution: Distribution = OnceDistribution()
    order: Order
    read_blocks: Blocks
    read_share: float
    """Share of reads among the operations: 1 reads only, 0 writes only."""
    write_blocks: Blocks


class Batch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How operations are handed over and collected. 0 lets the worker choose: whatever is free goes in
    one call, what has ended is collected as soon as there is any, at most an eighth of the depth at
    once.
    """

    complete_max: int = 0
    complete_min: int = 0
    """Completions to wait for, and to take at most."""
    low: int = 0
    """A full queue is only filled again when it has fallen to this depth."""
    submit: int = 0
    """Operations in one submission."""


IoKind = Literal["io_uring", "psync", "libaio", "mmap", "null"]
"""`psync`: pread and pwrite: one operation at a time for each worker.
`libaio`: The calls io_submit and io_getevents.
`mmap`: Copies from and to a mapping of the file.
`null`: No I/O at all: every operation ends at once. What is left is the generator itself.
"""


SyncOpen = Literal["none", "dsync", "sync"]


class Io(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The I/O engine: by which system calls, and past which caches."""

    direct: bool = False
    """O_DIRECT: past the page cache."""
    fixed_buffers: bool = False
    """io_uring: buffers that the kernel knows beforehand."""
    kind: IoKind
    open_sync: SyncOpen = "none"
    """O_SYNC or O_DSYNC."""
    polled: bool = False
    """io_uring: completions are polled for, where the device has queues for it."""
    registered_files: bool = False
    """io_uring: files that the kernel knows beforehand."""


SyncKind = Literal["fsync", "fdatasync"]


class SyncEach(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    all_files: bool = False
    """Whether every file is synced, not only those written to since."""
    count_reads: bool = False
    """Whether reads count as well, once anything was written."""
    in_limit: bool = False
    """Whether each sync of a file is one of the operations of `limit_operations`. What is due when they
    are done is left to the end.
    """
    kind: SyncKind = "fsync"
    writes: int
    """Writes between two syncs."""


class Pause(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A pause after every so many operations, when they have ended."""

    operations: int = 1
    us: int


Verify = Literal["off", "after", "stamp", "only"]
"""The check of written blocks.

`after`: Blocks carry their place, a sequence number and a checksum; all are read back when the
load has ended.
`stamp`: Blocks carry their place, a sequence number and a checksum; reading them back is left to
a later job.
`only`: No load: blocks of an earlier run are read back, as after a kill, and held against its
ledger where there is one.
"""


class StorageJob(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A job: one kind of work on a set of files, carried out by `clones` workers, each a thread with
    `depth` operations in flight.
    """

    access: Access
    anew: bool = False
    """Whether files that are there are removed first and made anew: their creation is what is measured."""
    arrivals: Arrivals | None = None
    """The arrivals of each worker's operations; absent: an operation is wanted as soon as the one before
    it has ended.
    """
    batch: Batch = Batch()
    clones: int = 1
    """The number of workers, which share the files and draw different random numbers."""
    create: bool = True
    """Whether files that are not there are made; without it they must be there."""
    depth: int = 1
    """Operations in flight of each worker; engines that wait for each operation have one."""
    end_sync: bool = False
    """Whether written data is made durable once more when the worker ends."""
    file_bytes: int = 0
    """Bytes of each file; 0 takes the size it has."""
    files: list[str]
    """Files of one size, or one block device."""
    fill: bool = False
    """Whether the whole file has data before the load even where nothing is read. Of a file that was
    there what is missing (its holes, its end) is written, which is refused without this; a device is
    used whatever lies on it.
    """
    group: int | None = None
    """The number of a group: jobs of one group are reported together; without it every worker is
    reported alone.
    """
    invalidate: bool = True
    """Whether the files' pages are dropped from memory before the load."""
    io: Io
    ledger: str | None = None
    """Where a verified job notes which of its writes were acknowledged and which were durable, so that a
    later job can tell what was lost. On another disk it outlives what happens to this one.
    """
    limit_bytes: int = 0
    """Bytes after which a worker ends; 0: as many as the files hold. See `repeat`."""
    limit_ms: int = 0
    """Milliseconds from the beginning of the measured window after which a worker ends; 0: with the
    window.
    """
    limit_operations: int = 0
    """Operations after which a worker ends; 0: no limit."""
    name: str
    offset: int = 0
    """The first byte of each file that is touched."""
    remove: bool = False
    """Whether files that this run made are removed when it ends."""
    repeat: bool = False
    """Whether a worker starts again after `limit_bytes` until time is over."""
    reserve: bool = True
    """Whether files that are only written get their room beforehand; without it they grow as they are
    written.
    """
    sync: SyncEach | None = None
    """Syncs among the writes: written data is made durable after every so many of them."""
    think: Pause | None = None
    verify: Verify = "off"


class DiskJob(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One measurement of files or block devices. All of its jobs run at the same time, in the same
    phases.
    """

    action: DiskAction
    phases: Phases = Phases()
    """`measure_ms` 0 leaves the end to the limits of the jobs."""
    seed: int = 0
    """Seed of offsets, sizes and contents: same seed, same operations."""
    storage: list[StorageJob]
    version: int
    """Version of this format; 1."""


MachineAction = Literal["machine"]
"""`machine`: Drive the load and measure."""


class CpuMachineLoad(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="cpu"
):
    """Processors: an event counts the primes below a limit by trial division."""

    max_prime: int = 10000


MemoryAccess = Literal["sequential", "random"]
"""The order in which the words of a block are touched.

`sequential`: From the first to the last.
`random`: Each word is drawn from all of the block, as often as it has words.
"""


MemoryOperation = Literal["read", "write", "none"]
"""What happens to a word.

`none`: Nothing: what is left is the loop itself.
"""


MemoryScope = Literal["global", "local"]
"""The owner of a memory block.

`global`: All threads share one.
`local`: Each thread has its own.
"""


class MemoryMachineLoad(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="memory"
):
    """Memory: an event touches one block, a word of 64 bits after the other."""

    access: MemoryAccess = "sequential"
    block_bytes: int = 1024
    """Bytes of a block, a multiple of 8."""
    huge_pages: bool = False
    """Whether blocks lie in huge pages, which the machine must have set aside."""
    operation: MemoryOperation = "write"
    scope: MemoryScope = "global"
    total_bytes: int = 107374182400
    """Bytes of all events together, in whole blocks; 0: no limit."""


class ThreadsMachineLoad(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="threads"
):
    """The scheduler: an event takes a lock, lets other threads run, and gives the lock back, again and
    again.
    """

    locks: int = 8
    """Number of locks; events take them in turn."""
    yields: int = 1000
    """How often an event does that."""


class MutexMachineLoad(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="mutex"
):
    """Mutexes: each thread has one event, which takes random ones of an array of mutexes."""

    locks: int = 50000
    """How many mutexes an event takes, one after the other."""
    loops: int = 10000
    """Turns of an empty loop before each of them."""
    mutexes: int = 4096
    """Number of mutexes in the array."""


MachineLoad = CpuMachineLoad | MemoryMachineLoad | ThreadsMachineLoad | MutexMachineLoad
"""The work of one event. Defaults are those of sysbench's test of the same name."""


class MachineJob(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One measurement of the machine itself: no server, no files. `max_transactions` of the phases are
    events.
    """

    action: MachineAction
    arrivals: Arrivals | None = None
    """Absent: a thread begins an event as soon as the one before it has ended. Present: events arrive by
    this schedule, and wait for the first free thread.
    """
    machine: MachineLoad
    phases: Phases = Phases()
    """With `measure_ms` 0 and no limit of events the load ends by a signal alone, unless it has an end
    of its own.
    """
    seed: int = 0
    """Seed of arrivals and of what events draw."""
    threads: int = 1
    """Threads of the operating system, each with one event at a time."""
    version: int
    """Version of this format; 1."""


AnyJob = Job | DiskJob | MachineJob
"""What a job file holds: work on a server, on disks, or on the machine itself. The action says
which.
"""
