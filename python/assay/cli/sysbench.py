"""`assay sysbench`: sysbench's command line, with times that are true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.argument_types import MOST_PER_SECOND, Number, Seconds, Whole


def _size(ctx: click.Context, parameter: click.Parameter, text: str) -> int:
    from assay.jobfiles.sizes import size

    try:
        return size(text)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, parameter) from error


def _flags(ctx: click.Context, parameter: click.Parameter, text: str) -> tuple[str, ...]:
    from assay.jobfiles.fileio import FLAGS

    flags = tuple(flag.strip() for flag in text.split(",") if flag.strip())
    for flag in flags:
        if flag not in FLAGS:
            raise click.BadParameter(f"{flag} is not one of {', '.join(FLAGS)}", ctx, parameter)
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


def _options() -> list[click.Parameter]:
    total = click.Option(
        ["--file-total-size"], default="2G", show_default=True, callback=_size, help="Size of all files."
    )
    flags = click.Option(
        ["--file-extra-flags"], default="", callback=_flags, help="sync, dsync, direct; by commas."
    )
    folder = click.Option(
        ["--directory"], type=click.Path(path_type=Path), default=Path(), help="Where the files are."
    )
    return [
        click.Argument(["action"], type=click.Choice(["prepare", "run", "cleanup"])),
        _choice("--file-test-mode", _MODES, None, "What to do."),
        _whole("--file-num", 128, 1, "Number of files."),
        total,
        _whole("--file-block-size", 16384, 1, "Bytes of one operation."),
        _choice("--file-io-mode", ["sync", "async", "mmap"], "sync", "How."),
        _whole("--file-async-backlog", 128, 1, "Operations in flight of each thread, with async."),
        flags,
        _whole("--file-fsync-freq", 100, 0, "fsync all files after this number of requests; 0: never."),
        _switch("--file-fsync-all", "off", "fsync after each write."),
        _switch("--file-fsync-end", "on", "fsync at the end."),
        _choice("--file-fsync-mode", ["fsync", "fdatasync"], "fsync", "Which call."),
        _number("--file-rw-ratio", 1.5, "Reads for each write of rndrw."),
        _whole("--threads", 1, 1, "Workers."),
        _seconds("--time", 10, "Seconds of the measured window; 0: until --events."),
        _whole("--events", 0, 0, "Stop after so many operations; 0: no limit."),
        _number(
            "--rate", 0, "Operations a second of all threads, arriving at random; 0: as fast as it goes."
        ),
        _seconds("--warmup-time", 0, "Seconds of load before the window."),
        _whole("--report-interval", 0, 0, "Seconds between live lines; 0: none."),
        click.Option(
            ["--percentile"],
            type=Number(0, 100, above=True),
            default=95,
            show_default=True,
            help="Percentile of the summary.",
        ),
        _whole("--rand-seed", 0, 0, "Same seed, same operations; 0: another each time."),
        folder,
        click.Option(["--json", "as_json"], is_flag=True, help="Our form as one JSON object."),
    ]


def _fileio(action: str, as_json: bool, **values: Any) -> None:
    from assay.compat.sysbench import fileio_run
    from assay.jobfiles.fileio import Fileio

    for name in ("file_fsync_all", "file_fsync_end"):
        values[name] = values[name] == "on"
    load = Fileio(**values)
    match action:
        case "prepare":
            fileio_run.prepare(load)
        case "run":
            fileio_run.run(load, as_json=as_json)
        case _:
            fileio_run.cleanup(load)


class _Tests(click.Group):
    """Tests by sysbench's names; those of databases are under `bench`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and name not in self.commands:
            raise click.UsageError(_elsewhere(name, args[1:]), ctx)
        return super().resolve_command(ctx, args)


def _elsewhere(name: str, rest: list[str]) -> str:
    from assay.compat.sysbench.names import TESTS
    from assay.engine.process import workload_catalogue
    from assay.study.nearest import did_you_mean

    if name in TESTS:
        return f"assay has no test {name}: {TESTS[name]}"
    workload = name.removesuffix(".lua").rpartition("/")[2].replace("-", "_")
    known = [entry["name"] for entry in workload_catalogue()]
    if workload in known:
        return f"{name} is a load on a database: assay bench {' '.join([workload, *rest[:1]])} …"
    return f"sysbench has no test {name}{did_you_mean(name, ['fileio', *TESTS, *known])}"


command = _Tests(
    "sysbench",
    help="Tests of sysbench 1.0.20 by their own names and options.\n\n"
    "\b\nExample:\n"
    "  assay sysbench fileio prepare --file-total-size=1G\n"
    "  assay sysbench fileio run --file-total-size=1G --file-test-mode=rndrw --threads=16\n"
    "  assay sysbench fileio cleanup --file-total-size=1G",
    commands=[
        click.Command(
            "fileio",
            params=_options(),
            callback=_fileio,
            help="Files: sequential and random, read and written.\n\n"
            "The text is sysbench's. An asynchronous operation is timed to its completion: sysbench times\n"
            "the submission.\n\n"
            "\b\nExample:\n"
            "  assay sysbench fileio run --file-test-mode=rndrd --file-extra-flags=direct --threads=16",
        )
    ],
)
