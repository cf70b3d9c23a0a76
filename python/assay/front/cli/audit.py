"""The verb `assay audit`: searches anybody's result tables for figures that cannot be right."""

from __future__ import annotations

from pathlib import Path

import click

from assay.front.terminal import say_json, tell_size


@click.command("audit")
@click.argument(
    "files", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True)
)
@click.option(
    "--notes", is_flag=True, help="Also show notes, which have only one sign, and claims that hold."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], notes: bool, as_json: bool) -> None:
    """Search result tables for impossible figures: typing errors, copies, wrong sums.

    FILE is a CSV file (long form: metric, result, threads …; or a load point a row or a column), a text with
    tables pasted from a page, the output of a tool that assay import reads, a folder of CSV files, or a
    results folder of assay run. Give files that belong together in one call: figures are compared across
    tables, and with the prose and claims in the same files.

    A finding has two independent signs of an error; a case with only one sign is a note. An identity, such as
    rate x latency = connections, counts only in a table where three rows in four satisfy it. A finding proves
    nothing: it names the place, the printed and the expected figure, and the reason, so that you can check
    it.

    Tables, columns, fields and lines that are not read are counted and named. The exit code is 1 if there
    are findings, 0 if there are none, and 2 if no figure was read.

    \b
    Example:
      assay audit tables.csv figures.csv
      assay audit pasted.txt --notes
      assay audit results/quickstart --json | jq '.findings[] | {rule, row, printed, expected}'
    """
    from assay.experiments.adopt import audit_files
    from assay.results.audit import as_object

    tell_size(files)
    found = audit_files(files)
    if as_json:
        say_json(as_object(found))
    else:
        from assay.front.terminal import print_audit

        print_audit(found, notes=notes)
    if found.findings:
        ctx.exit(1)
