"""Checks of the values of single keys in a study file.

Each check returns the parsed value, or raises ValueError with a sentence for people.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast, get_args

from pydantic import BeforeValidator, ValidationInfo
from pydantic_core import PydanticCustomError

from assay.design.study.arrivals import Arrivals, Named, shape_problem
from assay.design.study.claims import ClaimSyntaxError, parse_at, parse_claim
from assay.design.study.model.phases import Warmup
from assay.design.study.values import (
    Scalar,
    check_variable,
    check_variable_name,
    is_duration,
    level_text,
    parse_duration_s,
    shown,
)

FROM_FILE = {"file": True}
"""The context in which the tables of a study file are validated: it writes some values as text."""

FROM_RESULTS = {"file": True, "results": True}
"""The context of a study file that lies in a results folder, which an earlier version may have written."""


def is_written(info: ValidationInfo) -> bool:
    """Returns whether a value is validated in the form that it has in a file."""
    return info.context is FROM_FILE or info.context is FROM_RESULTS


def checked(
    check: Callable[[Any], object], *, written: bool = False, recorded: Callable[[Any], object] | None = None
) -> BeforeValidator:
    """Returns a validator made of a function that raises ValueError with a sentence for people.

    `written`: it reads the form that the value has in a file, and leaves the value of a program as it is.
    `recorded`: the function that reads it in a results folder, if that differs.
    """

    def validate(value: object, info: ValidationInfo) -> object:
        if value is None or (written and not is_written(info)):  # no TOML has None
            return value
        try:
            return (recorded if recorded and info.context is FROM_RESULTS else check)(value)
        except PydanticCustomError:  # a ValueError too, but one that knows its place already
            raise
        except ClaimSyntaxError as error:
            raise PydanticCustomError(
                "claim", "{sentence}", {"sentence": str(error), "drawing": error.drawing}
            ) from None
        except ValueError as error:
            raise PydanticCustomError("value", "{sentence}", {"sentence": str(error)}) from None

    return BeforeValidator(validate)


def tuple_of_list(values: object) -> object:
    return tuple(values) if isinstance(values, list) else values


MOST_THREADS = 1_000_000
MOST_RATE = 1e9


def threads(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{shown(value)} is not a number of threads; write a whole number from 1")
    if value < 1:
        raise ValueError(f"{value} threads drive no load; the smallest number is 1")
    if value > MOST_THREADS:
        raise ValueError(f"{value} threads are more than a study may have: at most {MOST_THREADS}")
    return value


_COLLATION = re.compile(r"[A-Za-z0-9_]{1,64}")


def collations(value: object) -> object:
    """Returns a table of collations as it is."""
    if not isinstance(value, dict):
        raise ValueError('is a table, as in { utf8mb4_0900_ai_ci = "utf8mb4_unicode_520_ci" }')
    for name, other in value.items():
        for one in (name, other):
            if not isinstance(one, str) or not _COLLATION.fullmatch(one):
                raise ValueError(f"{shown(one)} is not the name of a collation; write letters, digits and _")
    return value


def depth(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{shown(value)} is not a queue depth; write operations in flight, from 1")
    return value


def rate(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ValueError(f"{shown(value)} is not a rate; write transactions per second, above 0")
    if value > MOST_RATE:
        raise ValueError(f"{shown(value)} is more than a rate may be: at most {MOST_RATE:.0f} a second")
    return float(value)


def arrivals(value: object) -> Arrivals:
    if isinstance(value, dict):
        problem = shape_problem(value)
        if problem is not None:
            raise ValueError(problem)
        return value
    if value not in get_args(Named):
        raise ValueError(
            f'{shown(value)} is not a kind of arrivals; write "poisson", "constant", or a load shape'
            ' around a rate of 1: { kind = "wave", mean = 1, amplitude = 0.5, period_ms = 60000 }'
        )
    return cast("Named", value)


def window(value: object) -> float:
    seconds = parse_duration_s(value)
    if seconds <= 0:
        raise ValueError(
            f'{shown(value)} is a window of zero length: nothing can be measured in it; write at least "1s"'
        )
    return seconds


LONGEST_THINK_MS = 86_400_000
"""A day, the longest think time that the engine takes."""


def think_ms(value: object) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= LONGEST_THINK_MS:  # type: ignore[operator]
        raise ValueError(f"{shown(value)} is not a think time; write milliseconds, as in 50")


def warmup(value: object) -> Warmup:
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
        if isinstance(value, str) and not is_duration(value):
            raise ValueError(
                f'{shown(value)} is not a warm-up; write "30s", "until-steady", "until-steady <='
                ' 60s" or "none"'
            ) from None
        raise error
    return Warmup(kind="fixed", seconds=seconds) if seconds > 0 else Warmup(kind="none")


MOST_IN_A_LIST = 1000
"""The most levels of a factor, and the most load points."""


def distinct(name: str) -> Callable[[object], tuple[Any, ...]]:
    def check(values: object) -> tuple[Any, ...]:
        if not isinstance(values, list | tuple):
            number = isinstance(values, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)?", values)
            item = values if number and name != "level" else shown(values)
            raise ValueError(f"{shown(values)} is not a list; write [{item}]")
        if not values:
            raise ValueError(f"is an empty list; write at least one {name}")
        if len(values) > MOST_IN_A_LIST:
            raise ValueError(f"lists {len(values):,} values of a {name}; the most is {MOST_IN_A_LIST:,}")
        seen: dict[str, object] = {}
        for value in values:
            text = level_text(value) if isinstance(value, str | int | float) else shown(value)
            if text in seen:
                raise ValueError(f"{shown(value)} is in the list twice")
            seen[text] = value
        return tuple(values)

    return check


def points(values: object) -> tuple[Any, ...] | str:
    if isinstance(values, str):
        parse_at(values)
        return values
    found = distinct("load point")(values)
    for position, value in enumerate(found):
        if isinstance(value, bool) or not isinstance(value, int | float):
            number = isinstance(value, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)?", value)
            raise PydanticCustomError(
                "value",
                "{sentence}",
                {
                    "sentence": f"{shown(value)} is not a number;"
                    f" write {value if number else 'a load point'}",
                    "position": position,
                },
            )
    return found


def levels(values: object) -> list[Scalar]:
    levels: list[Scalar] = [check_variable(value) for value in distinct("level")(values)]
    kinds = {"number" if type(level) in (int, float) else type(level).__name__ for level in levels}
    if len(kinds) > 1:
        raise ValueError(
            f"{shown(list(levels))} mixes types; write all as numbers, all as strings, or all as true, false"
        )
    if len(levels) < 2:
        raise ValueError("has one level, so nothing varies; add a level, or set the value outside [[factor]]")
    return levels


def texts(value: object) -> dict[str, str]:
    """Returns a text by language; one alone is English."""
    if isinstance(value, str):
        return {"en": value}
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise ValueError('is a string, or a table of languages as in { en = "…", zh = "…" }')
    if unknown := sorted(set(value) - {"en", "zh"}):
        raise ValueError(f'"{unknown[0]}" is not a language of the reports; known: en, zh')
    return dict(value)


_HOSTS = re.compile(r"[^\s,=]+|(?:role|zone)=[^\s,=]+(?:,(?:role|zone)=[^\s,=]+)*")


def hosts(value: object) -> str:
    """Returns the name of a host, or labels of hosts."""
    if not isinstance(value, str) or not _HOSTS.fullmatch(value):
        raise ValueError(
            f'{shown(value)} is not allowed; write the name of a host, or labels, as in "role=server,zone=a"'
        )
    return value


def variables(value: object) -> dict[str, Scalar]:
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


def claim_text(text: object) -> object:
    if not isinstance(text, str):
        raise ValueError(f'{shown(text)} is not a claim; write a string as in "tps[a=4] > tps[a=1]"')
    parse_claim(text)
    return text
