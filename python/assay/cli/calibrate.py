"""`assay calibrate`: how fast the generator itself is on this machine."""

from __future__ import annotations

import json
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from assay.cli.workload_group import Entry, WorkloadGroup, write_sections
from assay.cli.workload_options import QuietOption, options_of, spelled_out
from assay.run.calibrate import Calibrate, calibrate
from assay.run.calibration import Calibration, current, stored

_NOISY = 1.3
"""Highest window over lowest, above which a ceiling should be measured again."""


class Numbers(click.ParamType[tuple[int, ...]]):
    """Numbers of connections: 64, or 1,16,64."""

    name = "numbers"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Each at least 1; anything else is a usage error."""
        if isinstance(value, tuple):
            return value
        parts = str(value).split(",")
        if not all(part.strip().isdecimal() and int(part) > 0 for part in parts):
            raise click.BadParameter(f"{value!r} is no list of connections: write 1,16,64", ctx, param)
        return tuple(int(part) for part in parts)


def _general() -> list[click.Option]:
    def option(name: str, kind: Any, metavar: str | None, text: str, default: Any) -> click.Option:
        return QuietOption(
            [f"--{name}"], type=kind, metavar=metavar, help=text, default=default, show_default=True
        )

    return [
        option("threads", Numbers(), "N,N…", "Connections, one calibration for each.", "64"),
        option("ps-mode", click.Choice(["auto", "disable"]), None, "Prepared statements, or text.", "auto"),
        option("transport", click.Choice(["unix", "tcp"]), None, "Socket, or loopback.", "unix"),
        option("engine-threads", click.IntRange(min=0), "N", "Of the engine; 0 lets it choose.", 0),
        option("time", click.FloatRange(min=0.1), "SECONDS", "Of a window.", 3.0),
        option("repeats", click.IntRange(min=1), "N", "Windows; their median counts.", 3),
        click.Option(["--json", "as_json"], is_flag=True, help="Print a JSON array."),
    ]


class _WorkloadCommand(click.Command):
    """One workload, with the options that make its statement mix."""

    def __init__(self, entry: Entry) -> None:
        self.own, self.general = options_of(entry["options"]), _general()
        super().__init__(
            entry["name"],
            params=[*self.own, *self.general],
            help=f"The generator's ceiling and floor: {entry['summary']}",
            callback=self._run,
            context_settings={"token_normalize_func": lambda token: token.replace("_", "-")},
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, spelled_out(self.own, args))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_sections(ctx, formatter, {"Workload options": self.own, "General options": self.general})

    def _run(self, as_json: bool, threads: tuple[int, ...], time: float, **values: Any) -> None:
        out = _console(stderr=as_json)
        own = {option.name for option in self.own}
        assert self.name is not None
        asked = Calibrate(
            workload=self.name,
            options={name: value for name, value in values.items() if name in own and value is not None},
            connections=threads,
            window_s=time,
            **{name: value for name, value in values.items() if name not in own},
        )

        def say(connections: int, number: int) -> None:
            out.print(f"{connections} connections, window {number} of {asked.repeats}", style="dim")

        found = list(calibrate(asked, on_window=say))
        if as_json:
            click.echo(json.dumps(msgspec.to_builtins(found), indent=2))
        else:
            _print(found, out)


def _console(*, stderr: bool = False) -> Console:
    """A table in a pipe or a log is as wide as it needs to be."""
    out = Console(highlight=False, soft_wrap=True, stderr=stderr)
    if not out.is_terminal:
        out.width = 200
    return out


def _show(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    kept = stored()
    out = _console()
    if kept:
        _print(kept, out, current(kept))
    else:
        out.print("Nothing is calibrated here yet. Begin with: assay calibrate oltp_read_write --threads 64")
    ctx.exit()


def _print(found: list[Calibration], out: Console, usable: list[bool] | None = None) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("workload", "over"):
        table.add_column(title, no_wrap=True)
    for title in ("connections", "queries/s", "lowest-highest", "CPU µs/query", "cores"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for at, one in enumerate(found):
        setting = one.setting
        mix = "".join(f" {name}={value}" for name, value in setting.options.items())
        table.add_row(
            setting.workload + mix,
            f"{setting.transport}, {'prepared' if setting.ps_mode == 'auto' else 'text'}",
            f"{setting.connections:,}",
            f"{'' if one.engine_was_limit else '≥ '}{one.ceiling_qps:,.0f}",
            f"{one.lowest_qps:,.0f}-{one.highest_qps:,.0f}",
            f"{one.floor_cpu_us_per_query:.2f}",
            f"{one.engine_cores:.2f}",
            _remark(one, usable=usable is None or usable[at]),
        )
    out.print(table)
    if not all(one.engine_was_limit for one in found):
        out.print("≥: the generator had time to spare; the null server or the machine was the limit.")


def _remark(one: Calibration, *, usable: bool) -> str:
    if not usable:
        return "another host or engine: not used"
    if one.highest_qps > _NOISY * one.lowest_qps:
        return "noisy: repeat it when the machine is quiet"
    return ""


command = WorkloadGroup(
    "calibrate",
    make=_WorkloadCommand,
    params=[
        click.Option(
            ["--show"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show,
            help="Print what is calibrated on this machine.",
        )
    ],
    help="How fast the load generator itself is on this machine: its ceiling (queries per second against"
    " a server that answers from memory) and its floor (CPU per query).\n\n"
    "Kept by host, engine, workload, connections and protocol. A later measurement of the same kind that"
    " comes above half of the ceiling is doubted.\n\n"
    "\b\nExample:\n"
    "  assay calibrate oltp_read_write --threads 1,16,64\n"
    "  assay calibrate --show",
    subcommand_metavar="WORKLOAD [OPTIONS]",
    short_help="How fast the load generator itself is.",
)
