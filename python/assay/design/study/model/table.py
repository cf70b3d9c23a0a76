"""The base of the tables of a study."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, ValidationInfo, WithJsonSchema, model_validator

from assay.design.study.model import checks
from assay.design.study.model.checks import checked
from assay.design.study.values import Scalar, check_scalar

SCALAR = {"type": ["string", "number", "integer", "boolean"]}


class Frozen(BaseModel):
    """Base of models that never change and refuse unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class Table(BaseModel):
    """The base of all tables; it refuses unknown keys and values of another type.

    In the file a key has its alias, where it has one; in the program it has the name of the field.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_by_name=True)

    @property
    def written(self) -> dict[str, Any]:
        """The fields that were given, by name."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class _Mark:
    """What stands in the type of a key and is no check of it."""


OUTSIDE_IDENTITY = _Mark()
"""Marks a key that is no part of a study's identity: results stay valid when it changes."""


def identity_keys(table: type[BaseModel]) -> set[str]:
    """Returns the keys of a table that are part of a study's identity: all but those that are marked."""
    return {name for name, field in table.model_fields.items() if OUTSIDE_IDENTITY not in field.metadata}


class TableWithOptions(Table):
    """The base of tables in which every key that has no field is an option."""

    @model_validator(mode="before")
    @classmethod
    def _options(cls, raw: Any, info: ValidationInfo) -> Any:
        if not checks.is_written(info) or not isinstance(raw, dict):
            return raw
        own = {"use": raw["use"]} if "use" in raw else {}
        return {**own, "options": {key: value for key, value in raw.items() if key != "use"}}


def options_in_table(form: dict[str, Any]) -> None:
    """Marks in the JSON Schema of a table that options are keys of it."""
    form["additionalProperties"] = form["properties"].pop("options")["additionalProperties"]
    form["properties"].pop("files", None)


Options = dict[str, Annotated[Scalar, checked(check_scalar), WithJsonSchema(SCALAR)]]
