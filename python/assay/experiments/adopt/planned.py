"""Plans the runs of an import: what each file becomes beside the runs that are there, or why it cannot."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from assay.base.errors import ConflictError, InputError
from assay.base.printable import line
from assay.base.version import VERSION
from assay.design.folder import Imported, Manifest, RungEntry, Source
from assay.design.study import Scalar
from assay.experiments.adopt.adopted import Adopted, LoadPoint
from assay.experiments.adopt.companion_files import CompanionFile
from assay.experiments.adopt.factors import StatedFactors, levels_of, load_of, treatment_name
from assay.experiments.adopt.file_names import distinguishing
from assay.experiments.adopt.options_file import TOOL as MY_CNF
from assay.experiments.adopt.reading import ReadFile
from assay.experiments.adopt.repeats import KnownRun, check_repeat, shape_of

_UNSAFE = re.compile(r"[^A-Za-z0-9_.,=+-]+")
_LONGEST_SLUG = 60
_LONGEST_COPY = 100
"""Characters of the name of a file, from its end, in the name of its copy: names have at most 255 bytes."""
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
        if not results:
            hint = "give the output of the load in the same call"
            if file.beside[0].tool == MY_CNF:
                hint += f"; or measure with its variables: assay init study.toml --options-file {file.path}"
            raise InputError(f"{file.path}: was recorded beside a load, whose result is missing", hint=hint)
        logs = len(file.beside)
        if file.beside[0].of_machine and logs != len(results):
            what = "belongs to one result" if logs == 1 else f"holds {logs} logs one after another"
            raise InputError(
                f"{file.path}: {what}, and {len(results)} {'is' if len(results) == 1 else 'are'} given",
                hint="import each result with its own log",
            )


def _with(found: Adopted, beside: Sequence[CompanionFile]) -> Adopted:
    """Returns a result with what was recorded beside it; what its own tool printed counts first."""
    printed, unknown = found.printed, list(found.unknown)
    for extra in beside:
        names = {one.name for one in printed.figures}
        figures = [*printed.figures, *(one for one in extra.figures if one.name not in names)]
        printed = msgspec.structs.replace(printed, figures=figures, series=[*printed.series, *extra.series])
        unknown = [one for what in unknown if (one := extra.known.get(what, what)) is not None]
    return replace(found, printed=printed, unknown=tuple(dict.fromkeys(unknown)))


def planned_runs(
    files: Sequence[ReadFile], wanted: StatedFactors, before: Sequence[KnownRun], *, are_repeats: bool
) -> Iterator[PlannedRun]:
    """Yields the runs to write, numbered after those that are there.

    `are_repeats`: the caller says that results of equal load are repeats. Raises InputError where they cannot
    be, and where nothing says whether they are.
    """
    beside = [file for file in files if file.beside]
    names = _names(files, wanted)
    proposal = f", or --factor NAME for {_listed(names)}, from their names" if names else ""
    given = any(
        name.rpartition(".")[2] in one.settings for name in wanted.factors for f in files for one in f.results
    )
    runs = list(before)
    number = 0
    for file in files:
        for part, alone in enumerate(file.results, start=1):
            where = str(file.path) if len(file.results) == 1 else f"{file.path} (result {part})"
            logs = [one.beside[number if one.beside[0].of_machine else 0] for one in beside]
            number += 1
            found, all_files = _with(alone, logs), (file, *beside)
            from_name = "" if given else names.get(file.path, "")
            load, levels = load_of(where, found, wanted), levels_of(where, found, wanted, from_name)
            manifest = _manifest(
                all_files, logs, found, part, where, load, levels, [run.manifest for run in runs]
            )
            run = KnownRun(manifest, shape_of(found.printed.figures, found.settings))
            for other in _repeated(runs, manifest)[:1]:
                asked = are_repeats or bool(wanted.factors)
                check_repeat(where, run, other, asked=asked, proposal=proposal)
            runs.append(run)
            yield PlannedRun(all_files, found, manifest)


def _repeated(runs: Sequence[KnownRun], manifest: Manifest) -> list[KnownRun]:
    load = manifest.rungs[0].load
    return [
        run for run in runs if run.manifest.levels == manifest.levels and run.manifest.rungs[0].load == load
    ]


def _names(files: Sequence[ReadFile], wanted: StatedFactors) -> dict[Path, str]:
    """Returns what distinguishes the files of results by their names."""
    loads = {file.path: file.results[0].load or wanted.load for file in files if file.results}
    return distinguishing({path: load.value if load else 0.0 for path, load in loads.items()})


def _listed(names: Mapping[Path, str]) -> str:
    first = list(dict.fromkeys(names.values()))
    return f"{', '.join(first[:3])}{' …' if len(first) > 3 else ''}"


def _manifest(
    files: Sequence[ReadFile],
    logs: Sequence[CompanionFile],
    found: Adopted,
    part: int,
    where: str,
    load: LoadPoint,
    levels: dict[str, Scalar],
    runs: Sequence[Manifest],
) -> Manifest:
    treatment = treatment_name(levels)
    entry = RungEntry(dir=_rung_dir(load), kind=load.kind, load=load.value, status="complete")
    for run in runs:
        _check_fits(where, files[0], found, part, load, levels, run)
    repeats = [run for run in runs if run.levels == levels and run.rungs[0].load == load.value]
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
        variables={name: value for log in logs for name, value in log.variables.items()},
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
                    name=line(file.path),
                    copy=f"sources/{number}-{_UNSAFE.sub('_', file.path.name)[-_LONGEST_COPY:]}",
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
