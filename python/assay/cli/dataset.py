"""The verb `assay dataset`: lists and removes datasets."""

from __future__ import annotations

import click

from assay.terminal import say, say_json


@click.group("dataset")
def command() -> None:
    """List the datasets that studies have loaded, and remove them.

    A dataset is a data directory with the tables of a workload at one scale, for one server build. It is
    loaded once, kept under $ASSAY_HOME/datasets, and copied for every run. Remove what you like: the next
    study that needs it loads it again. Together they take at most $ASSAY_DATASET_BUDGET (such as 50G): when a
    new one would not fit, those used least recently go first, but none that a running study uses.

    \b
    Example:
      assay dataset list
      assay dataset rm oltp_read_write-3f
      ASSAY_DATASET_BUDGET=200G assay run studies/quickstart.toml
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def list_datasets(as_json: bool) -> None:
    """List the datasets that are kept, the one used last first.

    The first column is what `rm` takes; the server is the build that loaded it. With --json there are the
    options and variables that shaped it too, and the rows, bytes, engine and row format of each table.

    \b
    Example:
      assay dataset list
      assay dataset list --json | jq '.[] | {id, bytes}'
    """
    from assay.cli.clear_up import clear_up
    from assay.cli.dataset_view import as_records, as_text

    clear_up()
    if as_json:
        say_json(as_records())
    else:
        say(as_text())


@command.command("rm")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all", "every", is_flag=True, help="Remove all datasets that no running study uses.")
def remove(ids: tuple[str, ...], every: bool) -> None:
    """Remove datasets. ID is one of `assay dataset list`, or its beginning when that says enough.

    One that a running study uses is refused; the others are removed all the same. A removal that is killed is
    brought to its end by the next one, or by the next `assay run`.

    \b
    Example:
      assay dataset rm oltp_read_write-3f select-0a1b
      assay dataset rm --all
    """
    from assay.cli.clear_up import clear_up
    from assay.cli.dataset_view import remove_and_say

    clear_up()
    remove_and_say(ids, every=every)
