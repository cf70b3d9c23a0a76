"""A value of an option is checked as a library of JSON Schema would check it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from assay.design.plan.option_check import KEYWORDS, NOTES, mismatch
from assay.system.engine import workload_catalogue
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.validators import extend

VALUES = (
    True,
    False,
    0,
    1,
    -1,
    4,
    4.0,
    0.5,
    -0.5,
    1.0,
    255,
    256,
    2**32,
    2**64,
    1e300,
    "",
    "auto",
    "no such word",
)
DEFS = {
    "$defs": {
        "Mode": {"oneOf": [{"const": "auto", "description": "as it is"}, {"enum": ["on", "off"]}]},
        "Small": {"type": "integer", "format": "uint8", "minimum": 1},
    }
}
MADE: list[Mapping[str, Any]] = [
    {"$ref": "#/$defs/Mode", "default": "auto"},
    {"anyOf": [{"$ref": "#/$defs/Small"}, {"type": "null"}]},
    {"const": 1},
    {"enum": [0, "auto", None]},
]


def _options() -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    for entry in workload_catalogue():
        for option in entry["options"].get("properties", {}).values():
            yield option, entry["options"]


def _referee(option: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
    """The library, told that 4.0 is not a whole number, and how large the engine's numbers are."""
    checker = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    formats = FormatChecker(formats=())
    for bits in (8, 16, 32, 64):
        formats.checks(f"uint{bits}")(lambda value, most=2**bits: not isinstance(value, int) or value < most)
    kind = extend(Draft202012Validator, type_checker=checker)  # type: ignore[no-untyped-call]
    return kind({**option, "$defs": schema.get("$defs", {})}, format_checker=formats)


def test_the_catalogue_has_only_keywords_that_are_checked() -> None:
    found: set[str] = set()

    def walk(schema: Mapping[str, Any]) -> None:
        found.update(schema)
        for alternative in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            walk(alternative)

    for option, schema in _options():
        walk(option)
        for one in schema.get("$defs", {}).values():
            walk(one)
    assert found
    assert found - KEYWORDS - NOTES == set()


def test_every_option_takes_and_refuses_the_values_that_the_library_does() -> None:
    different = []
    taken = refused = 0
    kinds = {
        json.dumps({name: said for name, said in option.items() if name in KEYWORDS}): (option, schema)
        for option, schema in _options()
    }  # each once: most options are of a few kinds
    for option, schema in [*kinds.values(), *((one, DEFS) for one in MADE)]:
        referee = _referee(option, schema)
        for value in VALUES:
            fits = mismatch(value, option, schema) is None
            taken, refused = taken + fits, refused + (not fits)
            if fits != referee.is_valid(value):
                different.append((value, option))
    assert different == []
    assert min(taken, refused) > 50


@pytest.mark.parametrize(
    ("value", "option", "said"),
    [
        ("autp", MADE[0], 'autp" is not allowed; did you mean "auto"'),
        (0, MADE[1], "0 is out of range; allowed: at least 1"),
        (256, {"type": "integer", "format": "uint8"}, "256 is out of range; allowed: at most 255"),
        (2, {"enum": [0, 1]}, "2 is not allowed; allowed: 0, 1"),
        (4.0, {"type": "integer"}, "4.0 is not a whole number"),
        ("x", {"type": ["number", "null"]}, "is not a number"),
    ],
)
def test_what_is_said(value: Any, option: Mapping[str, Any], said: str) -> None:
    assert said.replace('"', "") in str(mismatch(value, option, DEFS)).replace('"', "")
