"""Checks a value of a workload's option by the JSON Schema in the engine's catalogue.

The catalogue needs a dozen keywords of JSON Schema, which are carried out here: those that say what a value
must be (`KEYWORDS`), and those that say nothing of it (`NOTES`). A test holds the catalogue to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.design.study import Scalar, bound_text, did_you_mean, shown

KEYWORDS = frozenset(
    {
        *("$ref", "anyOf", "oneOf", "type", "format", "enum", "const"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    }
)
NOTES = frozenset({"$schema", "title", "description", "default", "x-shapes"})

_TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "string": "a string in quotes",
    "null": "nothing",
}

_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
}

_MOST = {"uint8": 2**8 - 1, "uint16": 2**16 - 1, "uint32": 2**32 - 1, "uint64": 2**64 - 1}
"""The largest number of each of the engine's number formats, where its schema names no bound."""

_Breach = tuple[str, Any]
"""The keyword of the schema that a value breaks, and the keyword's value."""


def mismatch(value: Scalar, option: Mapping[str, Any], schema: Mapping[str, Any]) -> str | None:
    """Returns a sentence when the value does not fit the option, otherwise None. `schema` is the whole one,
    with its `$defs`.
    """
    breaches = list(_breaches(value, option, schema.get("$defs", {})))
    if not breaches:
        return None
    if words := [word for breach in breaches for word in _words(breach)]:
        return f"{shown(value)} is not allowed{did_you_mean(str(value), words)}"
    keyword, wanted = breaches[0]
    if keyword == "type":
        kind = wanted if isinstance(wanted, str) else wanted[0]
        return f"{shown(value)} is not {_TYPES.get(kind, kind)}"
    if keyword == "format":
        keyword, wanted = "maximum", _MOST[wanted]
    if keyword in _BOUNDS:
        return f"{shown(value)} is out of range; allowed: {_BOUNDS[keyword]} {bound_text(wanted)}"
    allowed = wanted if keyword == "enum" else [wanted]
    return f"{shown(value)} is not allowed; allowed: {', '.join(map(shown, allowed))}"


def _breaches(value: object, schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Iterator[_Breach]:
    """Yields what of a schema a value breaks, in the schema's order; of alternatives, what breaks each."""
    for keyword, wanted in schema.items():
        if keyword == "$ref":
            yield from _breaches(value, defs[wanted.removeprefix("#/$defs/")], defs)
        elif keyword in ("anyOf", "oneOf"):
            tried = [list(_breaches(value, one, defs)) for one in wanted]
            if all(tried):
                yield from (breach for breaches in tried for breach in breaches)
        elif not _fits(value, keyword, wanted):
            yield keyword, wanted


def _fits(value: object, keyword: str, wanted: Any) -> bool:
    match keyword:
        case "type":
            return any(_is(value, kind) for kind in ([wanted] if isinstance(wanted, str) else wanted))
        case "enum":
            return any(_equal(value, one) for one in wanted)
        case "const":
            return _equal(value, wanted)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return True  # the rest is about numbers
    match keyword:
        case "minimum":
            return bool(value >= wanted)
        case "maximum":
            return bool(value <= wanted)
        case "exclusiveMinimum":
            return bool(value > wanted)
        case "exclusiveMaximum":
            return bool(value < wanted)
        case "format":
            return not isinstance(value, int) or value <= _MOST.get(wanted, value)
    return True


def _is(value: object, kind: str) -> bool:
    """Returns whether a value is of a type. JSON Schema takes 4.0 for a whole number; the engine does not."""
    match value:
        case None:
            return kind == "null"
        case bool():
            return kind == "boolean"
        case int():
            return kind in ("integer", "number")
        case float():
            return kind == "number"
    return kind == "string"


def _equal(value: object, wanted: object) -> bool:
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _words(breach: _Breach) -> list[str]:
    """Returns the words that an enumeration allows; schemars writes one with a help text as a constant of its
    own.
    """
    keyword, wanted = breach
    found = {"enum": wanted, "const": [wanted]}.get(keyword, [])
    return [word for word in found if isinstance(word, str)]
