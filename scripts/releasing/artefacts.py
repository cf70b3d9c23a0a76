"""Whether the artefacts of a release are there, and what trials and checkers of others found in them."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from scripts.packaging import record
from scripts.packaging.systems import PYTHONS, SYSTEMS, System
from scripts.packaging.wheel import DEBIAN, wheels_in
from scripts.releasing.outcome import Outcome, judged
from scripts.wheels import sizes

SUMS = "SHA256SUMS"


def wheels_are_there(dist: Path, version: str) -> Outcome:
    """Checks that there is a wheel of this version for each machine, with a promise of the C library."""
    wheels = wheels_in(dist)
    wrong = [
        f"{one.path.name} is of another version than {version}" for one in wheels if one.version != version
    ]
    wrong += [f"{one.path.name} promises no C library" for one in wheels if one.glibc is None]
    wrong += [
        f"dist has no wheel for {name}" for name in DEBIAN if name not in {one.machine for one in wheels}
    ]
    return judged(wrong, ", ".join(f"{one.machine} glibc 2.{one.glibc}" for one in wheels))


def sizes_of(wheel: Path) -> Outcome:
    """Checks what an installation of a wheel downloads and takes on disk."""
    with tempfile.TemporaryDirectory(prefix="assay-sizes-") as folder:
        try:
            sizes.download(wheel, Path(folder))
        except ValueError as error:
            return Outcome("not done here", str(error))
        parts = sizes.parts_in(Path(folder))
    down, disk = (one / sizes.MB for one in sizes.sums(parts))
    return judged(sizes.too_much(parts), f"{down:.1f} MB to download, {disk:.1f} MB on disk")


def sums_agree(dist: Path) -> Outcome:
    """Checks that SHA256SUMS names every artefact with its sum."""
    file = dist / SUMS
    if not file.is_file():
        return Outcome("failed", f"dist has no {SUMS}: scripts/release --build writes it")
    noted = {
        name: digest for digest, _, name in (line.partition("  ") for line in file.read_text().splitlines())
    }
    real = sums(dist)
    wrong = [f"{name} has another sum" for name in real if name in noted and noted[name] != real[name]]
    wrong += [f"{name} is not in {SUMS}" for name in real if name not in noted]
    wrong += [f"{name} is missing" for name in noted if name not in real]
    return judged(wrong, f"{len(real)} files")


def sums(dist: Path) -> dict[str, str]:
    """Returns the SHA-256 of every artefact, by its name."""
    kinds = ("*.whl", "*.deb", "*.tar.gz", "*.cdx.json", "NOTICE")
    files = sorted(path for kind in kinds for path in dist.glob(kind))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def tried_on(dist: Path, system: System, architecture: str) -> Outcome:
    """Returns what the trial of this very package on a system found: `scripts/package check` makes it."""
    return _trial(dist, system.python, architecture, system.name, "scripts/package check")


def tried_as_image(dist: Path, architecture: str) -> Outcome:
    """Returns what the trial of the image's recipe with today's package found."""
    return _trial(dist, SYSTEMS[0].python, architecture, "image", "scripts/package image --check")


def told_by_lintian(dist: Path, architecture: str) -> Outcome:
    """Returns the first error that lintian found in the packages, one for each version of Python."""
    found = [_trial(dist, python, architecture, "lintian", "scripts/package lintian") for python in PYTHONS]
    return next((one for one in found if one.state != "ok"), found[0])


def _trial(dist: Path, python: str, architecture: str, name: str, command: str) -> Outcome:
    pattern = f"assay_*+py{python.replace('.', '')}_{architecture}.deb"
    found = sorted(dist.glob(pattern))
    if not found:
        return Outcome("not done here", f"dist has no {pattern}")
    wrong = record.outcome(found[-1], name)
    if wrong is None:
        return Outcome("not done here", f"{found[-1].name} was not tried: {command}")
    return judged([wrong] if wrong else [], found[-1].name)


def asked(tool: str, words: Sequence[str], files: Sequence[Path]) -> Outcome:
    """Asks a checker of others about files: a program, or a module of this Python, where one is there."""
    if not files:
        return Outcome("not done here", "dist has no file for it")
    if shutil.which(tool):
        program = [tool]
    elif find_spec(tool.replace("-", "_")):
        program = [sys.executable, "-m", tool.replace("-", "_")]
    else:
        return Outcome("not done here", f"{tool} is missing")
    done = subprocess.run([*program, *words, *map(str, files)], capture_output=True, text=True)
    said = " / ".join((done.stdout + done.stderr).strip().splitlines()[-3:])
    return judged([f"exit {done.returncode}: {said}"] if done.returncode else [], f"{len(files)} files")
