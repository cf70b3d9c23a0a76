"""A workload's schema as options of the command line."""

from __future__ import annotations

from typing import Any

import click
import pytest
from assay.base.argument_types import spelled_out
from assay.front.cli.general_options import general_options
from assay.front.cli.workload_options import options_of
from click.testing import CliRunner

SCHEMA = {
    "properties": {
        "table_size": {"type": "integer", "minimum": 1, "default": 10, "description": "Rows."},
        "skip_trx": {"type": "boolean", "default": False},
        "hot": {"type": "number", "exclusiveMinimum": 0},
        "engine": {"type": ["string", "null"]},
        "rand_type": {"$ref": "#/$defs/Rand", "default": "special"},
    },
    "$defs": {"Rand": {"oneOf": [{"const": "special"}, {"enum": ["uniform", "zipfian"]}]}},
}


def given(*arguments: str) -> dict[str, Any]:
    """What a command with these options is told; the error as text under `error`."""
    told: dict[str, Any] = {}
    options = options_of(SCHEMA)
    action = click.Argument(["action"], required=False, default="run")
    command = click.Command("x", params=[action, *options], callback=lambda **values: told.update(values))
    settings = {"token_normalize_func": lambda token: token.replace("_", "-")}
    command.context_settings = settings
    result = CliRunner().invoke(command, spelled_out(options, list(arguments)))
    return {name: value for name, value in told.items() if value is not None} or {"error": result.output}


def test_dashes_and_underscores_mean_the_same() -> None:
    assert given("--table-size=5") == given("--table_size", "5") == {"action": "run", "table_size": 5}


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (["--skip-trx"], True),
        (["--skip_trx=on"], True),
        (["--skip-trx", "off"], False),
        (["--skip-trx=0"], False),
        (["--skip-trx", "TRUE"], True),
    ],
)
def test_switches_take_every_spelling(arguments: list[str], value: bool) -> None:
    assert given(*arguments) == {"action": "run", "skip_trx": value}


def test_a_bare_switch_leaves_the_action_alone() -> None:
    assert given("--skip-trx", "cleanup") == {"action": "cleanup", "skip_trx": True}
    assert given("--skip-trx", "--table-size", "3")["table_size"] == 3


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("--table-size=0", "expected from 1"),
        ("--table-size=many", "not a whole number"),
        ("--hot=0", "expected above 0"),
        ("--rand-type=normal", "zipfian"),
        ("--skip-trx=maybe", "must be on or off"),
        ("--tabel-size=3", "--table-size"),
    ],
)
def test_mistakes_are_named(argument: str, said: str) -> None:
    assert said in given(argument)["error"]


def test_general_options_have_help_and_no_password() -> None:
    options = general_options()
    assert all(option.help for option in options)
    assert not [option for option in options if option.name == "password"]
