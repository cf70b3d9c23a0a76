"""Carries out `assay sysbench fileio`: prepare, run, cleanup."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.base.errors import HostError, Interrupted
from assay.base.format.job import DiskJob
from assay.design.folder import Doubt, ErrorEvent, Event, Interval
from assay.design.storage import Fileio
from assay.experiments.bench.storage import StageOutcome, carry_out, result_json
from assay.front.compat.sysbench.fileio_text import before, live_line, prepared, preparing, summary, unfit
from assay.front.compat.sysbench.own_name import asides_are_read, has_own_name, refuse, say_log
from assay.front.compat.sysbench.text import NOTICE, banner
from assay.front.terminal import AssayConsole, Moment, StorageDisplay, console, print_verified, say, say_json


def fileio(action: str, *, as_json: bool, verbosity: int, **values: Any) -> None:
    """Carries out `prepare`, `run` or `cleanup` with the given options. Raises InputError for an impossible
    load.
    """
    load, show = Fileio(**values), verbosity >= NOTICE
    match action:
        case "prepare":
            _prepare(load, show=show)
        case "run":
            _run(load, as_json=as_json, show=show)
        case _:
            _cleanup(load, show=show)


def _print(text: str, *, show: bool, err: bool = False) -> None:
    """Prints lines of a report, which a low verbosity leaves out."""
    if show:
        say(text, err=err, newline=False)


def _sizes(load: Fileio) -> dict[Path, int]:
    return {path: path.stat().st_size for path in load.files if path.is_file()}


def _prepare(load: Fileio, *, show: bool) -> None:
    """Makes the files; existing ones of the right size are kept."""
    before = _sizes(load)
    _print(preparing(load, before), show=show)
    start = time.monotonic()
    done = _carry(load.prepare(), console())
    if done.error is not None:
        raise done.error
    written = sum(load.file_bytes for path in load.files if before.get(path, 0) < load.file_bytes)
    _print(prepared(written, max(time.monotonic() - start, 1e-9)), show=show)


def _run(load: Fileio, *, as_json: bool, show: bool) -> None:
    """Drives the load and prints the figures; afterwards it raises the load's error, or `Interrupted`."""
    if has_own_name():
        _refuse_as_sysbench(load)
    job = load.run()
    out = console(stderr=as_json)
    _print(before(load), show=show, err=as_json)
    done = _carry(job, out, load)
    if done.result is not None:
        if as_json:
            say_json(result_json(done.result, done.doubts))
        else:
            # sysbench prints no result of a run that has failed.
            failed = done.error is not None and not isinstance(done.error, Interrupted)
            _print(summary(load, done.result), show=show, err=failed)
    for read in done.verified:
        if read.bad:
            print_verified(read, console(stderr=True))
    if done.error is not None:
        raise done.error


def _refuse_as_sysbench(load: Fileio) -> None:
    """Ends the command with sysbench's words where the test lacks its mode, or files of the right size."""
    if load.file_test_mode is None:
        text = "FATAL: Missing required argument: --file-test-mode\n"
    else:
        text = unfit(load, _sizes(load))
    if text:
        say_log(text)
        refuse("")


def _cleanup(load: Fileio, *, show: bool) -> None:
    """Removes the files."""
    _print(f"{banner()}Removing test files...\n", show=show)
    for path in load.files:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise HostError(f"cannot remove {path}: {error}") from error


class _Display(StorageDisplay):
    """The progress of a load on files; what sysbench does not write is not written where a program reads."""

    def note(self, message: str) -> None:
        """Prints a note on standard error."""
        if asides_are_read():
            super().note(message)

    def event(self, event: Event) -> None:
        """Shows an event if it matters to a person, and a person reads."""
        if asides_are_read() or not isinstance(event, Doubt | ErrorEvent):
            super().event(event)


def _carry(job: DiskJob, console: AssayConsole, load: Fileio | None = None) -> StageOutcome:
    def words(intervals: Sequence[Interval], moment: Moment) -> str:
        assert load is not None
        return live_line(intervals[-1], moment.elapsed_s, load.percentile)

    interval_s = 0.0 if load is None else load.report_interval
    with _Display(console, interval_s=interval_s, words=words) as display:
        (done,), interrupted = carry_out([job], display, command="assay sysbench fileio")
    if interrupted and done.result is None:
        raise Interrupted("Interrupted.")
    if interrupted:
        done.error = Interrupted("Interrupted; the figures cover the time until then.")
    return done
