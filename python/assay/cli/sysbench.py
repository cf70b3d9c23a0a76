"""The verb `assay sysbench`: sysbench's command line."""

from __future__ import annotations

from typing import Any

import click

from assay.compat.sysbench import COMPATIBLE, TestCommand, fileio_options, machine_commands, name_first


def _fileio(action: str, **values: Any) -> None:
    from assay.compat.sysbench import fileio

    fileio(action, **values)


def _version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from assay.terminal import say

        say(f"sysbench {COMPATIBLE}")
        ctx.exit()


class _Tests(click.Group):
    """The group of tests by sysbench's names; those of databases are under `bench`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses options in front of the test's name, too, as sysbench does."""
        return super().parse_args(ctx, name_first(args))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and name not in self.commands:
            from assay.compat.sysbench import elsewhere

            raise click.UsageError(elsewhere(name, args[1:], list(self.commands)), ctx)
        return super().resolve_command(ctx, args)


command = _Tests(
    "sysbench",
    help="Run tests of sysbench 1.0.20 with sysbench's names and options, and print its text.\n\n"
    "\b\nExample:\n"
    "  assay sysbench cpu run --cpu-max-prime=20000 --threads=2\n"
    "  assay sysbench memory run --memory-block-size=1M --memory-oper=read\n"
    "  assay sysbench fileio prepare --file-total-size=1G\n"
    "  assay sysbench fileio run --file-total-size=1G --file-test-mode=rndrw --threads=16\n"
    "  assay sysbench fileio cleanup --file-total-size=1G",
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_version,
            help="Print the version of sysbench that this stands in for.",
        )
    ],
    commands=[
        TestCommand(
            "fileio",
            params=fileio_options(),
            callback=_fileio,
            help="Files: sequential and random, read and written.\n\n"
            "The text is sysbench's. An asynchronous operation is timed to its completion: sysbench times\n"
            "the submission.\n\n"
            "\b\nExample:\n"
            "  assay sysbench fileio run --file-test-mode=rndrd --file-extra-flags=direct --threads=16",
        ),
        *machine_commands(),
    ],
)
