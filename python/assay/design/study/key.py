"""Keys of the study file, of which tables such as `[server]`, `[host]` and `[volume]` consist."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core.core_schema import no_info_before_validator_function

from assay.design.study.nearest import did_you_mean, nearest
from assay.design.study.values import Scalar, shown

Needs = Literal["server", "lab"]
"""`server`: a load on a server, none on files. `lab`: a server that the lab starts, or files."""


@dataclass(frozen=True, eq=False)
class Key:
    """One key of the study file with a single value: what the value may be, its help, and what it needs.

    It stands in a table's type, `cpus: Annotated[str | None, Key(…)] = None`, or in a dict of keys by name.
    Everything else that knows of a key is made of this: error messages, the JSON Schema, factors and their
    levels, what is refused on a server that runs already, what `assay plan` shows.
    """

    help: str
    schema: dict[str, Any]
    check: Callable[[object], object]  # ValueError with a sentence for a value that it cannot have
    factor: bool = True  # whether a study may vary it
    needs: frozenset[Needs] = frozenset()
    by_field: bool = False  # whether treatments have it in a field, and not in `given`

    def __get_pydantic_core_schema__(self, kind: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_before_validator_function(self._checked, handler(kind))

    def __get_pydantic_json_schema__(self, kind: CoreSchema, handler: object) -> dict[str, Any]:
        return {"description": self.help, **self.schema}

    def _checked(self, value: Any) -> Any:
        if value is None:  # no TOML has it; the type says whether a program may leave the key out
            return value
        try:
            self.check(value)
        except ValueError as error:
            raise PydanticCustomError("value", "{sentence}", {"sentence": str(error)}) from None
        return value


def needing(key: Key, *needs: Needs) -> Key:
    """Returns the key, refused where one of these is not there."""
    return replace(key, needs=key.needs | set(needs))


def own_server(key: Key) -> Key:
    """Returns the key as one for servers that the lab starts, which a running server cannot be given."""
    return needing(key, "server", "lab")


def fixed(key: Key) -> Key:
    """Returns the key as one that a study cannot vary."""
    return replace(key, factor=False)


def by_field(key: Key) -> Key:
    """Returns the key as one that treatments have in a field, and not in `given`."""
    return replace(key, by_field=True)


def keys_of(table: type[BaseModel]) -> dict[str, Key]:
    """Returns the keys in a table's type, by their names in the file."""
    return {
        name: key
        for name, field in table.model_fields.items()
        for key in field.metadata
        if isinstance(key, Key)
    }


def whole(help_text: str, least: int, most: int | None = None) -> Key:
    limits = {"minimum": least} | ({} if most is None else {"maximum": most})

    def check(value: object) -> None:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or value < least or (most is not None and value > most):  # type: ignore[operator]
            span = f"from {least}" if most is None else f"from {least} to {most}"
            raise ValueError(f"{shown(value)} is not allowed; write a whole number {span}")

    return Key(help_text, {"type": "integer", **limits}, check)


def amount(help_text: str, least: float, most: float) -> Key:
    """Returns a key for a number, whole or not."""

    def check(value: object) -> None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not least <= value <= most:  # type: ignore[operator]
            raise ValueError(f"{shown(value)} is not allowed; write a number from {least:g} to {most:g}")

    return Key(help_text, {"type": "number", "minimum": least, "maximum": most}, check)


def word(help_text: str, *words: str) -> Key:
    def check(value: object) -> None:
        if value not in words:
            close = nearest(value, words) if isinstance(value, str) else None
            also = f'; did you mean "{close}"?' if close else ""
            raise ValueError(f"{shown(value)} is not allowed; allowed: {', '.join(map(shown, words))}{also}")

    return Key(help_text, {"type": "string", "enum": list(words)}, check)


def text(help_text: str, pattern: re.Pattern[str], example: str) -> Key:
    """Returns a key for words that only the machine knows; it is asked before load is spent."""

    def check(value: object) -> None:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(f'{shown(value)} is not allowed; write it as in "{example}"')

    return Key(help_text, {"type": "string", "pattern": f"^{pattern.pattern}$"}, check)


def switch(help_text: str) -> Key:
    def check(value: object) -> None:
        if not isinstance(value, bool):
            raise ValueError(f"{shown(value)} is not allowed; write true or false")

    return Key(help_text, {"type": "boolean"}, check)


def name(help_text: str) -> Key:
    """Returns a key for a name that is known elsewhere, and checked before load is spent."""

    def check(value: object) -> None:
        if not isinstance(value, str):
            raise ValueError(f"{shown(value)} is not allowed; write a name in quotes")
        if not value:
            raise ValueError("is empty")

    return Key(help_text, {"type": "string", "minLength": 1}, check)


def parsed(help_text: str, parse: Callable[[object], object]) -> Key:
    """Returns a key for values that `parse` accepts."""
    return Key(help_text, {"type": "string"}, parse)


def check_keys(
    value: object,
    known: Mapping[str, Key],
    table: str,
    example: str,
    *,
    gone: Mapping[str, str] | None = None,
) -> dict[str, Scalar]:
    """Returns a table, nested as in TOML, as values by name. Raises ValueError for an unknown key, with the
    nearest, or a wrong value.

    `table`: what it is a setting of, such as "the machine". `gone`: keys of earlier versions, and what became
    of them.
    """
    if not isinstance(value, dict):
        raise ValueError(f"is a table of settings, as in {example}")
    found: dict[str, Scalar] = {}
    for key, entry in value.items():
        inner = entry if isinstance(entry, dict) else {None: entry}
        for below, setting in inner.items():
            full = key if below is None else f"{key}.{below}"
            if full not in known:
                why = (gone or {}).get(full) or _near(full, known)
                raise _below(full, f'no setting of {table} is called "{full}"{why}')
            try:
                known[full].check(setting)
            except ValueError as error:
                raise _below(full, str(error)) from None
            found[full] = setting
    return found


def recorded_keys(value: object, check: Callable[[object], dict[str, Scalar]]) -> dict[str, Scalar]:
    """Returns a table of a study in a results folder as values by name: what `check` returns, and as they
    are the keys that only an earlier version knew.
    """
    try:
        return check(value)
    except ValueError:
        found: dict[str, Scalar] = {}
        for key, entry in value.items() if isinstance(value, dict) else ():
            inner = entry if isinstance(entry, dict) else {None: entry}
            for below, setting in inner.items():
                if not isinstance(setting, str | int | float):
                    raise
                found[key if below is None else f"{key}.{below}"] = setting
        return found


def keys_schema(known: Mapping[str, Key]) -> dict[str, Any]:
    """Returns the JSON Schema of the table."""
    top: dict[str, Any] = {}
    for full, key in known.items():
        table, _, last = full.rpartition(".")
        entry = {"description": key.help, **key.schema}
        if table:
            empty = {"type": "object", "additionalProperties": False, "properties": {}}
            top.setdefault(table, empty)["properties"][last] = entry
        else:
            top[last] = entry
    return {"type": "object", "additionalProperties": False, "properties": top}


def _near(full: str, known: Mapping[str, Key]) -> str:
    """Returns the keys of a table that was written as if it were a key, or the nearest key."""
    inside = [one for one in known if one.startswith(f"{full}.")]
    return f"; known: {', '.join(inside)}" if inside else did_you_mean(full, known)


def _below(full: str, sentence: str) -> PydanticCustomError:
    return PydanticCustomError("value", "{sentence}", {"sentence": sentence, "below": full})
