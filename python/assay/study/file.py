"""The shape of a study file: one frozen model a table, every key with its help text and its own complaint.

schema/study.json is made from these models.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from assay.study import checks
from assay.study.arrivals import Arrivals
from assay.study.checks import checked
from assay.study.factor_names import check_factor_name
from assay.study.host_settings import HOST, check_host
from assay.study.models import Warmup
from assay.study.setting import settings_schema
from assay.study.values import Scalar, check_scalar
from assay.study.volume_settings import VOLUME, check_volume

SLUG = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"
MOST_BLOCKS = 99  # run ids number blocks with two digits

_SCALAR = {"type": ["string", "number", "integer", "boolean"]}


class Table(BaseModel):
    """One table of the file; takes no key it does not know and no type it did not ask for."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Margin = Annotated[float, Field(gt=0, lt=1, strict=False)]


class Header(Table):
    """Who the study is."""

    name: Annotated[
        str, Field(pattern=SLUG, max_length=60, description="Names the results folder: a-z, 0-9, - and _.")
    ]
    title: Annotated[
        dict[str, str],
        checked(checks.title),
        WithJsonSchema({"type": ["string", "object"], "additionalProperties": {"type": "string"}}),
        Field(description="A title, or one a language: en, zh."),
    ] = {}
    description: Annotated[str | None, Field(description="What the study is for.")] = None


class Server(Table):
    """The server under test."""

    use: Annotated[
        str | None,
        Field(
            min_length=1,
            description='"mariadb", "mysql@8.4", "path:/base/dir" or "dsn:mysql://user@host:port/db"; '
            '"none" for a load on files.',
        ),
    ] = None
    variables: Annotated[
        dict[str, Scalar],
        checked(checks.variables),
        WithJsonSchema({"type": "object", "additionalProperties": _SCALAR}),
        Field(
            description="Server variables, the same for every treatment; each is read back after the start."
        ),
    ] = {}
    dynamic: Annotated[
        dict[str, Scalar],
        checked(checks.variables),
        WithJsonSchema({"type": "object", "additionalProperties": _SCALAR}),
        Field(description="Server variables that are set on the running server, after its start."),
    ] = {}
    cpus: Annotated[
        str | None, Field(min_length=1, description='The processors that the server may use: "0-3,8".')
    ] = None
    allocator: Annotated[
        Literal["libc", "jemalloc", "tcmalloc", "mimalloc"] | None,
        Field(description="The memory allocator that is loaded before the server's own."),
    ] = None
    memory: Annotated[
        str | None,
        checked(checks.size),
        WithJsonSchema({"type": "string"}),
        Field(description='The most memory that the server may take, page cache included: "1G".'),
    ] = None
    numa: Annotated[
        str | None,
        checked(checks.numa),
        WithJsonSchema({"type": "string"}),
        Field(description='On which NUMA nodes its memory is: "interleave", "bind=0", "preferred=1".'),
    ] = None
    data_dir: Annotated[
        str | None,
        checked(checks.directory),
        WithJsonSchema({"type": "string"}),
        Field(description='Directory in which each run puts its data: "/data/fast".'),
    ] = None
    redo_dir: Annotated[
        str | None,
        checked(checks.directory),
        WithJsonSchema({"type": "string"}),
        Field(description="Directory in which each run puts its redo log."),
    ] = None
    binlog_dir: Annotated[
        str | None,
        checked(checks.directory),
        WithJsonSchema({"type": "string"}),
        Field(description="Directory in which each run puts its binary log."),
    ] = None


