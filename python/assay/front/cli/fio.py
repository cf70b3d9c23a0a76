"""The verb `assay fio`: runs a fio job file."""

from __future__ import annotations

from pathlib import Path

import click

from assay.front.compat.fio import fio_options
from assay.front.terminal import say


def _run(
    job: Path,
    output: str,
    as_json: bool,
    report_interval: float,
    ledger: Path | None,
    verify: bool,
    check: bool,
) -> None:
    """Run a fio job file with Assay's engine and measures.

    Sections run at the same time; `stonewall` begins the next stage. An option that is not supported is an
    error with its file and line, and nothing runs. Ctrl-C keeps what was measured. If the result is JSON or
    fio's text, the live lines go to standard error.

    \b
    Example:
      assay fio randread.fio
      SIZE=1g assay fio randread.fio --output fio-json
      assay fio --check randread.fio
      assay fio writes.fio --ledger /other
      assay fio writes.fio --ledger /other --verify
    """
    from assay.front.compat.fio import check_file, form_of, run_file

    form = form_of(output, as_json=as_json, verify=verify and not check)
    if check:
        say(check_file(job, ledgers=ledger, verify=verify))
    else:
        run_file(job, form=form, interval_s=report_interval, ledgers=ledger, verify=verify)


command = click.command("fio", params=fio_options())(_run)
