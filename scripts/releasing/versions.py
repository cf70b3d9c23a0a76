"""Whether every place that states the version states the same one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from scripts.releasing.outcome import Outcome, judged

_FILE_NAME = re.compile(r"\bassay[-_](\d+\.\d+\.\d+)[-_+]")


def versions_agree(root: Path) -> Outcome:
    """Checks `version.py`, Cargo's files, the top of the change log, and names of files in pages."""
    stated = dict(_stated(root))
    version = stated["python/assay/base/version.py"]
    wrong = [
        f"{place} has {other}, and version.py {version}"
        for place, other in stated.items()
        if other != version
    ]
    return judged(wrong, f"{version} in {len(stated)} places")


def change_log_is_dated(root: Path) -> Outcome:
    """Checks that the newest heading of the change log has a date, which a person gives it."""
    heading = _newest_heading(root)
    if re.fullmatch(r"## \[[\d.]+\] - \d{4}-\d\d-\d\d", heading):
        return Outcome("ok", heading.removeprefix("## "))
    return Outcome("not done here", f'CHANGELOG.md has "{heading.removeprefix("## ")}": a person dates it')


def _stated(root: Path) -> Iterator[tuple[str, str]]:
    module = root / "python/assay/base/version.py"
    yield str(module.relative_to(root)), _only(r'VERSION = "([^"]+)"', module.read_text())
    workspace = tomllib.loads((root / "Cargo.toml").read_text())["workspace"]["package"]
    yield "Cargo.toml", workspace["version"]
    for package in tomllib.loads((root / "Cargo.lock").read_text())["package"]:
        if package["name"].startswith("assay-") and "source" not in package:
            yield f"Cargo.lock: {package['name']}", package["version"]
    yield "CHANGELOG.md", _only(r"## \[([^\]]+)\]", _newest_heading(root))
    for page in sorted([*root.glob("README*.md"), *root.glob("docs/**/*.md")]):
        for found in _FILE_NAME.finditer(page.read_text()):
            yield f"{page.relative_to(root)}: {found[0]}", found[1]


def _newest_heading(root: Path) -> str:
    return _only(r"(?m)^(## \[.*)$", (root / "CHANGELOG.md").read_text())


def _only(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else ""
