"""The options of sysbench's fileio, as sysbench 1.0.20 has them, and `--json`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.base.argument_types import MOST_PER_SECOND, Number, WholeNumber
from assay.front.compat.sysbench.general import general_options
from assay.front.compat.sysbench.options import CommaList, Size, choice, option, switch
from assay.front.compat.sysbench.own_name import has_own_name, refuse, say_log
from assay.front.compat.sysbench.text import banner
from assay.front.terminal import say

_MODES = ["seqwr", "seqrewr", "seqrd", "rndrd", "rndwr", "rndrw"]
_GENERAL = {
    "threads",
    "time",
    "events",
    "rate",
    "warmup_time",
    "report_interval",
    "percentile",
    "rand_seed",
    "validate",
    "verbosity",
    "config_file",
}
"""The general options that this test has."""


def _flags(ctx: click.Context, parameter: click.Parameter, text: str) -> tuple[str, ...]:
    from assay.design.storage import FILEIO_FLAGS

    flags = tuple(flag.strip() for flag in text.split(",") if flag.strip())
    for flag in flags:
        if flag not in FILEIO_FLAGS:
            raise click.BadParameter(f"{flag} is not one of {', '.join(FILEIO_FLAGS)}", ctx, parameter)
    return flags


class _Mode(click.Choice[str]):
    """An access pattern; under sysbench's own name another word is refused in its words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Returns the pattern; a usage error for any other text."""
        if value not in self.choices and has_own_name():
            say(banner(), newline=False)
            say_log(f"FATAL: Invalid IO operations mode: {value}.\n")
            refuse("")
        return super().convert(value, param, ctx)


def _whole(name: str, default: int, least: int, text: str) -> click.Option:
    return option(name, WholeNumber(least, 2**32 - 1), default, text)


def file_options() -> list[click.Option]:
    """Returns the options of files, in sysbench's order, made anew for each command."""
    flags = click.Option(
        ["--file-extra-flags"],
        type=CommaList(),
        default="",
        callback=_flags,
        help="Flags to open files with: sync, dsync, direct, separated by commas.",
    )
    return [
        _whole("file-num", 128, 1, "Number of files."),
        _whole("file-block-size", 16384, 1, "Size of one operation, in bytes."),
        option("file-total-size", Size(), "2G", "Total size of all files."),
        option("file-test-mode", _Mode(_MODES), None, "Access pattern of the test."),
        choice("file-io-mode", ["sync", "async", "mmap"], "sync", "How requests reach the files."),
        _whole("file-async-backlog", 128, 1, "Operations in flight per thread, with async."),
        flags,
        _whole("file-fsync-freq", 100, 0, "fsync all files after N requests; 0: never."),
        switch("file-fsync-all", False, "fsync after each write."),
        switch("file-fsync-end", True, "fsync at the end."),
        choice("file-fsync-mode", ["fsync", "fdatasync"], "fsync", "Call that makes writes durable."),
        option("file-rw-ratio", Number(0, MOST_PER_SECOND), 1.5, "Reads per write in rndrw."),
    ]


def fileio_options() -> list[click.Parameter]:
    """Returns the options of `prepare`, `run` and `cleanup`, made anew for each command."""
    folder = click.Option(
        ["--directory"], type=click.Path(path_type=Path), default=Path(), help="Directory of the files."
    )
    return [
        click.Argument(["action"], required=False),
        *file_options(),
        *(one for one in general_options() if one.name in _GENERAL),
        folder,
        click.Option(["--json", "as_json"], is_flag=True, help="Print assay's result as one JSON object."),
    ]
