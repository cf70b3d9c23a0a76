"""Opens studies and results, from a file or a folder, with keys overridden by the caller."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.folder import ResultsFolder
from assay.inner_path import AnyPath
from assay.run import check_same_study
from assay.study import (
    Changes,
    Study,
    StudyText,
    changed_text,
    load_measured,
    load_study,
    parse_study,
    read_study_text,
)

USE = "server.use"


@dataclass(frozen=True)
class OpenedStudy:
    """A study with the text it was read from, which error messages refer to and results folders keep."""

    study: Study
    text: StudyText


def open_study(path: AnyPath, overrides: Changes | None = None, *, profile: str | None = None) -> OpenedStudy:
    """Returns the study in a file. `overrides`: by the path of a key, the value that replaces the file's.

    `profile` replaces the file's default profile; overrides come after it. Raises InputError for a study that
    is wrong, an unknown profile, or an override of what the study varies.
    """
    changes = overrides or {}
    text = read_study_text(path)
    study = parse_study(text, path, changes=changes, profile=profile)
    return OpenedStudy(study, changed_text(text, path, changes, profile))


def server_gap(path: AnyPath, use: str, profile: str | None = None) -> Changes:
    """Returns the change that names a server where the study in a file names none, since an option of the
    command says which. Raises InputError for a file that cannot be read.
    """
    raw = tomllib.loads(changed_text(read_study_text(path), path, {}, profile).kept)
    names_one = raw.get("server", {}).get("use") or any(sets_server(one) for one in raw.get("factor", ()))
    return {} if names_one else {("server", "use"): use}


def sets_server(factor: Mapping[str, Any]) -> bool:
    """Returns whether a factor of a study file varies the server."""
    settings = factor.get("settings") or {}
    return (
        factor.get("name") == USE
        or USE in (factor.get("keys") or ())
        or any(USE in table or "use" in table.get("server", {}) for table in settings.values())
    )


def folder_of(study: Study, results: Path | None = None) -> ResultsFolder:
    """Returns the results folder of a study: `results`, or results/<name of the study>[-<profile>]."""
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
    source: Path, results: Path | None = None, *, profile: str | None = None
) -> tuple[Study, ResultsFolder]:
    """Returns a study and its results, from their folder, or from the study file and a folder (by default the
    usual one).

    `profile` is one of the file's; a folder has the results of one profile. Raises InputError when there are
    no results, ConflictError when they are another study's.
    """
    if source.is_dir():
        if profile is not None:
            raise InputError(
                f"{source}: is a results folder, which holds one profile",
                hint="leave out --profile, or give the study file",
            )
        folder = results_folder(source)
        return load_measured(folder.study_file), folder
    study = load_study(source, profile)
    folder = folder_of(study, results)
    if not folder.entry.is_file():
        raise InputError(
            f"{folder.path}: contains no results of {source}",
            hint=f"run it first: assay run {source}{f' --profile {profile}' if profile else ''}",
        )
    check_same_study(folder, study)
    return study, folder
