"""The verb `assay calc`: calculators of sizes and settings, one command each."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from assay.base.argument_types import Number, Seconds
from assay.base.errors import InputError
from assay.front.cli.size_option import Size
from assay.front.terminal import say, say_json
from assay.results.advice import CALCULATORS, Calculator, Input


def _type(one: Input) -> click.ParamType[Any]:
    if one.choices:
        return click.Choice(tuple(one.choices))
    match one.unit:
        case "bytes" | "bytes/s":
            return Size(one.least, one.most)
        case "s":
            return Seconds(one.least)
        case "share" | "count" | "1/s":
            return Number(one.least, one.most)


def _option(one: Input) -> click.Option:
    return click.Option(
        [f"--{one.name.replace('_', '-')}", one.name],
        type=_type(one),
        default=one.default,
        required=one.default is None and not one.optional,
        show_default=one.default is not None,
        help=one.help,
    )


def _command(calculator: Calculator) -> click.Command:
    def work(as_json: bool, **said: Any) -> None:
        given = {name: value for name, value in said.items() if value is not None}
        try:
            answers = calculator.answers(given)
        except ValueError as error:
            raise InputError(f"assay calc {calculator.name}: {error}") from error
        if as_json:
            say_json([asdict(answer) for answer in answers])
            return
        width = max(len(answer.name) for answer in answers)
        for answer in answers:
            say(f"{answer.name:<{width}}  {answer.text}")
            say(f"{'':<{width}}    = {answer.formula}")
        for source in dict.fromkeys(answer.source for answer in answers):
            say(f"source: {source}")

    as_json = click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON array.")
    return click.Command(
        calculator.name,
        callback=work,
        params=[*map(_option, calculator.inputs), as_json],
        help=f"{calculator.summary}\n\n\b\nExample:\n  {calculator.example}",
    )


@click.group("calc")
def command() -> None:
    """Calculate sizes and settings, each with its formula and source.

    Measurements of a disk give better answers than a formula: see "assay advise".

    \b
    Example:
      assay calc raid --level 5 --disks 8 --size 900G --over-provision 0.15
      assay calc redo --rate 4M --holds 30min
    """


for _calculator in CALCULATORS:
    command.add_command(_command(_calculator))
