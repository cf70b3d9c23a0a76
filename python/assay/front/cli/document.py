"""The verb `assay document`: fills a Markdown document with what results say."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.wording import counted
from assay.front.cli.result_options import json_option
from assay.front.terminal import console, say, say_json


@click.command("document")
@click.argument(
    "files", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False)
)
@click.option(
    "--results",
    "roots",
    metavar="DIR",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Take results from here, at any depth; may be repeated.  [default: results]",
)
@json_option
def command(files: tuple[Path, ...], roots: tuple[Path, ...], as_json: bool) -> None:
    """Fill the marked parts of a Markdown FILE with tables, charts and verdicts of results.

    The text outside the marks stays as it is. A part looks like this; the command replaces what stands
    between its two lines. Charts become pictures in a folder with the document's name. A document named
    *.zh-CN.md is filled in Chinese. If one part cannot be filled, the command names its line, and that
    document stays as it was. Sentences of yours that say more than the outcomes beside them ("makes no
    difference" beside *undecided*) are named.

    \b
      <!-- assay: table my-study hypotheses -->
      <!-- /assay -->

    \b
    Kinds of parts:
      set-up STUDY…                    what was run, when, on which servers
      table STUDY NAME                 a table of the report; columns=KEY,KEY selects columns
      chart STUDY NAME                 a chart of the report
      compare STUDY published:TABLE    both on the same axes, or two studies;
                                       show=picture,cells,shapes  measures=qps  AXIS=LEVEL
      doubts STUDY…                    the doubts by kind
      claims REPORT                    the outcome of each claim of a published report
      audit REPORT                     the audit of a published report's figures

    With tables=NAME in its first line a part leaves pictures and a link here: its tables go into the file
    NAME.md in the folder with the document's name. Parts may share a file.

    \b
    Example:
      assay document evaluation.md
      assay document docs/published/003.md --results results/published/003/small
    """
    from dataclasses import asdict

    from assay.experiments.document import fill

    written = []
    for file in files:
        with console(stderr=True).status(f"filling {file} …"):  # shows on a terminal only
            filled = fill(file, roots or (Path("results"),))
        pictures = counted(len(filled.pictures), "picture")
        tables = f", {counted(len(filled.tables), 'file')} of tables" if filled.tables else ""
        written.append(asdict(filled))
        say(f"wrote {file}: {counted(filled.parts, 'part')}, {pictures}{tables}", err=as_json)
        for one in filled.overstated:
            say(f"  ! {one.sentence}\n    {one.why}", err=as_json)
    if as_json:
        say_json({"documents": written})
