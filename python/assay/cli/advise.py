"""The verb `assay advise`: settings that follow from the results of a study."""

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
@click.option(
    "--page-size",
    default="16k",
    callback=_page,
    show_default=True,
    help="innodb_page_size, for a study of storage.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(results: Path, page_size: int, as_json: bool) -> None:
    """Advise settings by the RESULTS of a study.

    A study of server variables gives a fragment of my.cnf: the settings that it found better, each with its
    effect and interval, and as comments what made no difference, what depends on the load and what is
    undecided. A setting that risks data which the baseline keeps is written as a comment.

    A study of storage gives settings of InnoDB for the disk, each with its reason. Settings that it cannot
    decide are listed, with what would. Each level of storage.directory or host.X is a disk of its own.

    \b
    Example:
      assay run studies/commit-cost.toml
      assay advise results/commit-cost > fragment.cnf
      assay run studies/storage/five-jobs.toml
      assay advise results/five-jobs
    """
    from dataclasses import asdict

    from assay.lab import disk_advice, is_of_storage, results_folder, settings_advice

    folder = results_folder(results)
    if not is_of_storage(folder):
        settings = settings_advice(folder)
        if as_json:
            say_json(asdict(settings))
        else:
            say(settings.fragment, newline=False)
        return
    found = disk_advice(folder, page_size)
    if as_json:
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
