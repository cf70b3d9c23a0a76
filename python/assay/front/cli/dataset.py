"""The verb `assay dataset`: lists and removes datasets."""

from __future__ import annotations

import click

from assay.front.cli.result_options import json_option
from assay.front.terminal import say, say_json


@click.group("dataset")
def command() -> None:
    """List the datasets that studies have loaded, and remove them.

    A dataset is a data directory with the tables of a workload in one size, for one server build. It is
    loaded once, kept under $ASSAY_HOME/datasets, and copied for every run. You can remove any dataset: the
    next study that needs it loads it again. All datasets together take at most $ASSAY_DATASET_BUDGET (such as
    50G): if a new one would not fit, the least recently used ones are removed, except those that a running
    study uses.

    \b
    Example:
      assay dataset list
      assay dataset rm oltp_read_write-3f
      ASSAY_DATASET_BUDGET=200G assay run quickstart
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def list_datasets(as_json: bool) -> None:
    """List the kept datasets, the most recently used one first.

    The first column is the ID for `rm`; the server is the build that loaded the dataset. --json adds the
    options and variables that shaped the dataset, and the rows, bytes, engine and row format of each table.

    \b
    Example:
      assay dataset list
      assay dataset list --json | jq '.[] | {id, bytes}'
    """
    from assay.front.cli.clear_up import clear_up
    from assay.front.cli.dataset_view import as_records, as_text

    clear_up()
    if as_json:
        say_json(as_records())
    else:
        say(as_text())


@command.command("rm")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all", "every", is_flag=True, help="Remove all datasets that no running study uses.")
@json_option
def remove(ids: tuple[str, ...], every: bool, as_json: bool) -> None:
    """Remove datasets. ID is an ID from `assay dataset list`, or an unambiguous prefix of it.

    A dataset that a running study uses is refused; the other ones are still removed. If a removal is killed,
    the next removal or the next `assay run` finishes it.

    \b
    Example:
      assay dataset rm oltp_read_write-3f select-0a1b
      assay dataset rm --all
    """
    from assay.front.cli.clear_up import clear_up
    from assay.front.cli.dataset_view import remove_and_say

    clear_up()
    remove_and_say(ids, every=every, as_json=as_json)
