"""Opens studies and results, from a file or a folder, with keys overridden by the caller."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from assay.base.errors import InputError
from assay.base.inner_path import AnyPath
from assay.design.folder import ResultsFolder
from assay.design.study import (
    Changes,
    Study,
    StudyText,
    changed_text,
    changes_between,
    load_measured,
    load_study,
    parse_study,
    read_back,
    read_study_text,
    server_gap,
)
from assay.measurement.run import check_same_study


@dataclass(frozen=True)
class OpenedStudy:
    """A study with the text it was read from, which error messages refer to and results folders keep.

    `changes` and `scale`: what the caller has changed in that text.
    """

    study: Study
    text: StudyText
    changes: Changes = field(default_factory=dict)
    scale: str | None = None


def open_study(
    path: AnyPath,
    overrides: Changes | None = None,
    *,
    scale: str | None = None,
    server: str | None = None,
    measured: bool = False,
) -> OpenedStudy:
    """Returns the study in a file. `overrides`: by the path of a key, the value that replaces the file's.

    `scale` replaces the file's default scale; overrides come after it. A study of servers that names none
    has the `server`. `measured`: the file lies in a results folder. Raises InputError for a study that is
    wrong, an unknown scale, or an override of what the study varies.
    """
    changes = overrides or {}
    text = read_study_text(path)
    if server is not None:
        changes = {**server_gap(text, path, server, scale), **changes}
    study = parse_study(text, path, changes=changes, scale=scale, measured=measured)
    return OpenedStudy(study, changed_text(text, path, changes, scale), changes, scale)


def reopen(opened: OpenedStudy, derived: Study, *, measured: bool = False) -> OpenedStudy:
    """Returns the study that was derived from an opened one, in its author's text. Raises InputError where
    nothing can run it.
    """
    changes = {**opened.changes, **changes_between(opened.study, derived)}
    return open_study(opened.text.path, changes, scale=opened.scale, measured=measured)


def open_derived(derived: Study, path: AnyPath, *, measured: bool = False) -> OpenedStudy:
    """Returns a study that was derived from the one in the file `path`, in a text of its own. Raises
    InputError where nothing can run it.
    """
    return OpenedStudy(*read_back(derived, path, measured=measured))


def folder_of(study: Study, results: Path | None = None) -> ResultsFolder:
    """Returns the results folder of a study: `results`, or results/<name of the study>[-<scale>]."""
    return ResultsFolder(results or Path("results") / study.folder_name)


def results_folder(path: Path) -> ResultsFolder:
    """Returns a folder that a study left. Raises InputError when it is none."""
    folder = ResultsFolder(path)
    if not folder.study_file.is_file():
        raise InputError(
            f"{path}: contains no results of a study",
            hint="give a folder made by `assay run`, such as results/quickstart; assay list shows them",
        )
    return folder


def open_results(
    source: Path, results: Path | None = None, *, scale: str | None = None
) -> tuple[Study, ResultsFolder]:
    """Returns a study and its results, from their folder, or from the study file and a folder (by default the
    usual one).

    `scale` is one of the file's; a folder has the results of one scale. Raises InputError when there are
    no results, ConflictError when they are another study's.
    """
    if source.is_dir():
        if scale is not None:
            raise InputError(
                f"{source}: is a results folder, which holds one scale",
                hint="leave out --scale, or give the study file",
            )
        folder = results_folder(source)
        return load_measured(folder.study_file), folder
    study = load_study(source, scale)
    folder = folder_of(study, results)
    if not folder.entry.is_file():
        raise InputError(
            f"{folder.path}: contains no results of {source}",
            hint=f"run it first: assay run {source}{f' --scale {scale}' if scale else ''}",
        )
    check_same_study(folder, study)
    return study, folder
