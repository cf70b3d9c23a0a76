"""Carries out `assay fio`: reads a job file, runs it, and prints the result."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from assay.base.errors import InputError, Interrupted
from assay.base.wording import counted
from assay.design.folder import RunResult, Verified
from assay.design.storage import Stage, read_stages, reading_back
from assay.experiments.bench.storage import StageOutcome, carry_out, result_json
from assay.front.compat.fio import json_output as fio_json
from assay.front.compat.fio import text as fio_text
from assay.front.compat.fio.logs import write_logs
from assay.front.compat.options import OWN_TEXT
from assay.front.terminal import (
    AssayConsole,
    StorageDisplay,
    console,
    print_result,
    print_verified,
    say,
    say_json,
)
from assay.system.engine import check_disk_job


def check_file(path: Path, *, ledgers: Path | None = None, verify: bool = False) -> str:
    """Returns what would run, and which options of the file change no load here, as lines."""
    stages = _stages(path, ledgers, verify)
    for stage in stages:
        check_disk_job(stage.job, path)
        _check_places(path, stage)
    jobs = sum(len(stage.job.storage) for stage in stages)
    first = f"{path}: {counted(jobs, 'job')} in {counted(len(stages), 'stage')}"
    return "\n".join([first, *_without_effect(stages)])


def _check_places(path: Path, stage: Stage) -> None:
    """Raises InputError for a file of a job that cannot be made or used where it is."""
    for job in stage.job.storage:
        for file in map(Path, job.files if job.io.kind != "null" else ()):
            if (wrong := _wrong_place(file)) is not None:
                raise InputError(f"{path}: job {job.name}: {wrong}", hint="name another file or directory")


def _wrong_place(file: Path) -> str | None:
    try:
        if not file.parent.is_dir():
            return f"there is no directory {file.parent}"
        kind = file.stat().st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"{file}: {error.strerror}"
    other = stat.S_ISDIR(kind) or stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)
    return f"{file} is neither a file nor a block device" if other else None


def _without_effect(stages: Sequence[Stage]) -> list[str]:
    """Returns sentences about the options that change no load here, one a reason."""
    names: dict[str, list[str]] = {}
    for option, why in sorted({item for stage in stages for item in stage.without_effect.items()}):
        if option != "name":
            names.setdefault(why, []).append(option)
    return [f"without effect on the load: {', '.join(options)} ({why})" for why, options in names.items()]


def _stages(path: Path, ledgers: Path | None, verify: bool) -> list[Stage]:
    stages = read_stages(path, ledgers)
    return [reading_back(stages)] if verify else stages


def form_of(output: str, *, as_json: bool, verify: bool) -> str:
    """Returns the form of output, assay, json, fio or fio-json. Raises InputError for options that exclude
    each other.
    """
    if as_json and output != OWN_TEXT:
        raise InputError("--json cannot be combined with --output")
    if verify and output != OWN_TEXT:
        raise InputError(
            "--verify cannot be combined with fio's own forms of output: it measures nothing",
            hint="use --json, or leave --output out",
        )
    return "json" if as_json else output


def run_file(
    path: Path, *, form: str, interval_s: float, ledgers: Path | None = None, verify: bool = False
) -> None:
    """Runs a job file, or with `verify` reads back what it wrote, and prints the result as `form`: assay,
    json, fio, fio-json. `ledgers` is the directory in which its jobs keep their ledgers.

    Raises the error of a stage, or `Interrupted`, after what was measured has been printed.
    """
    stages = _stages(path, ledgers, verify)
    out = console(stderr=form != "assay")
    for said in _without_effect(stages):
        out.print(f"note: {said}", markup=False)
    with StorageDisplay(out, interval_s=interval_s) as display:
        carried, interrupted = carry_out([stage.job for stage in stages], display, command="assay fio")
    whole = [
        (stage, one.result)
        for stage, one in zip(stages, carried, strict=False)
        if one.result is not None and one.result.storage is not None
    ]
    _print(whole, carried, form, out)
    _logs(whole, out)
    if interrupted:
        said = "; the figures cover the time until then." if whole else "."
        raise Interrupted(f"Interrupted{said}")
    for one in carried:
        if one.error is not None:
            raise one.error


def _print(
    whole: Sequence[tuple[Stage, RunResult]],
    carried: Sequence[StageOutcome],
    form: str,
    console: AssayConsole,
) -> None:
    match form:
        case "json":
            found = [_json(one) for one in carried if one.result is not None or one.verified]
            said = {name: why for stage, _ in whole for name, why in stage.without_effect.items()}
            say_json({"stages": found, **({"without_effect": said} if said else {})})
        case "fio-json" if whole:
            say_json(fio_json.document(whole))
        case "fio" if whole:
            say(fio_text.text(whole), newline=False)
        case "assay":
            for _, result in whole:
                print_result(result, console)
    for one in carried:
        for read in one.verified:
            print_verified(read, console)


def _json(one: StageOutcome) -> dict[str, Any]:
    measured = {"doubts": one.doubts} if one.result is None else result_json(one.result, one.doubts)
    return {**measured, "verified": [_counts(read) for read in one.verified]}


def _counts(read: Verified) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(read)
    del found["event"]
    return found


def _logs(whole: Sequence[tuple[Stage, RunResult]], console: AssayConsole) -> None:
    number = 0
    for stage, result in whole:
        assert result.storage is not None
        for line, raw in zip(stage.lines, result.storage.jobs, strict=True):
            number += 1
            for path in write_logs(line, raw, number):
                console.print(f"written: {path}", markup=False)
