"""Plans the runs of an import: what each file becomes beside the runs that are there, or why it cannot."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from assay.adopt.adopted import Adopted, LoadPoint
from assay.adopt.factors import Given, differing, levels_of, load_of, treatment_name
from assay.adopt.reading import ReadFile
from assay.errors import ConflictError, InputError
from assay.folder import Imported, Manifest, RungEntry, Source
from assay.study import Scalar
from assay.version import VERSION

_UNSAFE = re.compile(r"[^A-Za-z0-9_.,=+-]+")
_LONGEST_SLUG = 60
_MOST_BLOCKS = 99


@dataclass(frozen=True)
class PlannedRun:
    """A run that is to be written."""

    files: tuple[ReadFile, ...]  # of the result first
    found: Adopted
    manifest: Manifest


def check_beside(beside: Sequence[ReadFile], results: Sequence[Adopted]) -> None:
    """Raises InputError for files that cannot belong to the results that are given with them."""
    for file in beside:
        assert file.beside is not None
        if not results:
            raise InputError(
                f"{file.path}: was recorded beside a load, whose result is missing",
                hint="give the output of the load in the same call",
            )
        if file.beside.of_machine and len(results) > 1:
            raise InputError(
                f"{file.path}: belongs to one result, and {len(results)} are given",
                hint="import each result with its own log",
            )


def _with(found: Adopted, beside: Sequence[ReadFile]) -> Adopted:
    """Returns a result with what was recorded beside it; what its own tool printed counts first."""
    printed, unknown = found.printed, list(found.unknown)
    for extra in (file.beside for file in beside if file.beside is not None):
        names = {one.name for one in printed.figures}
        figures = [*printed.figures, *(one for one in extra.figures if one.name not in names)]
        printed = msgspec.structs.replace(printed, figures=figures, series=[*printed.series, *extra.series])
        unknown = [one for what in unknown if (one := extra.known.get(what, what)) is not None]
    return replace(found, printed=printed, unknown=tuple(dict.fromkeys(unknown)))


def planned_runs(
    files: Sequence[ReadFile], beside: Sequence[ReadFile], wanted: Given, before: Sequence[Manifest]
) -> Iterator[PlannedRun]:
    """Yields the runs to write, numbered after those that are there."""
    runs = list(before)
    for file in files:
        for part, alone in enumerate(file.results, start=1):
            where = str(file.path) if len(file.results) == 1 else f"{file.path} (result {part})"
            found, all_files = _with(alone, beside), (file, *beside)
            manifest = _manifest(all_files, found, part, where, wanted, runs)
            runs.append(manifest)
            yield PlannedRun(all_files, found, manifest)


def _manifest(
    files: Sequence[ReadFile],
    found: Adopted,
    part: int,
    where: str,
    wanted: Given,
    runs: Sequence[Manifest],
) -> Manifest:
    load, levels = load_of(where, found, wanted), levels_of(where, found, wanted)
    treatment = treatment_name(levels)
    entry = RungEntry(dir=_rung_dir(load), kind=load.kind, load=load.value, status="complete")
    for run in runs:
        _check_fits(where, files[0], found, part, load, levels, run)
    repeats = [run for run in runs if run.levels == levels and run.rungs[0].load == load.value]
    for run in repeats[:1]:
        _check_repeat(where, found, levels, run)
    block = len(repeats) + 1
    if block > _MOST_BLOCKS:
        raise InputError(f"{where}: is the {block}th repeat; a results folder has at most {_MOST_BLOCKS}")
    position = sum(run.block == block for run in runs) + 1
    return Manifest(
        run_id=_run_id(block, position, treatment, load),
        study="",
        study_hash="",
        treatment=treatment,
        levels=levels,
        block=block,
        position=position,
        seed=0,
        status="complete",
        started_wall_ns=0,
        ended_wall_ns=0,
        variables={
            name: value
            for file in files
            if file.beside is not None
            for name, value in file.beside.variables.items()
        },
        workload=found.use,
        workload_options={},
        rungs=[entry],
        dataset={},
        server={},
        tools={"assay": VERSION},
        imported=Imported(
            tool=found.tool,
            version=found.version,
            sources=[
                Source(
                    name=str(file.path),
                    copy=f"sources/{number}-{_UNSAFE.sub('_', file.path.name)}",
                    sha256=file.sha256,
                    bytes=len(file.content),
                )
                for number, file in enumerate(files, start=1)
            ],
            unknown=list(found.unknown),
            settings=dict(found.settings),
            part=part,
        ),
    )


def _rung_dir(load: LoadPoint) -> str:
    return f"rungs/01-{load.kind}-{load.value:g}"


def _run_id(block: int, position: int, treatment: str, load: LoadPoint) -> str:
    """Returns a name for the run's folder: safe, short, and distinct by block and position."""
    slug = _UNSAFE.sub("_", treatment.replace(", ", ","))
    if len(slug) > _LONGEST_SLUG:
        slug = f"{slug[: _LONGEST_SLUG - 9]}-{hashlib.sha256(treatment.encode()).hexdigest()[:8]}"
    return f"b{block:02d}-{position:02d}-{slug}-{load.kind}-{load.value:g}"


def _check_fits(
    where: str,
    file: ReadFile,
    found: Adopted,
    part: int,
    load: LoadPoint,
    levels: dict[str, Scalar],
    run: Manifest,
) -> None:
    """Raises where a run cannot stand beside another of the folder, or is the same."""
    assert run.imported is not None
    other = run.imported.sources[0]
    if other.sha256 == file.sha256 and run.imported.part == part:
        raise ConflictError(
            f"{where}: has the content of {other.name}, which is {run.run_id} already",
            hint="give each file once: a copy is no repeat",
        )
    if run.workload != found.use:
        theirs = run.workload.partition(":")[2]
        raise InputError(
            f"{where}: holds results of {found.workload}, and {other.name} of {theirs}",
            hint="import them into a folder each",
        )
    if run.rungs[0].kind != load.kind:
        raise InputError(
            f"{where}: its load is {load.kind}, and that of {other.name} is {run.rungs[0].kind}",
            hint="import them into a folder each",
        )
    if run.levels.keys() != levels.keys():
        theirs, ours = (", ".join(names) or "none" for names in (run.levels, levels))
        raise InputError(
            f"{where}: its factors are {ours}, and those of {other.name} are {theirs}",
            hint="give every file of a folder the same factors",
        )


def _check_repeat(where: str, found: Adopted, levels: dict[str, Scalar], run: Manifest) -> None:
    """Raises InputError where a file that would be a repeat has other settings than the first."""
    assert run.imported is not None
    unequal = differing(found.settings, run.imported.settings, list(levels))
    if unequal:
        name = unequal[0]
        raise InputError(
            f"{where}: would be a repeat of {run.imported.sources[0].name}, but its {name} is"
            f" {found.settings[name]}, not {run.imported.settings[name]}",
            hint=f"take it as a factor: --factor {name}",
        )
