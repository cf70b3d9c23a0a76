"""`assay fio`: runs a fio job file."""

from __future__ import annotations

from pathlib import Path

import click

from assay.argument_types import Seconds
from assay.terminal import say


@click.command("fio")
@click.argument("job", type=click.Path(path_type=Path), metavar="JOB.fio")
@click.option(
    "--output",
    type=click.Choice(["assay", "fio", "fio-json"]),
    default="assay",
    help="Form of the result: ours, or fio's own as text or JSON.",
)
@click.option("--json", "as_json", is_flag=True, help="Our form as one JSON object.")
@click.option("--report-interval", type=Seconds(), default=1.0, help="Seconds between live lines; 0: none.")
@click.option(
    "--ledger",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIRECTORY",
    help="Where jobs with verify note what was acknowledged and what durable: best on another disk.",
)
@click.option(
    "--verify", is_flag=True, help="Write nothing; read back what an earlier run wrote, as after a kill."
)
@click.option("--check", is_flag=True, help="Read the job file and run nothing.")
def command(
    job: Path,
    output: str,
    as_json: bool,
    report_interval: float,
    ledger: Path | None,
    verify: bool,
    check: bool,
) -> None:
    """Run a fio job file, and measure it as everything else is measured.

    Sections run together; `stonewall` begins the next stage. An option that is not supported is an error
    with its file and line, and nothing runs. Ctrl-C keeps what was measured. The live lines go to standard
    error where the result is JSON or fio's.

    \b
    Example:
      assay fio randread.fio
      SIZE=1g assay fio randread.fio --output fio-json
      assay fio --check randread.fio
      assay fio writes.fio --ledger /other
      assay fio writes.fio --ledger /other --verify
    """
    from assay.compat.fio.run import check_file, run_file
    from assay.errors import InputError

    if as_json and output != "assay":
        raise InputError("--json cannot be combined with --output: it is a form of its own")
    if check:
        say(check_file(job, ledgers=ledger, verify=verify))
        return
    form = "json" if as_json else output
    if verify and form.startswith("fio"):
        raise InputError("--verify measures nothing: fio has no form for it", hint="--json, or our own text")
    run_file(job, form=form, interval_s=report_interval, ledgers=ledger, verify=verify)
