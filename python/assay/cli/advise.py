"""The verb `assay advise`: settings of InnoDB that follow from measurements of a disk."""

from __future__ import annotations

from pathlib import Path

import click

from assay.terminal import say, say_json


def _page(ctx: click.Context, parameter: click.Parameter, text: str) -> int:
    from assay.jobfiles import size

    try:
        return size(text)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, parameter) from error


@click.command("advise")
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path, file_okay=False))
@click.option("--page-size", default="16k", callback=_page, show_default=True, help="innodb_page_size.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
def command(results: Path, page_size: int, as_json: bool) -> None:
    """Settings of InnoDB for the disk that a study of storage measured, with the reason for each.

    RESULTS is the folder of such a study. What it did not measure is said, with what would. Where it varies
    storage.directory or host.X each level is a disk of its own.

    \b
    Example:
      assay run studies/storage/five-jobs.toml
      assay advise results/five-jobs
    """
    from assay.lab import disk_advice, results_folder

    found = disk_advice(results_folder(results), page_size)
    if as_json:
        from dataclasses import asdict

        entries = [{"disk": disk} | asdict(one) for disk, all_of_it in found.items() for one in all_of_it]
        say_json(entries)
        return
    for number, (disk, all_of_it) in enumerate(found.items()):
        if disk:
            say(("\n" if number else "") + f"# {disk}")
        for one in all_of_it:
            known = one.value is not None
            say(f"{one.setting} = {one.value}" if known else f"{one.setting}: not known")
            say(f"    {one.reason}")