class Workload(Table):
    """What is sent. Every other key is an option of the workload, by its sysbench name with underscores."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    __pydantic_extra__: dict[str, Annotated[Scalar, checked(check_scalar), WithJsonSchema(_SCALAR)]] = Field(
        init=False
    )

    use: Annotated[
        str | None,
        Field(
            min_length=1,
            description="Name of a workload, as `assay bench --help` lists them; on files "
            '"fio:JOB.fio" (beside the study file) or "fileio".',
        ),
    ] = None


class Storage(Table):
    """Where a load on files has them."""

    directory: Annotated[
        str | None,
        checked(checks.directory),
        WithJsonSchema({"type": "string"}),
        Field(description='Directory in which each run makes its files, in one of their own: "/data/fast".'),
    ] = None
    passes: Annotated[
        int, Field(ge=0, le=10, description="How often the files are overwritten before the first rung.")
    ] = 0
    rounds: Annotated[
        int,
        Field(ge=0, le=100, description="Most rounds of its load before a rung, to a steady state; 0: none."),
    ] = 0
    round: Annotated[
        float,
        checked(checks.window),
        WithJsonSchema({"type": "string"}),
        Field(description='Length of a round: "60s".'),
    ] = 60.0


class Schema(Table):
    """How the tables are made."""

    engine: Annotated[str | None, Field(min_length=1, description="Storage engine of the tables.")] = None
    index: Annotated[bool | None, Field(description="Whether the secondary index is made.")] = None


class LoadTable(Table):
    """The ladder of load points, and the phases of each."""

    threads: Annotated[
        list[Annotated[int, checked(checks.threads), WithJsonSchema({"type": "integer", "minimum": 1})]]
        | None,
        checked(checks.distinct("number of threads")),
        Field(description="A closed loop: connections, each with one transaction at a time."),
    ] = None
    rate: Annotated[
        list[
            Annotated[float, checked(checks.rate), WithJsonSchema({"type": "number", "exclusiveMinimum": 0})]
        ]
        | None,
        checked(checks.distinct("rate")),
        Field(description="An open loop: transactions per second, whether or not the server keeps up."),
    ] = None
    iodepth: Annotated[
        list[Annotated[int, checked(checks.depth), WithJsonSchema({"type": "integer", "minimum": 1})]] | None,
        checked(checks.distinct("depth")),
        Field(description="On files: operations in flight of each worker, in a closed loop."),
    ] = None
    terminals: Annotated[
        int | None, Field(ge=1, description="Users who share the connections of a closed loop.")
    ] = None
    arrivals: Annotated[
        Arrivals | None,
        checked(checks.arrivals),
        WithJsonSchema(
            {
                "anyOf": [
                    {"enum": ["poisson", "constant"]},
                    {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
                ]
            }
        ),
        Field(
            description="Gaps of an open loop: a name, or a load shape whose rates are shares of the rung's."
        ),
    ] = None
    connections: Annotated[int | None, Field(ge=1, description="Connections of an open loop.")] = None
    warmup: Annotated[
        Warmup,
        checked(checks.warmup),
        WithJsonSchema({"type": "string"}),
        Field(description='"30s", "until-steady", "until-steady <= 60s" or "none".'),
    ] = Warmup(kind="until-steady", seconds=120.0)
    measure: Annotated[
        float,
        checked(checks.window),
        WithJsonSchema({"type": "string"}),
        Field(description='The measured window, "60s".'),
    ] = 60.0
    ps_mode: Annotated[
        Literal["auto", "disable"] | None,
        Field(description="auto prepares statements at the server, disable sends text."),
    ] = None
    client: Annotated[
        Literal["socket", "tcp", "netns"] | None,
        Field(description="Over the server's socket, 127.0.0.1, or from a network namespace of its own."),
    ] = None
    delay_ms: Annotated[
        Annotated[float, Field(strict=False)] | None,
        checked(checks.delay),
        WithJsonSchema({"type": "number", "minimum": 0}),
        Field(description='Added to every round trip; needs client = "netns".'),
    ] = None


class ExperimentTable(Table):
    """An experiment instead of a steady load. Every other key is an option of it."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    __pydantic_extra__: dict[str, Annotated[Scalar, checked(check_scalar), WithJsonSchema(_SCALAR)]] = Field(
        init=False
    )

    use: Annotated[
        Literal[
            "bulk-load",
            "crash-recovery",
            "schema-change",
            "buffer-pool-warmth",
            "connection-storm",
            "replication",
            "open-transactions",
        ],
        Field(description="Which: docs/method/experiments.md has them all."),
    ]


class FactorTable(Table):
    """One thing that is varied."""

    name: Annotated[
        str,
        checked(check_factor_name),
        WithJsonSchema({"type": "string"}),
        Field(description="One of server.variables.X, workload.X, schema.index, schema.engine, server.use …"),
    ]
    levels: Annotated[
        list[Scalar],
        checked(checks.levels),
        WithJsonSchema({"type": "array", "items": _SCALAR, "minItems": 2, "uniqueItems": True}),
        Field(description="Its values; the first is the baseline."),
    ]


class DesignTable(Table):
    """Which treatments, how often, in which order."""

    kind: Annotated[
        Literal["factorial", "one-at-a-time"],
        Field(description="All combinations of levels, or the baseline with one factor changed."),
    ] = "factorial"
    blocks: Annotated[
        int,
        Field(
            ge=1,
            le=MOST_BLOCKS,
            description="Passes over all treatments; six are the fewest that can decide.",
        ),
    ] = 6
    order: Annotated[Literal["randomized", "as-written"], Field(description="Order within a block.")] = (
        "randomized"
    )
    seed: Annotated[
        int | None, Field(ge=0, lt=2**53, description="Orders the runs; made from the study when absent.")
    ] = None
    fair: Annotated[
        Literal["report", "strict"],
        Field(description="strict: servers that are unequal in what the study does not vary raise a doubt."),
    ] = "report"


class HypothesisTable(Table):
    """One hypothesis, to be judged."""

    claim: Annotated[
        str,
        checked(checks.claim_text),
        WithJsonSchema({"type": "string"}),
        Field(description='"tps[a=4] > tps[a=1]", "… ~ …", "qps[..]/qps[..] >= 1000", "p95_ms[..] < 20".'),
    ]
    source: Annotated[str | None, Field(description="Where the hypothesis comes from.")] = None
    margin: Annotated[Margin | None, Field(description="Region of indifference for this claim.")] = None
    at: Annotated[
        list[Annotated[float, Field(gt=0, strict=False)]] | None,
        checked(checks.points),
        Field(description="Rungs of the ladder it speaks of; all when absent."),
    ] = None


class VerdictTable(Table):
    """How verdicts are reached."""

    margin: Annotated[
        Margin, Field(description="Ratios from 1 / (1 + margin) to 1 + margin are the same.")
    ] = 0.02
    confidence: Annotated[float, Field(gt=0.5, lt=1, strict=False, description="Of every interval.")] = 0.95


class StudyFile(Table):
    """A study: what to vary, what load to drive, which hypotheses to judge."""

    study: Header
    server: Server = Server()
    workload: Workload
    schema_: Annotated[Schema, Field(alias="schema")] = Schema()
    storage: Storage = Storage()
    host: Annotated[
        dict[str, Scalar],
        checked(check_host),
        WithJsonSchema(settings_schema(HOST)),
        Field(description="Settings of the machine, for the length of each run; put back after it."),
    ] = {}
    volume: Annotated[
        dict[str, Scalar],
        checked(check_volume),
        WithJsonSchema(settings_schema(VOLUME)),
        Field(description="A volume of loop devices that each run makes for its data, and removes."),
    ] = {}
    load: LoadTable
    experiment: ExperimentTable | None = None
    factor: list[FactorTable] = []
    design: DesignTable = DesignTable()
    hypothesis: list[HypothesisTable] = []
    verdict: VerdictTable = VerdictTable()
