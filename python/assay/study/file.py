"""The shape of a study file: one frozen model a table, every key with its help text and its own complaint.

schema/study.json is made from these models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from assay.study.claim_parser import ClaimSyntaxError, parse_claim
from assay.study.factor_names import check_factor_name, check_variable_name
from assay.study.models import Warmup
from assay.study.values import Scalar, check_scalar, check_variable, level_text, parse_duration_s, shown

SLUG = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"
MOST_BLOCKS = 99  # run ids number blocks with two digits

_SCALAR = {"type": ["string", "number", "integer", "boolean"]}


def _checked(check: Callable[[Any], object]) -> BeforeValidator:
    """A validator from a function that raises ValueError with a sentence for people."""

    def validate(value: object) -> object:
        try:
            return check(value)
        except ClaimSyntaxError as error:
            raise PydanticCustomError(
                "claim", "{sentence}", {"sentence": str(error), "drawing": error.drawing}
            ) from None
        except ValueError as error:
            raise PydanticCustomError("value", "{sentence}", {"sentence": str(error)}) from None

    return BeforeValidator(validate)


def _threads(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{shown(value)} is not a number of threads; write a whole number from 1")
    if value < 1:
        raise ValueError(f"{value} threads drive no load; the smallest number is 1")
    return value


def _rate(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ValueError(f"{shown(value)} is not a rate; write transactions per second, above 0")
    return float(value)


def _window(value: object) -> float:
    seconds = parse_duration_s(value)
    if seconds <= 0:
        raise ValueError(
            f'{shown(value)} is a window of zero length, in which nothing can be measured; write at least "1s"'
        )
    return seconds


def _warmup(value: object) -> Warmup:
    if value == "none":
        return Warmup(kind="none")
    if isinstance(value, str) and value.startswith("until-steady"):
        rest = value.removeprefix("until-steady").strip()
        if not rest:
            return Warmup(kind="until-steady", seconds=120.0)
        if rest.startswith("<="):
            return Warmup(kind="until-steady", seconds=parse_duration_s(rest.removeprefix("<=").strip()))
    try:
        seconds = parse_duration_s(value)
    except ValueError as error:
        if isinstance(value, str):
            raise ValueError(
                f'{shown(value)} is no warm-up; write "30s", "until-steady", "until-steady <= 60s" or "none"'
            ) from None
        raise error
    return Warmup(kind="fixed", seconds=seconds) if seconds > 0 else Warmup(kind="none")


def _distinct(name: str) -> Callable[[list[Any]], list[Any]]:
    def check(values: object) -> list[Any]:
        if not isinstance(values, list):
            raise ValueError(f"{shown(values)} is not a list; write [{shown(values)}]")
        if not values:
            raise ValueError(f"is an empty list; write at least one {name}")
        seen: dict[str, object] = {}
        for value in values:
            text = level_text(value) if isinstance(value, str | int | float) else shown(value)
            if text in seen:
                raise ValueError(f"{shown(value)} stands in the list twice")
            seen[text] = value
        return values

    return check


def _levels(values: object) -> list[Scalar]:
    levels: list[Scalar] = [check_variable(value) for value in _distinct("level")(values)]  # type: ignore[arg-type]
    kinds = {"number" if type(level) in (int, float) else type(level).__name__ for level in levels}
    if len(kinds) > 1:
        raise ValueError(
            f"{shown(list(levels))} mixes types; write all levels as numbers, all as strings, or all as true and false"
        )
    if len(levels) < 2:
        raise ValueError(
            "has one level, so nothing varies; add a level, or set the value where the study fixes it"
        )
    return levels


def _title(value: object) -> dict[str, str]:
    if isinstance(value, str):
        return {"en": value}
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise ValueError('is a string, or a table of languages as in { en = "…", zh = "…" }')
    if unknown := sorted(set(value) - {"en", "zh"}):
        raise ValueError(f'"{unknown[0]}" is no language of the reports; known: en, zh')
    return dict(value)


def _variables(value: object) -> dict[str, Scalar]:
    if not isinstance(value, dict):
        raise ValueError('is a table of variables, as in { innodb_buffer_pool_size = "1G" }')
    checked: dict[str, Scalar] = {}
    for name, setting in value.items():
        check_variable_name(name)
        try:
            checked[name] = check_variable(setting)
        except ValueError as error:
            raise PydanticCustomError(
                "value", "{sentence}", {"sentence": str(error), "below": name}
            ) from None
    return checked


class Table(BaseModel):
    """One table of the file; takes no key it does not know and no type it did not ask for."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Seconds = Annotated[float, _checked(parse_duration_s), WithJsonSchema({"type": "string"})]
Margin = Annotated[float, Field(gt=0, lt=1, strict=False)]


