"""The verb `assay calibrate`: measures how fast the generator itself is on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.base.argument_types import Numbers, Seconds, WholeNumber, spelled_out
from assay.front.cli.calibrate_files import command as files_command
from assay.front.cli.script_here import script_here
from assay.front.cli.workload_group import Entry, WorkloadGroup, write_sections
from assay.front.cli.workload_options import QuietOption, options_of
from assay.front.terminal import console

if TYPE_CHECKING:
    from assay.design.plan import Script


def _general() -> list[click.Option]:
    def option(name: str, kind: Any, metavar: str | None, text: str, default: Any) -> click.Option:
        return QuietOption(
            [f"--{name}"], type=kind, metavar=metavar, help=text, default=default, show_default=True
        )

    return [
        option("threads", Numbers(), "N,N…", "Numbers of connections; each is calibrated.", "64"),
        option(
            "ps-mode",
            click.Choice(["auto", "disable"]),
            None,
            "Prepared statements (auto) or SQL text (disable).",
            "auto",
        ),
        option(
            "transport",
            click.Choice(["unix", "tcp"]),
            None,
            "Connect over a Unix socket or over 127.0.0.1.",
            "unix",
        ),
        option(
            "engine-threads",
            WholeNumber(0, 4096),
            "N",
            "Event loops of the engine; 0: chosen by the engine.",
            0,
        ),
        option("time", Seconds(0.1), "SECONDS", "Length of a window.", 3.0),
        option("repeats", WholeNumber(1, 1000), "N", "Number of windows; the median is kept.", 3),
        click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON array."),
    ]


class _WorkloadCommand(click.Command):
    """The command of one workload, with the options that shape its statement mix."""

    def __init__(self, entry: Entry, script: Script | None = None) -> None:
        self.own, self.general, self.script = options_of(entry["options"]), _general(), script
        super().__init__(
            entry["name"],
            params=[*self.own, *self.general],
            help=f"Measure the generator's ceiling and floor with this workload: {entry['summary']}",
            callback=self._run,
            context_settings={"token_normalize_func": lambda token: token.replace("_", "-")},
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, spelled_out(self.own, args))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_sections(ctx, formatter, {"Workload options": self.own, "General options": self.general})

    def _run(self, as_json: bool, threads: tuple[int, ...], time: float, **values: Any) -> None:
        from assay.front.cli.calibration_table import show
        from assay.front.terminal import warn_before
        from assay.measurement.calibration import Calibrate, calibrate

        out = console(stderr=as_json)
        own = {option.name for option in self.own}
        assert self.name is not None
        asked = Calibrate(
            workload=self.name,
            options={name: value for name, value in values.items() if name in own and value is not None},
            script=self.script,
            connections=threads,
            window_s=time,
            **{name: value for name, value in values.items() if name not in own},
        )

        warn_before()

        def say(connections: int, number: int) -> None:
            out.print(f"{connections} connections, window {number} of {asked.repeats}", style="dim")

        show(list(calibrate(asked, on_window=say)), out, as_json=as_json)


def _script_command(use: str) -> click.Command:
    """Returns the command of a script, `lua:PATH.lua` or one that comes with the engine, or of a file of
    statements, `sql:PATH`.
    """
    from assay.system.engine import script_listing

    use, script = script_here(use)
    return _WorkloadCommand(dict(script_listing(use, script)), script)


def _show(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from assay.front.cli.calibration_table import print_table
    from assay.measurement.calibration import current, stored

    kept = stored()
    out = console()
    if kept:
        print_table(kept, out, current(kept))
    else:
        out.print("Nothing is calibrated here yet. Begin with: assay calibrate oltp_read_write --threads 64")
    ctx.exit()


command = WorkloadGroup(
    "calibrate",
    commands=[files_command],
    make=_WorkloadCommand,
    of_script=_script_command,
    params=[
        click.Option(
            ["--show"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show,
            help="Print the calibrations of this machine.",
        )
    ],
    help="Measure how fast the load generator itself is on this machine: its ceiling (queries per second"
    " against a server that answers from memory, operations on a disk that does nothing) and its"
    " floor (CPU of"
    " each).\n\n"
    "Calibrations are kept by host, engine, workload, connections and protocol. A later measurement of the"
    " same kind that reaches more than half of the ceiling raises a doubt.\n\n"
    "\b\nExample:\n"
    "  assay calibrate oltp_read_write --threads 1,16,64\n"
    "  assay calibrate lua:my.lua --threads 64\n"
    "  assay calibrate files --ioengine libaio --iodepth 32\n"
    "  assay calibrate --show",
    subcommand_metavar="WORKLOAD [OPTIONS]",
    short_help="How fast the load generator itself is.",
)
