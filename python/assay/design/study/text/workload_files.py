"""Reads the files that a study's workloads name: job files and scripts, with what these load."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from assay.base.errors import InputError
from assay.base.inner_path import AnyPath
from assay.design.study import storage
from assay.design.study.checks.files_check import uses
from assay.design.study.checks.problems import Problem
from assay.design.study.model.file import StudyFile
from assay.design.study.scripts import (
    SQL,
    is_lua,
    is_of_pgbench,
    is_script,
    loaded_files,
    named_in_statements,
    script_file,
)
from assay.design.study.statement_lines import has_statement_lines
from assay.design.study.text.named_files import named_text
from assay.design.study.values import shown

_LARGEST = 64 << 20  # bytes


def workload_file(use: str) -> str | None:
    """Returns the name of the file that a workload names, relative to the study; None for other
    workloads.
    """
    return script_file(use) if is_script(use) else storage.job_file(use)


def file_hashes(files: Mapping[str, str]) -> dict[str, str]:
    """Returns the SHA-256 of each file of a study's workloads, by its name relative to the study."""
    return {
        workload_file(use) or use: hashlib.sha256(text.encode()).hexdigest() for use, text in files.items()
    }


def read_workload_files(file: StudyFile, path: AnyPath) -> tuple[dict[str, str], list[Problem]]:
    """Returns the text of each workload's file, which lies beside the study file `path` or below it, and
    problems.

    Files that a job file includes or a script loads are returned too, by their names relative to the study.
    """
    texts, problems = texts_of(uses(file), path.parent)
    where = ("factor",) if not file.workload.use else ("workload", "use")
    return texts, [Problem(where, sentence) for sentence in problems]


def texts_of(names: Iterable[str], folder: AnyPath) -> tuple[dict[str, str], list[str]]:
    """Returns the text of each workload's file below a folder, with the files that it loads, and sentences
    about those that cannot be read.
    """
    texts: dict[str, str] = {}
    problems = []
    for use in names:
        if (name := workload_file(use)) is None:
            continue
        wanted = [(use, name)]
        while wanted:
            key, name = wanted.pop()
            if key in texts:
                continue
            of = shown(use) if key == use else f"{shown(use)} includes {shown(name)}, which"
            if not name or Path(name).is_absolute() or ".." in Path(name).parts:
                problems.append(f"{of} names no file beside the study; write the name alone")
                continue
            try:
                texts[key] = named_text(folder / name, "a workload's file", _LARGEST)
            except InputError as error:
                problems.append(f"{shown(use)}: {error.message}{_bundled(use)}")
                continue
            if use.startswith(SQL) and key == use and is_of_pgbench(texts[key]):
                made = f"assay own init --from {folder / name} makes a file of statements of it"
                problems.append(f"{shown(use)} is a script of pgbench; {made}")
                continue
            if use.startswith(SQL) and key == use and has_statement_lines(texts[key].split("\n")):
                problems.append(f"{shown(use)} has a statement in each line: end each with a semicolon")
                continue
            if (script := script_file(use)) is None:
                found = _includes(texts[key], Path(name).parent)
            elif use.startswith(SQL):
                found = named_in_statements(texts[key], _folder(script)) if key == use else iter(())
            else:
                found = _loaded(texts[key], folder, _folder(script))
            wanted += [(one, one) for one in found]
    return texts, problems


def files_for(names: Iterable[str], files: Mapping[str, str]) -> dict[str, str]:
    """Returns those of a study's `files` that these workloads need: their own, and what those include or
    load.
    """
    needed: dict[str, str] = {}
    wanted = list(names)
    while wanted:
        key = wanted.pop()
        if key in needed or key not in files:
            continue
        needed[key] = files[key]
        name = workload_file(key) or key
        # A name that a script loads may be one of a library elsewhere; a study has the files beside it.
        if key.startswith(SQL):
            wanted += named_in_statements(files[key], _folder(name))
            continue
        wanted += [*_includes(files[key], Path(name).parent), *loaded_files(files[key], _folder(name))]
    return needed


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _bundled(use: str) -> str:
    """Returns what to write instead for a script that comes with the engine."""
    return "" if not is_lua(use) else "; a script that comes with Assay has no .lua"


def _includes(text: str, folder: Path) -> Iterator[str]:
    for line in text.splitlines():
        if (found := storage.included(storage.without_comment(line))) is not None and "${" not in found:
            yield str(folder / found)


def _loaded(text: str, beside: AnyPath, folder: str) -> Iterator[str]:
    """Yields the files beside the study that a script in its `folder`, or one of its files, loads."""
    for name in loaded_files(text, folder):
        if ".." not in Path(name).parts and not Path(name).is_absolute() and (beside / name).is_file():
            yield name