class Header(Table):
    """Who the study is."""

    name: Annotated[
        str, Field(pattern=SLUG, max_length=60, description="Names the results folder: a-z, 0-9, - and _.")
    ]
    title: Annotated[
        dict[str, str],
        _checked(_title),
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
            description='"mariadb", "mysql@8.4", "path:/base/dir" or "dsn:mysql://user@host:port/db".',
        ),
    ] = None
    variables: Annotated[
        dict[str, Scalar],
        _checked(_variables),
        WithJsonSchema({"type": "object", "additionalProperties": _SCALAR}),
        Field(
            description="Server variables, the same for every treatment; each is read back after the start."
        ),
    ] = {}


class Workload(Table):
    """What is sent. Every other key is an option of the workload, by its sysbench name with underscores."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    __pydantic_extra__: dict[str, Annotated[Scalar, _checked(check_scalar), WithJsonSchema(_SCALAR)]] = Field(
        init=False
    )

    use: Annotated[
        str, Field(min_length=1, description="Name of a workload, as `assay bench --help` lists them.")
    ]


class Schema(Table):
    """How the tables are made."""

    engine: Annotated[str | None, Field(min_length=1, description="Storage engine of the tables.")] = None
    index: Annotated[bool | None, Field(description="Whether the secondary index is made.")] = None


class LoadTable(Table):
    """The ladder of load points, and the phases of each."""

    threads: Annotated[
        list[Annotated[int, _checked(_threads), WithJsonSchema({"type": "integer", "minimum": 1})]] | None,
        _checked(_distinct("number of threads")),
        Field(description="A closed loop: connections, each with one transaction at a time."),
    ] = None
    rate: Annotated[
        list[Annotated[float, _checked(_rate), WithJsonSchema({"type": "number", "exclusiveMinimum": 0})]]
        | None,
        _checked(_distinct("rate")),
        Field(description="An open loop: transactions per second, whether or not the server keeps up."),
    ] = None
    arrivals: Annotated[Literal["poisson", "constant"] | None, Field(description="Gaps of an open loop.")] = (
        None
    )
    connections: Annotated[int | None, Field(ge=1, description="Connections of an open loop.")] = None
    warmup: Annotated[
        Warmup,
        _checked(_warmup),
        WithJsonSchema({"type": "string"}),
        Field(description='"30s", "until-steady", "until-steady <= 60s" or "none".'),
    ] = Warmup(kind="until-steady", seconds=120.0)
    measure: Annotated[
        float,
        _checked(_window),
        WithJsonSchema({"type": "string"}),
        Field(description='The measured window, "60s".'),
    ] = 60.0
    ps_mode: Annotated[
        Literal["auto", "disable"] | None,
        Field(description="auto prepares statements at the server, disable sends text."),
    ] = None


class FactorTable(Table):
    """One thing that is varied."""

    name: Annotated[
        str,
        _checked(check_factor_name),
        WithJsonSchema({"type": "string"}),
        Field(
            description="server.variables.X, workload.X, schema.index, schema.engine, server.use or load.ps_mode."
        ),
    ]
    levels: Annotated[
        list[Scalar],
        _checked(_levels),
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


class HypothesisTable(Table):
    """One belief, to be judged."""

    claim: Annotated[
        str,
        _checked(lambda text: _parsable(text)),
        WithJsonSchema({"type": "string"}),
        Field(description='"tps[a=4] > tps[a=1]", "… ~ …", "qps[..]/qps[..] >= 1000", "p95_ms[..] < 20".'),
    ]
    source: Annotated[str | None, Field(description="Where the belief comes from.")] = None
    margin: Annotated[Margin | None, Field(description="Region of indifference for this claim.")] = None
    at: Annotated[
        list[Annotated[float, Field(gt=0, strict=False)]] | None,
        _checked(_distinct("load point")),
        Field(description="Rungs of the ladder it speaks of; all when absent."),
    ] = None


class VerdictTable(Table):
    """How verdicts are reached."""

    margin: Annotated[Margin, Field(description="Ratios within 1 ± margin are the same.")] = 0.02
    confidence: Annotated[float, Field(gt=0.5, lt=1, strict=False, description="Of every interval.")] = 0.95


class StudyFile(Table):
    """A study: what to vary, what to load, what is believed."""

    study: Header
    server: Server = Server()
    workload: Workload
    schema_: Annotated[Schema, Field(alias="schema")] = Schema()
    load: LoadTable
    factor: list[FactorTable] = []
    design: DesignTable = DesignTable()
    hypothesis: list[HypothesisTable] = []
    verdict: VerdictTable = VerdictTable()


def _parsable(text: object) -> object:
    if not isinstance(text, str):
        raise ValueError(f'{shown(text)} is no claim; write a string as in "tps[a=4] > tps[a=1]"')
    parse_claim(text)
    return text
