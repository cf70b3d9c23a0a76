"""The project as a package describes it: its name, version, requirements and files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NAME = "assay"
MANUAL = ("guide", "reference", "method")
"""The parts of docs/ that `assay manual` prints."""
_LEFT_OUT = {"__pycache__"}


@cache
def _table(file: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / file).read_text(encoding="utf-8"))


@cache
def version() -> str:
    """Returns the version. Raises ValueError where Python and the engine have different ones."""
    code = (ROOT / "python/assay/base/version.py").read_text(encoding="utf-8")
    found = re.search(r'^VERSION = "([^"]+)"$', code, re.MULTILINE)
    engine = _table("Cargo.toml")["workspace"]["package"]["version"]
    if found is None or found[1] != engine:
        raise ValueError(f"base/version.py and Cargo.toml (version {engine}) must have one version")
    return found[1]


def metadata() -> str:
    """Returns the package's description as its METADATA file has it (core metadata 2.4)."""
    project = _table("pyproject.toml")["project"]
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version()}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {one}" for one in project["dependencies"]),
    ]
    for extra, needed in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {one}; extra == '{extra}'" for one in needed]
    readme = (ROOT / project["readme"]).read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def entry_points() -> str:
    """Returns the commands that an installation has, as entry_points.txt says them."""
    scripts = _table("pyproject.toml")["project"]["scripts"]
    return "\n".join(["[console_scripts]", *(f"{name} = {place}" for name, place in scripts.items()), ""])


def packaged_files() -> Iterator[tuple[str, Path]]:
    """Yields every file of the package but its programs, with its path in an installation: Python as it is,
    and in it the studies and the manual, where `assay.base.carried` looks.
    """
    parts = [(ROOT / "python" / NAME, "*"), (ROOT / "studies", "*")]
    parts += [(ROOT / "docs" / part, "*.md") for part in MANUAL]
    for start, pattern in parts:
        into = Path(NAME) if start.name == NAME else NAME / start.relative_to(ROOT)
        for path in sorted(start.rglob(pattern)):
            if path.is_file() and _LEFT_OUT.isdisjoint(path.parts):
                yield (into / path.relative_to(start)).as_posix(), path
