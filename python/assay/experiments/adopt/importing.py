"""Writes the results of other tools into a results folder, one run for each."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.base.decoding import reading
from assay.base.errors import ConflictError, InputError
from assay.base.inner_path import InnerPath
from assay.base.locks import take
from assay.base.version import VERSION
from assay.design.folder import (
    Manifest,
    ResultsFolder,
    RunFolder,
    StudyEntry,
    read_entry,
    read_manifest,
    read_printed,
    with_checksum,
    write_study_files,
    written_files,
)
from assay.design.study import (
    Design,
    Factor,
    Load,
    Scalar,
    ServerChoice,
    Study,
    WorkloadChoice,
    level_text,
    load_measured,
    study_hash,
    study_toml,
    subject_of,
)
from assay.design.study.storage import NO_SERVER, UNKNOWN_SERVER
from assay.experiments.adopt.account import Account
from assay.experiments.adopt.adopted import LoadPoint
from assay.experiments.adopt.factors import given
from assay.experiments.adopt.planned import PlannedRun, check_beside, planned_runs
from assay.experiments.adopt.reading import ReadFile, read_file
from assay.experiments.adopt.repeats import KnownRun, shape_of
from assay.results.store import build_store

_LOCK = ".lock"
"""The lock that `assay run` takes too."""
_HEAD = (
    "# `assay import` wrote this file. Hypotheses and [verdict] may be added; the rest follows from the"
    " runs.\n"
)


MOST_RESULTS = 2000
"""The most results that one import brings in."""


@dataclass(frozen=True)
class Brought:
    """One run that an import added."""

    run_id: str
    file: str
    tool: str
    version: str
    treatment: str
    block: int
    load: LoadPoint
    figures: int
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class Import:
    """What an import added, and what became of each of its files."""

    runs: tuple[Brought, ...]
    files: tuple[Account, ...]


def bring_in(
    paths: Sequence[Path],
    results: Path,
    factors: Iterable[str] = (),
    every_s: float | None = None,
    *,
    are_repeats: bool = False,
) -> Import:
    """Reads all files, then adds a run for each result in them to the results folder, which may be new.

    Results with equal factors at equal load are repeats: blocks, in the order of the files. Of several files
    without a factor the caller must say so (`are_repeats`). Logs of the
    machine belong to the one result that is given with them, options files to all results; `every_s` is the
    time between readings of a log without times. Nothing is written where a file cannot be read.

    Raises InputError for such a file, and where repeats differ in what they did; ConflictError where the
    folder has a study's own runs, or has a file already.
    """
    wanted = given(factors)
    files = [_read(path, every_s) for path in paths]
    _check_count(files)
    check_beside([file for file in files if file.beside], [found for file in files for found in file.results])
    folder = ResultsFolder(results)
    folder.path.parent.mkdir(parents=True, exist_ok=True)
    made_here = not folder.path.exists()
    _check_folder(folder)
    folder.runs.mkdir(parents=True, exist_ok=True)
    try:
        with folder.inner(_LOCK).open("a") as lock:
            if not take(lock):
                raise ConflictError(f"cannot use {folder.path}: another assay is at work in it")
            known = [_known(run) for run in folder.finished_runs()]
            before = [one.manifest for one in known]
            with reading(", ".join(map(str, paths)), hint="give the files as their tools wrote them"):
                planned = list(planned_runs(files, wanted, known, are_repeats=are_repeats))
                study = _study(folder, [*before, *(one.manifest for one in planned)])
                written = _written(folder, study, before, planned)
            return Import(tuple(written), tuple(file.account for file in files))
    except BaseException:
        if made_here and not any(folder.finished_runs()):
            shutil.rmtree(folder.path, ignore_errors=True)
        raise


def _read(path: Path, every_s: float | None) -> ReadFile:
    with reading(path, hint="give the file as the tool wrote it"):
        return read_file(path, every_s)


def _check_count(files: Sequence[ReadFile]) -> None:
    count = sum(len(file.results) for file in files)
    if count > MOST_RESULTS:
        most = max(files, key=lambda file: len(file.results))
        raise InputError(
            f"{most.path}: has {len(most.results):,} of {count:,} results, each of which becomes a run;"
            f" an import brings in {MOST_RESULTS:,} at most",
            hint="give the results that are to be compared",
        )


def _known(run: RunFolder) -> KnownRun:
    """Returns a run of the folder with its shape."""
    manifest = read_manifest(run)
    assert manifest.imported is not None
    figures = read_printed(run.rung_at(manifest.rungs[0].dir)).figures
    return KnownRun(manifest, shape_of(figures, manifest.imported.settings))


def _check_folder(folder: ResultsFolder) -> None:
    if folder.path.exists() and not folder.path.is_dir():
        raise InputError(f"--results {folder.path}: is a file", hint="give a folder")
    if folder.entry.is_file():
        if not load_measured(folder.study_file).is_imported:
            raise ConflictError(
                f"{folder.path}: holds the runs of a study, which imported results cannot join",
                hint="give another folder with --results; `assay compare` sets the two beside each other",
            )
    elif folder.path.is_dir() and any(one.name not in (_LOCK, "runs") for one in folder.path.iterdir()):
        raise ConflictError(
            f"{folder.path}: holds other files", hint="give a new folder, or one that assay import made"
        )


def _study(folder: ResultsFolder, runs: Sequence[Manifest]) -> Study:
    """Returns the study that describes all runs; hypotheses of an earlier import stay."""
    ladder = tuple(sorted({run.rungs[0].load for run in runs}))
    kind = runs[0].rungs[0].kind
    load = (
        Load(rate=ladder) if kind == "rate" else Load(**{kind: tuple(int(point) for point in ladder)})  # type: ignore[arg-type]
    )
    factors = []
    for name in runs[0].levels:
        levels: dict[str, Scalar] = {}
        for run in runs:
            levels.setdefault(level_text(run.levels[name]), run.levels[name])
        if len(levels) > 1:
            factors.append(Factor(name=name, levels=tuple(levels.values())))
    workload = runs[0].workload
    server = UNKNOWN_SERVER if subject_of(workload).kind == "server" else NO_SERVER
    changed = {
        "server": ServerChoice(use=server),
        "workload": WorkloadChoice(use=workload),
        "load": load,
        "factors": tuple(factors),
        "design": Design(blocks=max(run.block for run in runs), order="as-written"),
    }
    if folder.study_file.is_file():
        return load_measured(folder.study_file).model_copy(update=changed)
    return Study(name=_name(folder.path), **changed)  # type: ignore[arg-type]


def _name(path: Path) -> str:
    """Returns the folder's name as that of a study: small letters, digits and hyphens."""
    plain = re.sub(r"[^a-z0-9]+", "-", path.resolve().name.lower()).strip("-")
    return plain[:60].strip("-") or "imported"


