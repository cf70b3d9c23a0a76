"""Reads a study file into a Study: parses it, checks its form, checks that its parts fit. Every fault is an
InputError.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from assay.base.decoding import toml_tables
from assay.base.errors import InputError
from assay.base.inner_path import AnyPath
from assay.design.study.checks.files_check import drives_files
from assay.design.study.checks.fit_check import fit_problems
from assay.design.study.checks.gates import read_gates
from assay.design.study.checks.hypotheses import read_hypotheses
from assay.design.study.checks.problems import Problem, input_error, shape_problems
from assay.design.study.former_names import with_new_names
from assay.design.study.model.file import StudyFile
from assay.design.study.model.keys import WORKLOAD
from assay.design.study.model.study import Study
from assay.design.study.storage import NO_SERVER, UNKNOWN_SERVER
from assay.design.study.subject import is_imported
from assay.design.study.text.data_of_study import FilledData, filled_data
from assay.design.study.text.named_files import named_text
from assay.design.study.text.options_file import FilledVariables, filled_variables
from assay.design.study.text.override import REMOVED, Changes, change, with_changes
from assay.design.study.text.scales import AppliedScale, apply_scale, scale_to_apply, scales_in
from assay.design.study.text.study_text import StudyText
from assay.design.study.text.workload_files import read_workload_files
from assay.design.study.text.writing import study_toml
from assay.design.study.toml_lines import Keys, line_of

_AT_LINE = re.compile(r"\(at line (\d+), column (\d+)\)")

_LARGEST = 4 << 20  # bytes


def load_study(path: AnyPath, scale: str | None = None) -> Study:
    """Returns the study in a file. Raises InputError, which names file, line, key, the value found and what
    is allowed.
    """
    return parse_study(read_study_text(path), path, scale=scale)


def load_measured(path: AnyPath) -> Study:
    """Returns the study that a results folder keeps, whichever version of Assay ran it."""
    return parse_study(read_study_text(path), path, measured=True)


def read_study_text(path: AnyPath) -> str:
    """Returns the text of a study file, without a byte order mark. Raises InputError when it cannot be
    read.
    """
    return named_text(path, "a study", _LARGEST)


def parse_study(
    text: str,
    path: AnyPath,
    *,
    changes: Changes | None = None,
    scale: str | None = None,
    measured: bool = False,
) -> Study:
    """Parses a study's text; `path` is for messages.

    `scale` replaces the text's default scale. `changes` are values in place of the text's own and the
    scale's. `measured`: the text lies in a results folder, and an earlier version of Assay may have run it.
    All other scales of a new study are checked, too.
    """
    applied = _applied(text, path, scale)
    study = _study(text, path, applied, changes or {}, measured=measured)
    if not measured:
        for other in scales_in(_tables(text, path)):
            if other != applied.name:
                _check_scale(text, path, _applied(text, path, other), changes or {})
    return study


def _check_scale(text: str, path: AnyPath, applied: AppliedScale, changes: Changes) -> None:
    """Raises InputError where a scale makes no study of the text, neither as it stands nor with the changes.

    The changes may fill what the text leaves open, such as its server. Those that were made for another
    scale need not fit this one, which then has to do without.
    """
    try:
        _study(text, path, applied, {}, measured=False)
    except InputError:
        if not changes:
            raise
        _study(text, path, applied, changes, measured=False)


def changed_text(text: str, path: AnyPath, changes: Changes, scale: str | None = None) -> StudyText:
    """Returns the text of a study with a scale and other changes, as a results folder keeps it."""
    applied = _applied(text, path, scale)
    raw = _tables(text, path)
    change(raw, applied.changes)
    change(raw, changes)
    filled = filled_variables(raw, path)
    return with_changes(
        StudyText(path, text),
        {**applied.changes, **changes, **filled.changes, **filled_data(raw, path).changes},
        {**filled.places, **applied.places},
    )


def read_back(study: Study, path: AnyPath, *, measured: bool = False) -> tuple[Study, StudyText]:
    """Returns a derived study with its text, as the reader finds it. Raises InputError where nothing can run
    it; `path` is the file of the study from which it was derived, whose lines have no part in it.
    """
    text = study_toml(study)
    applied = _applied(text, path, None)
    again = _study(text, path, applied, {}, measured=measured, lines="")
    return again, StudyText(path, text, is_derived=True)


def server_gap(text: str, path: AnyPath, use: str, scale: str | None = None) -> Changes:
    """Returns the change that names a server where a study of servers names none, since an option of a
    command says which.
    """
    raw = _tables(text, path)
    change(raw, _applied(text, path, scale).changes)
    try:
        file = StudyFile.of(raw)
    except ValidationError:  # whoever reads the study says what is wrong
        return {}
    names_one = file.server.use or drives_files(file) or any(one.key == "server.use" for one in file.varied)
    return {} if names_one else {("server", "use"): use}


def _tables(text: str, path: AnyPath) -> dict[str, Any]:
    try:
        return with_new_names(toml_tables(text))
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, error) from None
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None


def _applied(text: str, path: AnyPath, asked: str | None) -> AppliedScale:
    raw = _tables(text, path)
    try:
        name = scale_to_apply(raw, asked)
    except ValueError as error:
        line = line_of(text, ("study", "scale")) if asked is None else None
        raise InputError(f"{path}{f':{line}' if line else ''}: {error}") from None
    if name is None:
        return AppliedScale()
    applied, problems = apply_scale(raw, name)
    if problems:
        raise input_error(path, text, problems)
    return applied


def _study(
    text: str,
    path: AnyPath,
    applied: AppliedScale,
    changes: Changes,
    *,
    measured: bool,
    lines: str | None = None,
) -> Study:
    """Returns the study in a text; messages have the lines of `lines`, by default of the text."""

    def wrong(problems: Sequence[Problem]) -> InputError:
        return input_error(
            path,
            text if lines is None else lines,
            problems,
            {**filled.places, **applied.places},
            applied.name,
        )

    raw, filled = _tables(text, path), FilledVariables()
    change(raw, applied.changes)
    change(raw, changes)
    filled = FilledVariables() if measured else filled_variables(raw, path)
    if filled.problems:
        raise wrong(filled.problems)
    change(raw, filled.changes)
    data = FilledData() if measured else filled_data(raw, path)
    if data.problems:
        raise wrong(data.problems)
    change(raw, data.changes)
    try:
        file = StudyFile.of(raw, measured=measured)
    except ValidationError as error:
        raise wrong(list(shape_problems(error))) from None
    varied: dict[Keys, Keys] = {tuple(one.key.split(".", 1)): one.place for one in file.varied}
    for place, value in changes.items():
        if place in varied and value is not REMOVED:
            sentence = (
                f'"{".".join(map(str, place))}" is a factor of this study: the command line cannot fix it'
            )
            raise wrong([Problem(varied[place], sentence)])
    if not measured and is_imported(file.workload.use):
        name = file.workload.use
        sentence = f'"{name}" stands for results that `assay import` brought in: nothing can run it'
        raise wrong([Problem(("workload", "use"), sentence)])
    files, unreadable = read_workload_files(file, path)
    if problems := [*fit_problems(file), *unreadable]:
        raise wrong(problems)
    load, design, factors = file.load, file.design, tuple(one.factor for one in file.factor)
    hypotheses, problems = read_hypotheses(file, load, design, factors, measured=measured)
    gates, of_gates = read_gates(file, load, design, factors, measured=measured)
    if problems := [*problems, *of_gates]:
        raise wrong(problems)
    first = {one.key: one.given[0] for one in file.varied}
    server = file.server.model_copy(update={"use": _server_of(file), "options_file": None})
    use = str(first.get(WORKLOAD, file.workload.use))
    workload = file.workload.model_copy(update={"use": use, "files": files})
    return Study(
        **{**file.tables, "server": server, "workload": workload},
        name=file.study.name,
        folder=str(path.parent) if data.changes else "",
        scale=file.applied,
        title=file.study.title,
        description=file.study.description,
        left_out=filled.left_out,
        factors=factors,
        hypotheses=hypotheses,
        gates=gates,
    )


def _server_of(file: StudyFile) -> str:
    """Returns the server of a study, or what stands for none; of a study that varies it the first level."""
    if drives_files(file):
        return NO_SERVER
    first = next((str(one.given[0]) for one in file.varied if one.key == "server.use"), "")
    return first or file.server.use or UNKNOWN_SERVER


def _syntax_error(path: AnyPath, text: str, error: tomllib.TOMLDecodeError) -> InputError:
    found = _AT_LINE.search(str(error))
    reason = _AT_LINE.sub("", str(error)).strip()
    if found is None:  # "(at end of document)"
        return InputError(f"{path}: is not valid TOML: {reason}")
    line, column = int(found[1]), int(found[2])
    shown_line = text.splitlines()[line - 1] if line <= len(text.splitlines()) else ""
    return InputError(
        f"{path}:{line}: is not valid TOML: {reason} (column {column})",
        hint='strings stand in quotes ("1G"), lists in [ ], and no key may be given twice',
        detail=f"{shown_line}\n{' ' * (column - 1)}^",
    )
