"""Compares the files of other projects among the pages' assets with the sums that were noted of them.

python -m scripts.vendored            against the noted sums
python -m scripts.vendored --fetch    also against the packages of the npm registry, fetched anew
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ASSETS = Path(__file__).parents[1] / "python/assay/front/web/assets"


def packages() -> list[dict[str, Any]]:
    """Returns the packages of which files are among the assets."""
    found: list[dict[str, Any]] = tomllib.loads((ASSETS / "vendored.toml").read_text())["package"]
    return found


def differences() -> Iterator[str]:
    """Yields a line for each file that is missing or differs from the noted sum."""
    for package in packages():
        sums = {name: file["sha256"] for name, file in package["files"].items()}
        for name, noted in (sums | {package["licence-file"]: package["licence-sha256"]}).items():
            path = ASSETS / name
            if not path.is_file():
                yield f"{name} is missing"
            elif hashlib.sha256(path.read_bytes()).hexdigest() != noted:
                yield f"{name} is not the file of {package['name']} {package['version']}"


def fetched_differences() -> Iterator[str]:
    """Yields a line for each file that differs from the one in its package."""
    for package in packages():
        with tempfile.TemporaryDirectory() as place:
            what = f"{package['name']}@{package['version']}"
            subprocess.run(["npm", "pack", "--silent", what], cwd=place, check=True)
            with tarfile.open(next(Path(place).glob("*.tgz"))) as archive:
                for name, file in package["files"].items():
                    member = archive.extractfile(file["from"])
                    if member is None or member.read() != (ASSETS / name).read_bytes():
                        yield f"{name} differs from {file['from']} of {what}"


if __name__ == "__main__":
    said = [*differences(), *(fetched_differences() if "--fetch" in sys.argv[1:] else ())]
    for line in said:
        print(line)
    sys.exit(1 if said else 0)