def _written(
    folder: ResultsFolder, study: Study, before: Sequence[Manifest], planned: Sequence[PlannedRun]
) -> list[Brought]:
    """Writes all runs under other names, then the study, and last gives the runs their names."""
    hash_ = study_hash(study)
    ready = []
    kept = {file: file.read_bytes() for file in _of_study(folder) if file.is_file()}
    try:
        for one in planned:
            ready.append((folder.unfinished(one.manifest.run_id).path, one))
            _write_run(folder, one, study.name, hash_)
        now = time.time_ns()
        known = read_entry(folder) if folder.entry.is_file() else None
        entry = StudyEntry(
            name=study.name,
            hash=hash_,
            seed=0,
            created_wall_ns=known.created_wall_ns if known else now,
            assay=VERSION,
        )
        ids = [run.run_id for run in (*before, *(one.manifest for one in planned))]
        files = {
            folder.study_file: (_HEAD + study_toml(study)).encode(),
            folder.plan: msgspec.json.format(msgspec.json.encode({"runs": ids})),
        }
        write_study_files(folder.entry, entry, files)
        for path, one in ready:
            path.rename(folder.run(one.manifest.run_id).path)
        _check_readable(folder, planned)
    except BaseException:
        for path, one in ready:
            shutil.rmtree(path, ignore_errors=True)
            shutil.rmtree(folder.run(one.manifest.run_id).path, ignore_errors=True)
        for file in _of_study(folder):
            if file in kept:
                file.write_whole(kept[file])
            else:
                file.unlink(missing_ok=True)
        raise
    return [
        Brought(
            run_id=one.manifest.run_id,
            file=str(one.files[0].path),
            tool=one.found.tool,
            version=one.found.version,
            treatment=one.manifest.treatment,
            block=one.manifest.block,
            load=LoadPoint(one.manifest.rungs[0].kind, one.manifest.rungs[0].load),
            figures=len(one.found.printed.figures),
            unknown=one.found.unknown,
        )
        for one in planned
    ]


def _of_study(folder: ResultsFolder) -> tuple[InnerPath, ...]:
    return folder.study_file, folder.plan, folder.entry


def _check_readable(folder: ResultsFolder, planned: Sequence[PlannedRun]) -> None:
    """Reads what was written as every other command does, and refuses what none of them could read."""
    try:
        load_measured(folder.study_file)
        build_store(folder)
    except InputError as error:
        names = ", ".join(dict.fromkeys(str(one.files[0].path) for one in planned))
        raise InputError(
            f"{names}: cannot be brought in, as Assay could not read it again: {error.message}",
            hint="correct the figure in the file, or leave that file out",
        ) from error


def _write_run(folder: ResultsFolder, one: PlannedRun, study: str, hash_: str) -> None:
    run = folder.unfinished(one.manifest.run_id)
    shutil.rmtree(run.path, ignore_errors=True)
    assert one.manifest.imported is not None
    rung = run.rung_at(one.manifest.rungs[0].dir)
    rung.path.mkdir(parents=True)
    run.sources.mkdir()
    for source, file in zip(one.manifest.imported.sources, one.files, strict=True):
        (run.path / source.copy).write_bytes(file.content)
    rung.printed.write_bytes(msgspec.json.format(msgspec.json.encode(one.found.printed)))
    manifest = msgspec.structs.replace(
        one.manifest, study=study, study_hash=hash_, files=written_files(run.path)
    )
    run.manifest.write_whole(with_checksum(manifest))
