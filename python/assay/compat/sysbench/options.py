"""The options of sysbench's fileio, as sysbench 1.0.20 has them, and `--json`."""

from __future__ import annotations

from pathlib import Path

import click

from assay.argument_types import MOST_PER_SECOND, Number, Seconds, Whole


def _size(ctx: click.Context, parameter: click.Parameter, text: str) -> int:
    from assay.jobfiles import size

    try:
        return size(text)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, parameter) from error


def _flags(ctx: click.Context, parameter: click.Parameter, text: str) -> tuple[str, ...]:
    from assay.jobfiles import FILEIO_FLAGS

    flags = tuple(flag.strip() for flag in text.split(",") if flag.strip())
    for flag in flags:
        if flag not in FILEIO_FLAGS:
            raise click.BadParameter(f"{flag} is not one of {', '.join(FILEIO_FLAGS)}", ctx, parameter)
    return flags


def _switch(name: str, default: str, text: str) -> click.Option:
    return click.Option(
        [name], type=click.Choice(["on", "off"]), is_flag=False, flag_value="on", default=default, help=text
    )


def _whole(name: str, default: int, least: int, text: str, most: int = 2**32 - 1) -> click.Option:
    return click.Option([name], type=Whole(least, most), default=default, show_default=True, help=text)


def _number(name: str, default: float, text: str) -> click.Option:
    return click.Option(
        [name], type=Number(0, MOST_PER_SECOND), default=default, show_default=True, help=text
    )


def _seconds(name: str, default: float, text: str) -> click.Option:
    return click.Option([name], type=Seconds(), default=default, show_default=True, help=text)


def _choice(name: str, words: list[str], default: str | None, text: str) -> click.Option:
    return click.Option([name], type=click.Choice(words), default=default, show_default=True, help=text)


_MODES = ["seqwr", "seqrewr", "seqrd", "rndrd", "rndwr", "rndrw"]


def fileio_options() -> list[click.Parameter]:
    """Returns the options of `prepare`, `run` and `cleanup`, made anew for each command."""
    total = click.Option(
        ["--file-total-size"],
        default="2G",
        show_default=True,
        callback=_size,
        help="Total size of all files.",
    )
    flags = click.Option(
        ["--file-extra-flags"],
        default="",
        callback=_flags,
        help="Flags to open files with: sync, dsync, direct, separated by commas.",
    )
    folder = click.Option(
        ["--directory"], type=click.Path(path_type=Path), default=Path(), help="Directory of the files."
    )
    return [
        click.Argument(["action"], type=click.Choice(["prepare", "run", "cleanup"])),
        _choice("--file-test-mode", _MODES, None, "Access pattern of the test."),
        _whole("--file-num", 128, 1, "Number of files."),
        total,
        _whole("--file-block-size", 16384, 1, "Size of one operation, in bytes."),
        _choice("--file-io-mode", ["sync", "async", "mmap"], "sync", "How."),
        _whole("--file-async-backlog", 128, 1, "Operations in flight per thread, with async."),
        flags,
        _whole("--file-fsync-freq", 100, 0, "fsync all files after N requests; 0: never."),
        _switch("--file-fsync-all", "off", "fsync after each write."),
        _switch("--file-fsync-end", "on", "fsync at the end."),
        _choice("--file-fsync-mode", ["fsync", "fdatasync"], "fsync", "Which call."),
        _number("--file-rw-ratio", 1.5, "Reads per write in rndrw."),
        _whole("--threads", 1, 1, "Workers."),
        _seconds("--time", 10, "Measured time; 0: until --events operations have ended."),
        _whole("--events", 0, 0, "Stop after N operations; 0: no limit."),
        _number(
            "--rate", 0, "Operations per second of all threads, arriving at random; 0: as fast as possible."
        ),
        _seconds("--warmup-time", 0, "Load before the measured time."),
        _whole("--report-interval", 0, 0, "Time between live lines; 0: none."),
        click.Option(
            ["--percentile"],
            type=Number(0, 100, above=True),
            default=95,
            show_default=True,
            help="Percentile of latency in the summary.",
        ),
        _whole("--rand-seed", 0, 0, "The same seed gives the same operations; 0: a new seed each time."),
        folder,
        click.Option(["--json", "as_json"], is_flag=True, help="Print assay's result as one JSON object."),
    ]
