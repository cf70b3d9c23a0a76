"""The tables of a study that say what is measured: server, workload, files, tables, load, experiment.

Each is one type, in the file and in the program. A key that can vary, or that not every server can be given,
is a `Key`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, WithJsonSchema, model_validator

from assay.study import checks
from assay.study.arrivals import Arrivals
from assay.study.checks import checked
from assay.study.claims import LoadKind
from assay.study.experiments import EXPERIMENTS
from assay.study.host_settings import HOST
from assay.study.key import (
    Key,
    by_field,
    fixed,
    keys_of,
    name,
    needing,
    own_server,
    parsed,
    switch,
    text,
    whole,
    word,
)
from assay.study.phases import Warmup
from assay.study.values import (
    LONGEST_DELAY_MS,
    Scalar,
    check_delay,
    check_directory,
    check_numa,
    check_scalar,
    parse_size_bytes,
)
from assay.study.version_span import PATTERN, VersionSpan, parse_version_span
from assay.study.volume_settings import VOLUME

SCALAR = {"type": ["string", "number", "integer", "boolean"]}
_PROCESSORS = re.compile(r"\s*\d+(-\d+)?\s*(,\s*\d+(-\d+)?\s*)*")


class Table(BaseModel):
    """The base of all tables; it refuses unknown keys and values of another type.

    In the file a key has its alias, where it has one; in the program it has the name of the field.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_by_name=True)

    @property
    def written(self) -> dict[str, Any]:
        """The fields that were given, by name."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class ServerChoice(Table):
    """The server under test."""

    use: Annotated[
        str,
        by_field(
            name(
                '"mariadb", "mysql@8.0", "path:/base/dir" or "dsn:mysql://user@host:port/db"; '
                'several binaries of one build: "path:/a:/b:/c"; '
                '"none" for a load on files.'
            )
        ),
    ] = ""  # of a study that varies it: the first level
    variables: Annotated[
        dict[str, Scalar],
        checked(checks.variables),
        WithJsonSchema({"type": "object", "additionalProperties": SCALAR}),
        Field(
            description="Server variables, the same for every treatment; each is read back after the start."
        ),
    ] = {}
    options_file: Annotated[
        str | None,
        Field(
            min_length=1,
            description='A my.cnf, relative to the study: "my.cnf". Its server options are variables, unless'
            " the study sets them.",
        ),
    ] = None
    dynamic: Annotated[
        dict[str, Scalar],
        checked(checks.variables),
        WithJsonSchema({"type": "object", "additionalProperties": SCALAR}),
        Field(description="Server variables that are set on the running server, after its start."),
    ] = {}
    applies: Annotated[
        tuple[
            Annotated[
                VersionSpan,
                checked(parse_version_span, written=True),
                WithJsonSchema({"type": "string", "pattern": f"^{PATTERN}$"}),
            ],
            ...,
        ],
        checked(checks.tuple_of_list),
        Field(
            description='Servers that the study applies to: "mysql >= 5.6", "mariadb >= 10.2, < 10.6";'
            " all when absent."
        ),
    ] = ()
    reason: Annotated[
        str | None, Field(description="Why the study does not apply to other servers; the refusal shows it.")
    ] = None
    on: Annotated[
        str | None,
        checked(checks.hosts),
        Field(
            description="Hosts of the fleet file that carry whole blocks out, each with its own server: a"
            ' name, or labels that all hold, as in "role=server,zone=a"; this machine when absent.'
        ),
    ] = None
    cpus: Annotated[
        str | None,
        own_server(text('The processors that the server may use: "0-3,8".', _PROCESSORS, "0-3,8")),
    ] = None
    allocator: Annotated[
        str | None,
        own_server(
            word(
                "The memory allocator that is loaded before the server's own.",
                "libc",
                "jemalloc",
                "tcmalloc",
                "mimalloc",
            )
        ),
    ] = None
    memory: Annotated[
        str | None,
        own_server(parsed('Limit of the memory of the server, page cache included: "1G".', parse_size_bytes)),
    ] = None
    numa: Annotated[
        str | None,
        own_server(parsed('NUMA policy of the memory: "interleave", "bind=0", "preferred=1".', check_numa)),
    ] = None
    data_dir: Annotated[
        str | None,
        own_server(parsed('Directory in which each run puts its data: "/data/fast".', check_directory)),
    ] = None
    redo_dir: Annotated[
        str | None,
        own_server(parsed("Directory in which each run puts its redo log.", check_directory)),
    ] = None
    binlog_dir: Annotated[
        str | None,
        own_server(parsed("Directory in which each run puts its binary log.", check_directory)),
    ] = None


class _WithOptions(Table):
    """The base of tables in which every key that has no field is an option."""

    @model_validator(mode="before")
    @classmethod
    def _options(cls, raw: Any, info: ValidationInfo) -> Any:
        if info.context is not checks.FROM_FILE or not isinstance(raw, dict):
            return raw
        own = {"use": raw["use"]} if "use" in raw else {}
        return {**own, "options": {key: value for key, value in raw.items() if key != "use"}}


def _options_in_table(form: dict[str, Any]) -> None:
    """Marks in the JSON Schema of a table that options are keys of it."""
    form["additionalProperties"] = form["properties"].pop("options")["additionalProperties"]
    form["properties"].pop("files", None)


Options = dict[str, Annotated[Scalar, checked(check_scalar), WithJsonSchema(SCALAR)]]


class WorkloadChoice(_WithOptions):
    """The workload. Every other key is an option of the workload, by its sysbench name with underscores."""

    model_config = ConfigDict(json_schema_extra=_options_in_table)

    use: Annotated[
        str,
        by_field(
            name(
                "Name of a workload, as `assay bench --help` lists them; on files "
                '"fio:JOB.fio" (beside the study file) or "fileio".'
            )
        ),
    ] = ""  # of a study that varies it: the first level
    options: Options = {}
    # `use` -> text of the job file or script that it names; what that includes or loads by its name.
    files: dict[str, str] = {}


class StorageChoice(Table):
    """The directory of the files under load, and how they are prepared."""

    directory: Annotated[
        str | None,
        by_field(
            parsed(
                'Directory in which each run creates a directory for its files: "/data/fast".',
                check_directory,
            )
        ),
    ] = None  # None, "default": the lab's own place
    passes: Annotated[
        int,
        Field(ge=0, le=10, description="Times that the files are overwritten before the first load point."),
    ] = 0
    rounds: Annotated[
        int,
        Field(
            ge=0,
            le=100,
            description="Maximum number of rounds of the load before a load point,"
            " until a steady state; 0: none.",
        ),
    ] = 0
    round_s: Annotated[
        float,
        checked(checks.window, written=True),
        WithJsonSchema({"type": "string"}),
        Field(alias="round", description='Length of a round: "60s".'),
    ] = 60.0


class SchemaChoice(Table):
    """How the tables are made."""

    engine: Annotated[str | None, by_field(name("Storage engine of the tables."))] = None
    index: Annotated[bool | None, by_field(switch("Whether the secondary index is made."))] = None


RungOrder = Literal["shuffled", "alternating", "as-written"]
"""Order of a ladder's rungs in the runs of a block."""


