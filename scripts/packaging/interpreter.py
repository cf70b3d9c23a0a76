"""Finds an interpreter of a given version of Python: packages of compiled modules fit one version alone."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path


def find_interpreter(version: str) -> Path:
    """Returns an interpreter of `version` ("3.12"): from PATH, or one that pyenv has installed. Raises
    LookupError when there is none.
    """
    for path in _candidates(version):
        if _version_of(path) == version:
            return path
    raise LookupError(
        f"this machine has no Python {version}: install python{version}, or give --interpreter PATH"
    )


def _candidates(version: str) -> Iterator[Path]:
    places = os.environ.get("PATH", "").split(os.pathsep)
    for name in (f"python{version}", "python3"):
        yield from (Path(place) / name for place in ["/usr/bin", *places] if shutil.which(name, path=place))
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(root.glob(f"versions/{version}.*/bin/python{version}"))


def _version_of(python: Path) -> str | None:
    asked = "import sys; print('%d.%d' % sys.version_info[:2])"
    said = subprocess.run([python, "-I", "-S", "-c", asked], capture_output=True, text=True)
    return said.stdout.strip() if said.returncode == 0 else None
