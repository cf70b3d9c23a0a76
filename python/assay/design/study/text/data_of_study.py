"""Reads what a study's own data are when it begins: a results folder keeps it, since a dump may be gone by
then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from assay.base.inner_path import AnyPath, InnerPath
from assay.design.study.checks.problems import Problem
from assay.design.study.data_files import data_path, digest_of, missing_data, parse_data
from assay.design.study.model.file import StudyFile
from assay.design.study.text.override import Changes

USE = "dataset.use"
_FILES = ("dataset", "files")


@dataclass(frozen=True)
class FilledData:
    """The digests that a study's own data add to it, and what is wrong with them."""

    changes: Changes = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def filled_data(raw: Mapping[str, Any], path: AnyPath) -> FilledData:
    """Returns the digest of each file or folder that a study's `dataset.use` names, as changes of its tables.

    Where the study has them already, the files must be those.
    """
    if "dataset" not in raw and USE not in str(raw.get("factor", "")):
        return FilledData()
    try:
        file = StudyFile.of(raw)
    except ValidationError:  # whoever reads the study says what is wrong
        return FilledData()
    varied = [str(value) for one in file.varied if one.key == USE for value in one.given]
    uses = list(dict.fromkeys([*varied, *([file.dataset.use] if file.dataset.use else [])]))
    place = next((one.place for one in file.varied if one.key == USE), ("dataset", "use"))
    if isinstance(path, InnerPath):  # it may come from anybody, and names any file of this machine
        sentence = "data are read when a study begins, from where its author has them"
        noted = all(use in file.dataset.files for use in uses)
        return FilledData(problems=() if noted else (Problem(place, sentence),))
    found: dict[str, str] = {}
    problems = []
    for use in uses:
        try:
            where = data_path(parse_data(use).path, str(path.parent))
        except ValueError:  # a level that has a complaint of its own
            continue
        if (missing := missing_data(where)) is not None:
            problems.append(Problem(place, missing))
            continue
        try:
            found[use] = digest_of(where)
        except OSError as error:
            problems.append(
                Problem(place, f"cannot read {error.filename or where}: {error.strerror or error}")
            )
            continue
        if file.dataset.files.get(use, found[use]) != found[use]:
            problems.append(Problem(_FILES, f"{use} has changed: it is not what it was for these results"))
    return FilledData({_FILES: found} if found else {}, tuple(problems))
