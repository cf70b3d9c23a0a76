"""Carries out `assay sysbench fileio`: prepare, run, cleanup."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from assay.bench.storage import Carried, carry_out, result_json
from assay.compat.sysbench.fileio_text import before, live_line, summary
from assay.errors import HostError, Interrupted
from assay.folder import Interval
from assay.format.job import DiskJob
from assay.jobfiles import Fileio
from assay.terminal import AssayConsole, Moment, StorageDisplay, console, say, say_json

_MIB = 2**20


def fileio(action: str, *, as_json: bool, **values: Any) -> None:
    """Carries out `prepare`, `run` or `cleanup` with the given options. Raises InputError for an impossible
    load.
    """
    load = Fileio(**values)
    match action:
        case "prepare":
            _prepare(load)
        case "run":
            _run(load, as_json=as_json)
        case _:
            _cleanup(load)


def _prepare(load: Fileio) -> None:
    """Makes the files; existing ones of the right size are kept."""
    out = console()
    out.print(
        f"{load.file_num} files, {load.file_bytes // 1024}Kb each, {load.file_total_size // _MIB}Mb total"
    )
    before = {path: path.stat().st_size for path in load.files if path.is_file()}
    out.print("Creating files for the test...")
    start = time.monotonic()
    done = _carry(load.prepare(), out)
    if done.error is not None:
        raise done.error
    written = sum(load.file_bytes for path in load.files if before.get(path, 0) < load.file_bytes)
    seconds = max(time.monotonic() - start, 1e-9)
    out.print(f"{written} bytes written in {seconds:.2f} seconds ({written / _MIB / seconds:.2f} MiB/sec).")


def _run(load: Fileio, *, as_json: bool) -> None:
    """Drives the load and prints the figures; afterwards it raises the load's error, or `Interrupted`."""
    job = load.run()
    out = console(stderr=as_json)
    say(before(load), err=as_json, newline=False)
    done = _carry(job, out, load)
    if done.result is not None:
        if as_json:
            say_json(result_json(done.result, done.doubts))
        else:
            say(summary(load, done.result), newline=False)
    if done.error is not None:
        raise done.error


def _cleanup(load: Fileio) -> None:
    """Removes the files."""
    say("Removing test files...")
    for path in load.files:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise HostError(f"cannot remove {path}: {error}") from error


def _carry(job: DiskJob, console: AssayConsole, load: Fileio | None = None) -> Carried:
    def words(intervals: Sequence[Interval], moment: Moment) -> str:
        assert load is not None
        return live_line(intervals[-1], moment.elapsed_s, load.percentile)

    interval_s = 0.0 if load is None else load.report_interval
    with StorageDisplay(console, interval_s=interval_s, words=words) as display:
        (done,), interrupted = carry_out([job], display, command="assay sysbench fileio")
    if interrupted and done.result is None:
        raise Interrupted("Interrupted.")
    if interrupted:
        done.error = Interrupted("Interrupted; the figures cover the time until then.")
    return done
