"""The packages of others that a release carries or needs: crates, Python packages, files of pages."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.packaging.wheel import DEBIAN as MACHINES
from scripts.releasing.licence import as_expression
from scripts.vendored import ASSETS
from scripts.vendored import packages as vendored

ROOT = Path(__file__).parents[2]
_SHIPPED = ("assay-engine", "assay-nullserver")
_TEXT = re.compile(r"(?:licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)


@dataclass(frozen=True)
class Component:
    """A package of others. `kind` is its registry's name in package URLs. `licence`: an SPDX expression,
    empty where none is known. `texts`: of its licence files.
    """

    kind: str
    name: str
    version: str
    licence: str
    texts: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """The package URL, by https://github.com/package-url."""
        return f"pkg:{self.kind}/{self.name}@{self.version}"


def components() -> list[Component]:
    """Returns all of them, sorted. Versions are those of the lock files."""
    found = {*crates(), *python_packages(), *files_of_pages()}
    return sorted(found, key=lambda one: (one.kind, one.name, one.version))


def crates() -> Iterator[Component]:
    """Yields the crates that are compiled into the shipped programs, and LuaJIT, which one of them builds."""
    words = ["cargo", "metadata", "--format-version", "1", "--locked"]
    platforms = [word for one in MACHINES for word in ("--filter-platform", f"{one}-unknown-linux-gnu")]
    whole = json.loads(subprocess.check_output([*words, *platforms], cwd=ROOT, stderr=subprocess.DEVNULL))
    packages = {one["id"]: one for one in whole["packages"]}
    nodes = {one["id"]: one for one in whole["resolve"]["nodes"]}
    waiting = [one["id"] for one in whole["packages"] if one["name"] in _SHIPPED]
    met: set[str] = set()
    while waiting:
        current = waiting.pop()
        if current not in met:
            met.add(current)
            waiting += [one["pkg"] for one in nodes[current]["deps"] if _is_inside(one, packages)]
    for package in (packages[one] for one in met):
        if package["source"] is not None:  # the project's own have none
            folder = Path(package["manifest_path"]).parent
            licence = (package["license"] or "").replace("/", " OR ")
            yield Component("cargo", package["name"], package["version"], licence, _texts(folder))


def _is_inside(dependency: Mapping[str, Any], packages: Mapping[str, Any]) -> bool:
    """Whether what is compiled ends up in the program: an ordinary dependency, or sources in C."""
    ordinary = any(one["kind"] is None for one in dependency["dep_kinds"])
    return ordinary or packages[dependency["pkg"]]["name"] == "luajit-src"


def python_packages() -> Iterator[Component]:
    """Yields the packages that an installation brings along, and those of the extra in Debian packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = project["dependencies"] + project["optional-dependencies"]["auth"]
    waiting, met = [Requirement(one) for one in named], set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        key = (name, frozenset(wanted.extras))
        if key in met or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        met.add(key)
        found = metadata.distribution(name)
        for text in found.requires or ():
            below = Requirement(text)
            fits = (
                [below.marker.evaluate({"extra": one}) for one in ("", *wanted.extras)]
                if below.marker
                else [True]
            )
            if any(fits):
                below.marker = None
                waiting.append(below)
        yield Component("pypi", name, found.version, _licence_of(found.metadata), _texts_of(found))


def files_of_pages() -> Iterator[Component]:
    """Yields the packages of which files are among the assets of pages."""
    for one in vendored():
        text = (ASSETS / one["licence-file"]).read_text()
        yield Component("npm", one["name"], one["version"], one["licence"], (text,))


def _licence_of(about: metadata.PackageMetadata) -> str:
    """The licence as an expression; the package's own words where they are none that is known."""
    said = [text for field in ("License-Expression", "License") for text in about.get_all(field) or ()]
    classes = [one for one in about.get_all("Classifier") or () if one.startswith("License ::")]
    said = [text.partition("\n")[0] for text in said] + [one.rpartition("::")[2] for one in classes]
    words = [text.strip() for text in said if text.strip()]
    return next((found for text in words if (found := as_expression(text))), "; ".join(words))


def _texts_of(found: metadata.Distribution) -> tuple[str, ...]:
    named = [one for one in found.files or () if ".dist-info" in str(one) and _TEXT.match(one.name)]
    return tuple(sorted({Path(str(one.locate())).read_text(errors="replace") for one in named}))


def _texts(folder: Path) -> tuple[str, ...]:
    places = [*folder.iterdir(), *folder.glob("luajit*/*")]  # LuaJIT's own are a folder below its crate's
    files = [path for path in places if path.is_file() and _TEXT.match(path.name)]
    return tuple(sorted({path.read_text(errors="replace") for path in files}))
