"""Makes command-line options of a workload's options, from the JSON Schema that the engine publishes."""

from __future__ import annotations

import sys
from typing import Any

import click

from assay.base.argument_types import MOST_OF, Number, OnOff, WholeNumber

Schema = dict[str, Any]


class QuietOption(click.Option):
    """An option whose help omits open-ended ranges: `[x>=0]` says little, `[x<=None]` nothing."""

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Returns only the default."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


def options_of(schema: Schema) -> list[click.Option]:
    """Returns one click option for each property. Only those given on the command line have a value other
    than None.
    """
    return [_option(name, _resolved(schema, entry)) for name, entry in schema.get("properties", {}).items()]


def _option(name: str, schema: Schema) -> click.Option:
    default = schema.get("default")
    text = " ".join(str(schema.get("description", "")).split())
    if default is not None and default != "":
        shown = ("on" if default else "off") if isinstance(default, bool) else default
        text = f"{text}  [default: {shown}]"
    return QuietOption(
        [f"--{name.replace('_', '-')}", name],
        type=_type(schema),
        default=None,
        help=text.strip(),
        metavar=_metavar(schema),
    )


def _type(schema: Schema) -> click.ParamType[Any]:
    choices = _choices(schema)
    if choices:
        return click.Choice(choices, case_sensitive=False)
    match _kind(schema):
        case "boolean":
            return OnOff()
        case "integer":
            low, high = (None if limit is None else int(limit) for limit in _limits(schema))
            return WholeNumber(low or 0, MOST_OF.get(schema.get("format", "")) if high is None else high)
        case "number":
            least, most = _limits(schema)
            least = -sys.float_info.max if least is None else least
            return Number(least, most, above="exclusiveMinimum" in schema)
        case _:
            return click.STRING


def _metavar(schema: Schema) -> str | None:
    if _choices(schema):
        return None
    return {"boolean": "[on|off]", "integer": "N", "number": "X"}.get(_kind(schema), "TEXT")


def _limits(schema: Schema) -> tuple[float | None, float | None]:
    return schema.get("exclusiveMinimum", schema.get("minimum")), schema.get("maximum")


def _kind(schema: Schema) -> str:
    kind = schema.get("type", "string")
    return next((k for k in kind if k != "null"), "string") if isinstance(kind, list) else str(kind)


def _choices(schema: Schema) -> list[str]:
    if "enum" in schema:
        return [str(value) for value in schema["enum"] if value is not None]
    variants = schema.get("oneOf", [])
    values: list[str] = []
    for variant in variants:
        values += (
            [str(variant["const"])]
            if "const" in variant
            else [str(value) for value in variant.get("enum", [])]
        )
    return values


def _resolved(root: Schema, schema: Schema) -> Schema:
    """Returns the schema with its reference followed and `null` left out; keys beside the reference take
    precedence.
    """
    merged = dict(schema)
    inner: Schema | None = None
    if "$ref" in merged:
        inner = root
        for step in merged.pop("$ref").removeprefix("#/").split("/"):
            inner = inner[step]
    elif "allOf" in merged:
        inner = merged.pop("allOf")[0]
    elif "anyOf" in merged:
        inner = next(variant for variant in merged.pop("anyOf") if variant.get("type") != "null")
    return merged if inner is None else {**_resolved(root, inner), **merged}
