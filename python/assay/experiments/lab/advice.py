"""Advises settings: of InnoDB by a measured disk, of a server by what studies found of its variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assay.base.errors import InputError
from assay.design.folder import ResultsFolder
from assay.design.study import load_measured
from assay.experiments.lab.judging import figures_of, judged
from assay.results.advice import Advice, ServerAdvice, advise, combined, read_cells
from assay.results.verdict import variable_factors


def is_of_storage(folder: ResultsFolder) -> bool:
    """Returns whether the results are those of a study of files or disks."""
    return load_measured(folder.study_file).subject.kind == "storage"


def disk_advice(folder: ResultsFolder, page_bytes: int) -> Mapping[str, Sequence[Advice]]:
    """Returns, for each disk, the settings of InnoDB that follow from what a study of storage measured there.

    Raises InputError when no run of one kind of load on files is finished.
    """
    with figures_of(folder) as found:
        cells = read_cells(found.study, found.results, found.store)
    if not cells:
        raise InputError(
            f"{folder.path}: contains no finished run of a load on files",
            hint="run one first, as storage/five-jobs; jobs that run side by side must have the same options",
        )
    return advise(cells, page_bytes)


def settings_advice(folders: Sequence[ResultsFolder]) -> tuple[ServerAdvice, ...]:
    """Returns the settings that the comparisons of studies advise, one entry for each flavour and version of
    their servers.

    Raises InputError for a study that varies no variable of a server, or has no complete block.
    """
    found: list[ServerAdvice] = []
    names: set[str] = set()
    for folder in folders:
        with judged(folder) as results:
            advice, study = results.advice, results.study
        if not advice:
            what = "has no complete block" if variable_factors(study) else "varies no variable of a server"
            raise InputError(
                f"{folder.path}: the study {what}",
                hint="give results of a study with a factor such as server.variables.innodb_purge_threads, or"
                " of a study of storage",
            )
        if study.name in names:
            advice = tuple(_marked(one, f"{folder.path}") for one in advice)
        names.add(study.name)
        found += advice
    return combined(found)


def _marked(advice: ServerAdvice, folder: str) -> ServerAdvice:
    """Returns advice whose sources name the folder of their results, to tell apart studies of one name."""
    marked = {one.study: replace(one, study=f"{one.study} ({folder})") for one in advice.sources}
    findings = (replace(one, source=marked[one.source.study]) for one in advice.findings)
    return replace(advice, findings=tuple(findings))
