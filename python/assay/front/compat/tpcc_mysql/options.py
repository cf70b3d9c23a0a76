"""The options that only `assay bench tpcc` has, among them the text of tpcc-mysql for parsers that know
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.base.errors import InputError
from assay.front.compat.options import Options, ParsedCommand, output_option, say_text

if TYPE_CHECKING:
    from assay.experiments.bench import Bench
    from assay.front.compat.tpcc_mysql.tool_text import ToolSettings

_TEXT = "tpcc-mysql"


class TpccTool:
    """The stand-in for tpcc-mysql's `tpcc_start`, with the reports that the specification requires."""

    def options(self) -> list[click.Option]:
        """Returns options for tpcc-mysql's text and limits, for distributions, for the result file of
        Deliveries.
        """
        return [
            output_option(
                _TEXT,
                "Format of a run's output; tpcc-mysql: the text of tpcc_start, which needs --warehouses N.",
            ),
            click.Option(
                ["--rt-unit"],
                type=click.Choice(["s", "ms"]),
                default="s",
                show_default=True,
                help="Unit of the response-time limits in --output tpcc-mysql: s as intended, ms as"
                " tpcc-mysql reads them.",
            ),
            click.Option(
                ["--histograms"],
                is_flag=True,
                help="Print the distributions of clause 5.6; --json always has them.",
            ),
            click.Option(
                ["--delivery-log"],
                type=click.Path(dir_okay=False, writable=True, resolve_path=True),
                metavar="FILE",
                help="Write the result of each queued Delivery to this CSV file (clause 2.7.2.2).",
            ),
        ]

    def settle(self, asked: ParsedCommand, own: Options, general: Options) -> None:
        """Sets the figures, the file of Deliveries, and the text where it is asked for."""
        asked.general["deferred_file"] = asked.tool["delivery_log"]
        if asked.tool["delivery_log"] is not None and "find_rate" in asked.given:
            raise InputError(
                "--find-rate cannot be combined with --delivery-log: it runs many times",
                hint="leave --delivery-log out, or --find-rate",
            )
        if asked.own.get("pacing") == "spec" and (asked.general["rate"] or "find_rate" in asked.given):
            raise InputError(
                "--pacing spec cannot be combined with --rate: its terminals set the rate",
                hint="leave one of them out",
            )
        if asked.action == "run":
            from assay.front.compat.tpcc_mysql.addition import TpccAddition

            asked.addition = TpccAddition(asked.tool["histograms"])
        if not asked.in_place_of_our_text(_TEXT):
            if "rt_unit" in asked.given:
                raise InputError(f"--rt-unit needs --output {_TEXT}")
            return
        if asked.tool["histograms"]:
            raise InputError(
                f"--output {_TEXT} cannot be combined with --histograms",
                hint="--json has the distributions",
            )
        if not asked.own.get("warehouses"):
            raise InputError(
                "--output tpcc-mysql needs --warehouses: its text starts with their number",
                hint="add --warehouses N",
            )
        if asked.action == "run":
            from assay.front.compat.tpcc_mysql.tool_text import ToolText

            rt_unit = asked.tool["rt_unit"]
            asked.text = lambda bench: ToolText(_settings(bench, rt_unit), say_text)


def _settings(bench: Bench, rt_unit: str) -> ToolSettings:
    from assay.front.compat.tpcc_mysql.tool_text import ToolSettings

    return ToolSettings(
        server="localhost" if bench.socket else bench.host,
        port=bench.port,
        socket=bench.socket,
        database=bench.db,
        user=bench.user,
        warehouses=int(bench.options["warehouses"]),
        connections=bench.threads,
        rampup_s=round(bench.warmup),
        measure_s=round(bench.time),
        interval_s=max(bench.report_interval, 1),
        rt_unit=rt_unit,
    )
