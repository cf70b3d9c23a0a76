"""The verb `assay calibrate files`: measures how fast the generator itself is without a server or a disk."""

from __future__ import annotations

from typing import Any

import click

from assay.base.argument_types import Numbers, Seconds, WholeNumber
from assay.design.study import did_you_mean
from assay.front.terminal import console
from assay.measurement.calibration import IO_ENGINES


class Engines(click.ParamType[tuple[str, ...]]):
    """One or several I/O engines, given as psync or psync,libaio."""

    name = "engines"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Returns the I/O engines, each one of `IO_ENGINES`; a usage error, with the nearest, for any
        other.
        """
        if isinstance(value, tuple):
            return value
        names = tuple(part.strip() for part in str(value).split(","))
        for name in names:
            if name not in IO_ENGINES:
                raise click.BadParameter(
                    f"{name!r} is not an I/O engine{did_you_mean(name, IO_ENGINES)}", ctx, param
                )
        return names


@click.command("files", short_help="Calibrate I/O engines on a simulated disk that answers at once.")
@click.option(
    "--ioengine",
    type=Engines(),
    metavar="NAME,…",
    default=",".join(IO_ENGINES),
    help="I/O engines to calibrate.",
    show_default=True,
)
@click.option(
    "--iodepth",
    type=Numbers(),
    metavar="N,N…",
    default="1,32",
    help="Operations in flight per worker; 1 for engines without a queue.",
    show_default=True,
)
@click.option("--threads", type=Numbers(), metavar="N,N…", default="1", help="Workers.", show_default=True)
@click.option(
    "--rw",
    type=click.Choice(["randread", "randwrite", "randrw"]),
    default="randread",
    help="Operation to calibrate.",
    show_default=True,
)
@click.option(
    "--bs", default="4k", metavar="SIZE", help="Size of one operation, in bytes.", show_default=True
)
@click.option(
    "--time",
    "window_s",
    type=Seconds(0.1),
    default=3.0,
    metavar="SECONDS",
    help="Length of a window.",
    show_default=True,
)
@click.option(
    "--repeats",
    type=WholeNumber(1, 1000),
    default=3,
    help="Number of windows; the median is kept.",
    show_default=True,
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def command(as_json: bool, **values: Any) -> None:
    """Measure the generator's ceiling and floor on files, for each engine, depth and number of workers.

    The disk is /dev/zero: every system call is made and none waits. If a later measurement on files with the
    same engine, depth, workers and operation size exceeds half of the ceiling, Assay raises a doubt.

    \b
    Example:
      assay calibrate files --ioengine libaio,io_uring --iodepth 32
    """
    from assay.front.cli.calibration_table import show
    from assay.front.terminal import warn_before
    from assay.measurement.calibration import CalibrateFiles, calibrate_files

    out = console(stderr=as_json)
    asked = CalibrateFiles(**values)

    warn_before()

    def say(point: str, number: int) -> None:
        out.print(f"{point}, window {number} of {asked.repeats}", style="dim")

    show(list(calibrate_files(asked, on_window=say)), out, as_json=as_json)
