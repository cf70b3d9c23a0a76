"""The table `[load]`."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, WithJsonSchema

from assay.design.study.arrivals import Arrivals
from assay.design.study.claims import LoadKind
from assay.design.study.key import Key, by_field, fixed, needing, own_server, whole, word
from assay.design.study.model import checks
from assay.design.study.model.checks import checked
from assay.design.study.model.phases import Warmup
from assay.design.study.model.table import OUTSIDE_IDENTITY, Table
from assay.design.study.values import LONGEST_DELAY_MS, check_delay

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
    profile_s: Annotated[
        int,
        fixed(
            needing(
                whole(
                    "Seconds of a profile window: after the measured windows of a run, each load point once"
                    " more, watched to say what the server's time goes into; 0: none.",
                    0,
                    600,
                ),
                "server",
            )
        ),
        OUTSIDE_IDENTITY,
    ] = 0
    profile_hz: Annotated[
        int,
        fixed(
            needing(whole("Samples of each busy processor a second in a profile window.", 1, 999), "server")
        ),
        OUTSIDE_IDENTITY,
    ] = 199
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

    reconnect: Annotated[
        int,
        by_field(
            needing(
                whole(
                    "Transactions after which a connection is closed and opened again, as by an application"
                    " without a connection pool; 0: never.",
                    0,
                ),
                "server",
            )
        ),
    ] = 0

    @property
    def kind(self) -> LoadKind:
        if self.iodepth is not None:
            return "iodepth"
        return "threads" if self.threads is not None else "rate"

    @property
    def rungs(self) -> tuple[float, ...]:
        """The load points, in the study's order."""
        return tuple(float(point) for point in self.threads or self.rate or self.iodepth or ())
