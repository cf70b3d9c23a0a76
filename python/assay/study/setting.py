"""Settings by name with values of their own: what a table like `[host]` or `[volume]` is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticCustomError

from assay.study.nearest import did_you_mean
from assay.study.values import Scalar, shown


@dataclass(frozen=True)
class Setting:
    """One key; `check` raises ValueError with a sentence for a value that it cannot have."""

    help: str
    schema: dict[str, Any]
    check: Callable[[object], object]


def whole(help_text: str, least: int, most: int | None = None) -> Setting:
    limits = {"minimum": least} | ({} if most is None else {"maximum": most})

    def check(value: object) -> None:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or value < least or (most is not None and value > most):  # type: ignore[operator]
            span = f"from {least}" if most is None else f"from {least} to {most}"
            raise ValueError(f"{shown(value)} is no value here; write a whole number {span}")

    return Setting(help_text, {"type": "integer", **limits}, check)


def word(help_text: str, *words: str) -> Setting:
    def check(value: object) -> None:
        if value not in words:
            near = did_you_mean(value, words) if isinstance(value, str) else f"; known: {', '.join(words)}"
            raise ValueError(f"{shown(value)} is no value here{near}")

    return Setting(help_text, {"enum": list(words)}, check)


def text(help_text: str, pattern: re.Pattern[str], example: str) -> Setting:
    """Which words there are only the machine knows; it is asked before load is spent."""

    def check(value: object) -> None:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(f'{shown(value)} is no value here; write it as in "{example}"')

    return Setting(help_text, {"type": "string", "pattern": f"^{pattern.pattern}$"}, check)


def switch(help_text: str) -> Setting:
    def check(value: object) -> None:
        if not isinstance(value, bool):
            raise ValueError(f"{shown(value)} is no value here; write true or false")

    return Setting(help_text, {"type": "boolean"}, check)


def parsed(help_text: str, parse: Callable[[object], object]) -> Setting:
    """Whatever `parse` takes."""
    return Setting(help_text, {"type": "string"}, parse)


def check_settings(
    value: object, known: Mapping[str, Setting], table: str, example: str
) -> dict[str, Scalar]:
    """A table as TOML nests it -> name -> value. ValueError with the nearest key, or for a wrong value.

    `table`: what it is a setting of, as in "the machine".
    """
    if not isinstance(value, dict):
        raise ValueError(f"is a table of settings, as in {example}")
    found: dict[str, Scalar] = {}
    for key, entry in value.items():
        inner = entry if isinstance(entry, dict) else {None: entry}
        for below, setting in inner.items():
            name = key if below is None else f"{key}.{below}"
            if name not in known:
                raise _below(name, f'no setting of {table} is called "{name}"{_near(name, known)}')
            try:
                known[name].check(setting)
            except ValueError as error:
                raise _below(name, str(error)) from None
            found[name] = setting
    return found


def settings_schema(known: Mapping[str, Setting]) -> dict[str, Any]:
    """JSON Schema of the table."""
    top: dict[str, Any] = {}
    for name, setting in known.items():
        table, _, key = name.rpartition(".")
        entry = {"description": setting.help, **setting.schema}
        if table:
            empty = {"type": "object", "additionalProperties": False, "properties": {}}
            top.setdefault(table, empty)["properties"][key] = entry
        else:
            top[key] = entry
    return {"type": "object", "additionalProperties": False, "properties": top}


def _near(name: str, known: Mapping[str, Setting]) -> str:
    """Of a table written as if it were a key, the keys in it."""
    inside = [one for one in known if one.startswith(f"{name}.")]
    return f"; known: {', '.join(inside)}" if inside else did_you_mean(name, known)


def _below(name: str, sentence: str) -> PydanticCustomError:
    return PydanticCustomError("value", "{sentence}", {"sentence": sentence, "below": name})
