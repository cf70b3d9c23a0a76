"""The size of an installation: what pip downloads for a wheel, and what that takes on disk."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.wheels.project import ROOT

MB = 1e6
MOST_DOWNLOADED_MB, MOST_INSTALLED_MB = 90.0, 250.0
LOCKED = ROOT / "requirements/run.txt"
_MACHINE = re.compile(r"_(x86_64|aarch64)\.whl$")
_GLIBC = (39, 34, 31, 28, 27, 26, 24, 17)
"""Minor versions of glibc that packages are built for, as their tags name them; newest first."""


@dataclass(frozen=True)
class Part:
    """A package of an installation, with its bytes as a file and unpacked."""

    name: str
    packed: int
    unpacked: int


def parts_in(folder: Path) -> list[Part]:
    """Returns the packages whose wheels lie in a folder, the largest on disk first."""
    found = []
    for path in folder.glob("*.whl"):
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(one.file_size for one in archive.infolist())
        found.append(Part(path.name.partition("-")[0], path.stat().st_size, unpacked))
    return sorted(found, key=lambda one: (-one.unpacked, one.name))


def download(wheel: Path, folder: Path, python: str = sys.executable) -> None:
    """Lets pip bring the locked packages that a wheel needs on its machine, and the wheel, into a folder.

    Raises ValueError with pip's last words where it cannot.
    """
    if (machine := _MACHINE.search(wheel.name)) is None:
        raise ValueError(f"{wheel.name} is of no machine that Assay is built for")
    platforms = [f"manylinux_2_{minor}_{machine[1]}" for minor in _GLIBC] + [f"manylinux2014_{machine[1]}"]
    words = [python, "-m", "pip", "download", "--disable-pip-version-check", "--quiet", "--dest", str(folder)]
    words += [f"--platform={one}" for one in platforms]
    words += ["--only-binary=:all:", "--constraint", str(LOCKED), str(wheel)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["without a word"]
        raise ValueError(f"pip ended with exit code {done.returncode}: {said[-1]}")


def rows(parts: Sequence[Part], largest: int = 8) -> list[str]:
    """Returns lines of text: the largest packages, and the sums."""
    shown = [(one.name, one.packed, one.unpacked) for one in parts[:largest]]
    rest = parts[largest:]
    shown.append((f"{len(rest)} others", sum(one.packed for one in rest), sum(one.unpacked for one in rest)))
    shown.append(("in all", *sums(parts)))
    lines = [f"{'':20} {'download':>10} {'on disk':>10}"]
    return lines + [f"{name:20} {down / MB:7.1f} MB {disk / MB:7.1f} MB" for name, down, disk in shown]


def sums(parts: Sequence[Part]) -> tuple[int, int]:
    """Returns the bytes of all packages, as files and unpacked."""
    return sum(one.packed for one in parts), sum(one.unpacked for one in parts)


def too_much(parts: Sequence[Part]) -> list[str]:
    """Returns which bars an installation is above."""
    bars = (("download", MOST_DOWNLOADED_MB), ("on disk", MOST_INSTALLED_MB))
    return [
        f"{what}: {size / MB:.1f} MB, at most {most:.0f}"
        for (what, most), size in zip(bars, sums(parts), strict=True)
        if size > most * MB
    ]
