"""The options of `assay bench … --find-rate`, and the question that they define."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from assay.base.argument_types import Number, Seconds, WholeNumber
from assay.base.errors import InputError
from assay.front.cli.workload_options import QuietOption

if TYPE_CHECKING:
    from assay.experiments.bench import RateQuestion, Search

_SHARES = {"p95": 0.95, "p99": 0.99, "p999": 0.999}
_CONFIDENCE = 0.95
_UNITS_MS = {"us": 1e-3, "µs": 1e-3, "ms": 1.0, "s": 1000.0}


class Duration(click.ParamType[float]):
    """A length of time with its unit, given as 500us, 10ms or 1.5s, in milliseconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Returns milliseconds; a usage error for a number without a unit."""
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(us|µs|ms|s)", str(value).strip())
        if match is None or float(match[1]) <= 0:
            raise click.BadParameter(f"{value!r} is not a length of time: write 10ms or 1.5s", param=param)
        return float(match[1]) * _UNITS_MS[match[2]]


def search_options() -> list[click.Option]:
    """Returns the options of a search, which need --find-rate."""
    limits = [
        QuietOption(
            [f"--{name}"], type=Duration(), metavar="TIME", help=f"{share * 100:g} % within this time."
        )
        for name, share in _SHARES.items()
    ]
    return [
        click.Option(["--find-rate"], is_flag=True, help="Find the highest rate that meets the objective:"),
        *limits,
        QuietOption(
            ["--precision"],
            type=Number(0.005, 0.5),
            metavar="X",
            help="Stop when the confidence interval is ± this share of the rate.  [default: 0.05]",
        ),
        QuietOption(
            ["--probes"],
            type=WholeNumber(2, 10_000),
            metavar="N",
            help="Stop after N windows.  [default: 40]",
        ),
        QuietOption(
            ["--probe-time"],
            type=Seconds(0.5),
            metavar="SECONDS",
            help="Length of a window; extended where the objective allows fewer than 10 slow"
            " transactions.  [default: 5]",
        ),
        QuietOption(
            ["--starts"],
            type=WholeNumber(1, 100),
            metavar="N",
            help="Search on N starts of the server; on a running server, search N times."
            "  [default: 5 with --server, else 1]",
        ),
    ]


def question(*, find_rate: bool, **said: Any) -> RateQuestion | None:
    """Returns the question, or None without --find-rate. Raises InputError without an objective, with two of
    them, and for options without --find-rate.
    """
    given = {name: value for name, value in said.items() if value is not None}
    if not find_rate:
        if given:
            raise InputError(
                "an objective (--p99 …) and options of a search need --find-rate",
                hint="add --find-rate",
            )
        return None
    from assay.experiments.bench import Objective, RateQuestion
    from assay.results.stats import KneeSearch

    objectives = [Objective(share, given.pop(name)) for name, share in _SHARES.items() if name in given]
    if len(objectives) != 1:
        raise InputError(
            "--find-rate needs one objective" + (": there are several" if objectives else ""),
            hint="give one of --p95, --p99, --p999, such as --p99 10ms",
        )
    objective = objectives[0]

    def search(capacity: float, lowest: float) -> Search:
        return KneeSearch(
            capacity,
            objective.share,
            lowest=lowest,
            precision=given.get("precision", 0.05),
            confidence=_CONFIDENCE,
            budget=given.get("probes", 40),
        )

    return RateQuestion(
        objective, given.get("probe_time", 5.0), _CONFIDENCE, search, starts=given.get("starts")
    )
