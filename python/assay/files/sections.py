"""A fio job file as it is written: sections with their options, each with the place it comes from.

The form is that of fio's HOWTO, "Job file format": `[global]` sections hold defaults of the jobs after them,
`include` reads another file, `${NAME}` is a variable of the environment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import InputError

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_NAME = re.compile(r"\$(jobname|pagesize|ncpus)\b")
_COMMENT = re.compile(r"(^|\s)[#;].*")
"""To the end of the line, where a blank or the line's beginning comes before it."""
_DEEPEST = 16


@dataclass(frozen=True)
class Entry:
    """One option: its value, `None` where none is given, and where it stands."""

    name: str
    value: str | None
    place: str


@dataclass(frozen=True)
class Section:
    """One job: its own options after those of the global sections before it."""

    name: str
    place: str
    inherited: tuple[Entry, ...]
    own: tuple[Entry, ...] = field(default=())

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All in the order in which they count: the last one of a name wins."""
        return (*self.inherited, *self.own)


@dataclass(frozen=True)
class _Line:
    text: str
    place: str


def read_sections(path: Path) -> list[Section]:
    """The jobs of a file, in order. `InputError` names file and line of what is wrong."""
    return _sections(path, _lines(path, 0))


def sections_of(text: str, path: Path) -> list[Section]:
    """The same of a text that says everything itself: no other file, nothing from the environment."""
    return _sections(path, _own_lines(text, path))


def _sections(path: Path, lines: Iterable[_Line]) -> list[Section]:
    jobs: list[Section] = []
    shared: list[Entry] = []
    section: str | None = None
    place = str(path)
    own: list[Entry] = []

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
            raise InputError(f"{line.place}: an option before the first section", hint="begin with [global]")
        own.append(_entry(line, section))
    close()
    if not jobs:
        raise InputError(
            f"{path}: there is no job in it", hint="a section other than [global] is one: [reads]"
        )
    return jobs


def _lines(path: Path, depth: int) -> Iterator[_Line]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the job file {path}: {error}") from error
    if depth > _DEEPEST:
        raise InputError(f"{path}: files include each other without end")
    for line in _written(text, path):
        if line.text.split()[0] == "include":
            name = _expanded(line.text.removeprefix("include").strip(), line.place)
            yield from _lines(path.parent / name, depth + 1)
        else:
            yield line


def _own_lines(text: str, path: Path) -> Iterator[_Line]:
    for line in _written(text, path):
        if line.text.split()[0] == "include":
            raise InputError(f"{line.place}: a study's job file includes no other", hint="write it out")
        if found := _VARIABLE.search(line.text):
            raise InputError(
                f"{line.place}: {found[0]}: a study takes nothing from the environment",
                hint="write the value here, or set the option in [workload]",
            )
        yield line


def _written(text: str, path: Path) -> Iterator[_Line]:
    """Lines that say something, without their comments."""
    for number, raw in enumerate(text.splitlines(), 1):
        if line := _COMMENT.sub("", raw).strip():
            yield _Line(line, f"{path}:{number}")


def _heading(line: _Line) -> str:
    name = line.text[1:].partition("]")
    if not name[1] or not name[0].strip():
        raise InputError(f"{line.place}: `{line.text}` is no section", hint="a section is [name]")
    return name[0].strip()


def _entry(line: _Line, section: str) -> Entry:
    name, equals, value = line.text.partition("=")
    value = _expanded(value.strip(), line.place)
    known = {"jobname": section, "pagesize": str(os.sysconf("SC_PAGESIZE")), "ncpus": str(os.cpu_count())}
    value = _NAME.sub(lambda found: known[found[1]], value)
    return Entry(name.strip().lower(), value if equals else None, line.place)


def _expanded(text: str, place: str) -> str:
    def one(found: re.Match[str]) -> str:
        if found[1] not in os.environ:
            raise InputError(
                f"{place}: ${{{found[1]}}} is not in the environment", hint=f"{found[1]}=… assay fio …"
            )
        return os.environ[found[1]]

    return _VARIABLE.sub(one, text)