class Load(Table):
    """The ladder of load points, and the phases of each. A study has one of `threads`, `rate`, `iodepth`."""

    threads: Annotated[
        tuple[Annotated[int, checked(checks.threads), WithJsonSchema({"type": "integer", "minimum": 1})], ...]
        | None,
        checked(checks.distinct("number of threads")),
        Field(description="A closed loop: connections, each with one transaction at a time."),
    ] = None
    rate: Annotated[
        tuple[
            Annotated[float, checked(checks.rate), WithJsonSchema({"type": "number", "exclusiveMinimum": 0})],
            ...,
        ]
        | None,
        checked(checks.distinct("rate")),
        Field(description="An open loop: transactions per second, whether or not the server keeps up."),
    ] = None
    iodepth: Annotated[
        tuple[Annotated[int, checked(checks.depth), WithJsonSchema({"type": "integer", "minimum": 1})], ...]
        | None,
        checked(checks.distinct("depth")),
        Field(description="On files: a closed loop; operations in flight per worker."),
    ] = None
    order: Annotated[
        RungOrder,
        fixed(
            word(
                "Order of the load points of a run: shuffled by block, upwards and downwards by turns, or as"
                " they are written.",
                *get_args(RungOrder),
            )
        ),
    ] = "shuffled"
    terminals: Annotated[
        int | None, fixed(needing(whole("Users who share the connections of a closed loop.", 1), "server"))
    ] = None
    think_ms: Annotated[
        Annotated[float, Field(strict=False)],
        fixed(
            needing(
                Key(
                    "Time between the transactions of each user of a closed loop, in ms.",
                    {"type": "number", "minimum": 0, "maximum": checks.LONGEST_THINK_MS},
                    checks.think_ms,
                ),
                "server",
            )
        ),
    ] = 0.0
    arrivals: Annotated[
        Arrivals,
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
            description="Arrivals of an open loop: a name, or a load shape whose rates are shares"
            " of the load point's rate."
        ),
    ] = "poisson"
    connections: Annotated[int | None, fixed(needing(whole("Connections of an open loop.", 1), "server"))] = (
        None
    )
    generators: Annotated[
        int | None,
        fixed(needing(whole("Engines that share the load, each a process of its own.", 1, 64), "server")),
    ] = None
    warmup: Annotated[
        Warmup,
        checked(checks.warmup, written=True),
        WithJsonSchema({"type": "string"}),
        Field(description='"30s", "until-steady", "until-steady <= 60s" or "none".'),
    ] = Warmup(kind="until-steady", seconds=120.0)
    measure_s: Annotated[
        float,
        checked(checks.window, written=True),
        WithJsonSchema({"type": "string"}),
        Field(alias="measure", description='The measured window, "60s".'),
    ] = 60.0
    ps_mode: Annotated[
        Literal["auto", "disable"],
        by_field(
            needing(
                word(
                    "auto: statements are prepared at the server; disable: they are sent as text.",
                    "auto",
                    "disable",
                ),
                "server",
            )
        ),
    ] = "auto"
    client: Annotated[
        Literal["socket", "tcp", "netns"] | None,
        by_field(
            own_server(
                word(
                    "How clients connect: over the server's socket, over 127.0.0.1, or from their own"
                    " network namespace.",
                    "socket",
                    "tcp",
                    "netns",
                )
            )
        ),
    ] = None  # the socket, or as a DSN says
    delay_ms: Annotated[
        Annotated[float, Field(strict=False)],
        by_field(
            needing(
                Key(
                    'Delay added to every round trip, in ms; needs client = "netns".',
                    {"type": "number", "minimum": 0, "maximum": LONGEST_DELAY_MS},
                    check_delay,
                ),
                "server",
            )
        ),
    ] = 0.0

    @property
    def kind(self) -> LoadKind:
        if self.iodepth is not None:
            return "iodepth"
        return "threads" if self.threads is not None else "rate"

    @property
    def rungs(self) -> tuple[float, ...]:
        """The load points, in the study's order."""
        return tuple(float(point) for point in self.threads or self.rate or self.iodepth or ())


