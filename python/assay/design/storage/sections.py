"""Reads a fio job file into its sections and their options, each with its place in the file.

The form is that of fio's HOWTO, "Job file format": `[global]` sections hold defaults of the jobs after them,
`include` reads another file, `${NAME}` is an environment variable.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.errors import InputError
from assay.design.study import named_text
from assay.design.study.storage import included, without_comment

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_NAME = re.compile(r"\$(jobname|pagesize|ncpus)\b")
_DEEPEST = 16
_MOST_FILES = 1000
_LARGEST = 1 << 20  # bytes


@dataclass(frozen=True)
class JobOption:
    """One option of a job file: its value (`None` where none is given) and its place in the file."""

    name: str
    value: str | None
    place: str


@dataclass(frozen=True)
class Section:
    """One job's options: first those inherited from the global sections before it, then its own.

    `name` is that of the header, after which the job's files are named. `title` is the job's name in results:
    the last `name=` of its own section, as in fio, or else that of the header.
    """

    name: str
    place: str
    inherited: tuple[JobOption, ...]
    own: tuple[JobOption, ...] = field(default=())

    @property
    def title(self) -> str:
        return next((o.value for o in reversed(self.own) if o.name == "name" and o.value), self.name)

    @property
    def entries(self) -> tuple[JobOption, ...]:
        """All options in the order in which they apply: the last one of a name counts."""
        return (*self.inherited, *self.own)


@dataclass(frozen=True)
class _Line:
    text: str
    place: str


def read_sections(path: Path) -> list[Section]:
    """Returns the jobs of a file, in order. Raises `InputError`, which names file and line, for a wrong
    line, and for variables that the environment lacks, all of them at once.
    """
    unset: dict[str, str] = {}

    def expand(text: str, place: str) -> str:
        return _VARIABLE.sub(lambda found: _environment(found, place, unset), text)

    lines = list(_lines(path, _bounded(_read), expand))
    if unset:
        raise _not_set(unset)
    return _sections(path, lines)


def sections_of(text: str, path: Path, others: Mapping[str, str] | None = None) -> list[Section]:
    """Returns the sections of a job file's text; included files are taken by name from `others`, and no file
    is read.
    """
    texts = {**(others or {}), str(path): text}

    def read(wanted: Path) -> str:
        if str(wanted) not in texts:
            raise InputError(f"{path}: {wanted} is not among the study's files")
        return texts[str(wanted)]

    return _sections(path, _lines(path, _bounded(read), _as_it_is))


def _sections(path: Path, lines: Iterable[_Line]) -> list[Section]:
    jobs: list[Section] = []
    shared: list[JobOption] = []
    section: str | None = None
    place = str(path)
    own: list[JobOption] = []

    def close() -> None:
        if section == "global":
            shared.extend(own)
        elif section is not None:
            jobs.append(Section(section, place, tuple(shared), tuple(own)))
        own.clear()

    for line in lines:
        if line.text.startswith("["):
            close()
            section, place = _heading(line), line.place
            continue
        if section is None:
            raise InputError(
                f"{line.place}: options must follow a section header", hint="begin with [global]"
            )
        own.append(_entry(line, section))
    close()
    if not jobs:
        raise InputError(
            f"{path}: contains no job", hint="add a section other than [global], such as [reads]"
        )
    return jobs


def _lines(
    path: Path, read: Callable[[Path], str], expand: Callable[[str, str], str], depth: int = 0
) -> Iterator[_Line]:
    """Yields the lines of a job file and of the files it includes, without comments and empty lines."""
    if depth > _DEEPEST:
        raise InputError(f"{path}: files include each other in a cycle")
    for number, raw in enumerate(read(path).splitlines(), 1):
        place = f"{path}:{number}"
        line = expand(without_comment(raw), place)
        if (name := included(line)) is not None and not _VARIABLE.search(name):
            yield from _lines(path.parent / name, read, expand, depth + 1)
        elif line:
            yield _Line(line, place)


def _bounded(read: Callable[[Path], str]) -> Callable[[Path], str]:
    """Returns a reader of so many files: files that include others twice would take for ever."""
    left = iter(range(_MOST_FILES))

    def bounded(path: Path) -> str:
        if next(left, None) is None:
            raise InputError(f"{path}: is included after {_MOST_FILES:,} other files, the most")
        return read(path)

    return bounded


def _read(path: Path) -> str:
    return named_text(path, "a job file", _LARGEST)


def _heading(line: _Line) -> str:
    name = line.text[1:].partition("]")
    if not name[1] or not name[0].strip():
        raise InputError(f"{line.place}: `{line.text}` is not a section header", hint="write [name]")
    return name[0].strip()


def _entry(line: _Line, section: str) -> JobOption:
    name, equals, value = line.text.partition("=")
    value = value.strip()
    known = {"jobname": section, "pagesize": str(os.sysconf("SC_PAGESIZE")), "ncpus": str(os.cpu_count())}
    value = _NAME.sub(lambda found: known[found[1]], value)
    return JobOption(name.strip().lower(), value if equals else None, line.place)


def _environment(found: re.Match[str], place: str, unset: dict[str, str]) -> str:
    """Returns a variable's value; without one, notes its first place in `unset` and leaves it as it is."""
    value = os.environ.get(found[1])
    if value is None:
        unset.setdefault(found[1], place)
        return found[0]
    return value


def _not_set(unset: Mapping[str, str]) -> InputError:
    (first, place), *others = unset.items()
    also = "".join(f", ${{{name}}} ({where})" for name, where in others)
    verb = "are" if others else "is"
    return InputError(
        f"{place}: ${{{first}}}{also} {verb} not set in the environment",
        hint=" ".join(f"{name}=…" for name in unset) + " assay fio …",
    )


def _as_it_is(text: str, place: str) -> str:
    if found := _VARIABLE.search(text):
        raise InputError(
            f"{place}: {found[0]}: a study cannot read the environment",
            hint="write the value here, or set the option in [workload]",
        )
    return text
