"""The studies that come with assay, which a command takes by their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from assay.base.decoding import toml_tables
from assay.design.study import SHIPPED, english_title


@dataclass(frozen=True)
class ShippedStudy:
    """One of them; `name` is what commands take, `study` what it is called. No `servers` stand for all."""

    name: str
    study: str
    file: str
    title: str
    servers: tuple[str, ...]

    @property
    def folder(self) -> str:
        """The folder in which it stands with others of its kind; empty for those to begin with."""
        return self.name.rpartition("/")[0]

    def as_object(self) -> dict[str, Any]:
        """Returns it as a plain object for JSON."""
        return {"file": self.file, "name": self.study, "title": self.title, "servers": list(self.servers)}


def shipped_studies() -> Iterator[ShippedStudy]:
    """Yields the studies, those to begin with first; one that cannot be read has its error as title."""
    for file in sorted(SHIPPED.rglob("*.toml"), key=lambda path: (len(path.parts), path)):
        try:
            tables = toml_tables(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            tables = {"study": {"title": f"cannot be read: {error}"}}
        study, servers = tables.get("study", {}), tables.get("server", {}).get("applies", [])
        called = study.get("name", file.stem)
        title = english_title(tables) or called
        yield ShippedStudy(_name(file), called, _shown(file), title, tuple(servers))


class StudyPath(click.ParamType[Path]):
    """The argument STUDY: a file, or the name of a shipped study where there is no such file."""

    name = "study"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Returns the path of the file."""
        given = Path(value)
        # The names are listed: what is none may be anything, longer than any path.
        shipped = {_name(file): file for file in SHIPPED.rglob("*.toml")}.get(str(given))
        return given if shipped is None or given.exists() else Path(_shown(shipped))


def shipped_file(name: str) -> Path:
    """Returns the file of a shipped study, as commands show it."""
    return Path(_shown(SHIPPED / f"{name}.toml"))


def _name(file: Path) -> str:
    return file.relative_to(SHIPPED).with_suffix("").as_posix()


def _shown(file: Path) -> str:
    """Returns the file relative to the current directory, where it is below it."""
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)