class ExperimentChoice(_WithOptions):
    """An experiment instead of a steady load. Every other key is an option of it."""

    model_config = ConfigDict(json_schema_extra=_options_in_table)

    use: Annotated[str, word("Name of the experiment; docs/method/experiments.md lists them.", *EXPERIMENTS)]
    options: Options = {}


SECTIONS: Mapping[str, type[Table]] = {
    "server": ServerChoice,
    "workload": WorkloadChoice,
    "storage": StorageChoice,
    "schema": SchemaChoice,
    "load": Load,
}
KEYS: Mapping[str, Key] = {
    **{f"{section}.{key}": one for section, table in SECTIONS.items() for key, one in keys_of(table).items()},
    **{f"host.{key}": by_field(needing(one, "lab")) for key, one in HOST.items()},
    **{f"volume.{key}": by_field(needing(one, "lab")) for key, one in VOLUME.items()},
}
"""Every key that has one value, by its full name: `server.cpus`, `host.block.scheduler`."""

GIVEN = tuple(full for full, key in KEYS.items() if key.factor and not key.by_field)
"""Keys that `Study.given` and the `given` of a treatment have, by their full names."""


def field_of(section: str) -> str:
    """Returns the name of the field of a study that has a table."""
    return "schema_" if section == "schema" else section
