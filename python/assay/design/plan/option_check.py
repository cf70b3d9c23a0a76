"""Checks a value of a workload's option by the JSON Schema in the engine's catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend

from assay.design.study import Scalar, bound_text, did_you_mean, shown

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


def _is_whole(_: object, value: object) -> bool:
    """Returns whether a value is an integer; JSON Schema accepts 4.0 as one, the engine does not."""
    return isinstance(value, int) and not isinstance(value, bool)


def _holds(most: int, value: object) -> bool:
    return not isinstance(value, int) or value <= most


_Validator = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_whole)
)

_FORMATS = FormatChecker(formats=())
for _name, _most in _MOST.items():
    _FORMATS.checks(_name)(partial(_holds, _most))


def mismatch(value: Scalar, option: Mapping[str, Any], schema: Mapping[str, Any]) -> str | None:
    """Returns a sentence when the value does not fit the option, otherwise None. `schema` is the whole one,
    with its `$defs`.
    """
    validator = _Validator({**option, "$defs": schema.get("$defs", {})}, format_checker=_FORMATS)
    causes = [cause for error in validator.iter_errors(value) for cause in _causes(error)]
    if not causes:
        return None
    if allowed := [one for cause in causes for one in _allowed(cause)]:
        return f"{shown(value)} is not allowed{_instead(value, allowed)}"
    first = causes[0]
    keyword, wanted = _rule(first)
    if keyword == "type":
        kinds = [wanted] if isinstance(wanted, str) else [one for one in wanted if one != "null"] or wanted
        return f"{shown(value)} is not {' or '.join(_TYPES.get(kind, kind) for kind in kinds)}"
    if keyword == "format":
        keyword, wanted = "maximum", _MOST[wanted]
    if keyword in _BOUNDS:
        return f"{shown(value)} is out of range; allowed: {_BOUNDS[keyword]} {bound_text(wanted)}"
    return str(first.message)


def _causes(error: ValidationError) -> Iterator[ValidationError]:
    """Yields why each of several alternatives does not fit, otherwise the error itself."""
    if not error.context:
        yield error
    for inner in error.context or ():
        yield from _causes(inner)


def _rule(cause: ValidationError) -> tuple[str, Any]:
    """Returns the keyword of the schema that a value breaks, and the keyword's value."""
    return str(cause.validator), cause.validator_value


def _allowed(cause: ValidationError) -> list[Scalar]:
    """Returns the values that an enumeration allows; schemars writes one with a help text as a constant of
    its own.
    """
    keyword, wanted = _rule(cause)
    found = {"enum": wanted, "const": [wanted]}.get(keyword, [])
    return [one for one in found if one is not None]


def _instead(value: Scalar, allowed: Sequence[Scalar]) -> str:
    """Returns what to write in place of a value: the nearest word, or the values themselves."""
    words = [one for one in allowed if isinstance(one, str)]
    if len(words) == len(allowed):
        return did_you_mean(str(value), words)
    return f"; known: {', '.join(shown(one) for one in allowed)}"
