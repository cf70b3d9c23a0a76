"""The command scripts/wheel: builds and packs a wheel, or checks one."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from scripts.wheels.checking import check
from scripts.wheels.packing import pack
from scripts.wheels.project import ROOT
from scripts.wheels.sizes import download, parts_in, rows, too_much

TARGETS = ("x86_64-unknown-linux-gnu.2.17", "aarch64-unknown-linux-gnu.2.17")
MIB = 1e6


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/wheel", description=__doc__)
    parser.add_argument("--target", choices=TARGETS, default=TARGETS[0], help="the system to build for")
    parser.add_argument("--binaries", type=Path, metavar="FOLDER", help="pack the programs of this folder")
    parser.add_argument("--out", type=Path, default=ROOT / "target/wheels", help="where the wheel goes")
    parser.add_argument("--sizes", type=Path, metavar="FILE", help="what an installation of this wheel takes")
    parser.add_argument("--check", type=Path, metavar="FILE", help="install this wheel, and try it")
    parser.add_argument("--without-demo", action="store_true", help="with --check: try all but the demo")
    given = parser.parse_args()
    try:
        if given.check is not None:
            return check(given.check.resolve(), demo=not given.without_demo)
        if given.sizes is not None:
            return sizes(given.sizes)
        path = pack(given.binaries or built(given.target), given.out)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(one.file_size for one in archive.infolist())
    print(f"{path}: {path.stat().st_size / MIB:.1f} MB, {unpacked / MIB:.1f} MB unpacked")
    return 0


def sizes(wheel: Path) -> int:
    """Prints what an installation of a wheel downloads and takes. Returns 1 where that is above its bar."""
    with tempfile.TemporaryDirectory(prefix="assay-sizes-") as folder:
        download(wheel, Path(folder))
        parts = parts_in(Path(folder))
    wrong = too_much(parts)
    print(*rows(parts), *(f"TOO MUCH {one}" for one in wrong), sep="\n")
    return int(bool(wrong))


def built(target: str) -> Path:
    """Builds the programs for a target, on x86-64 laid out by a profile of the engine's hot path, and returns
    their folder.
    """
    if not (ROOT / "scripts/engine-for").is_file():  # then for the glibc of this machine
        if platform.machine() not in target:
            raise ValueError(f"scripts/engine-for is missing, which builds for {target}: give --binaries")
        subprocess.run(["make", "engine"], cwd=ROOT, check=True)
        return ROOT / "target/engine"
    folder = ROOT / "target/for" / target
    by_profile = {"PROFILE_GUIDED": "1"} if target.startswith("x86_64") else {}
    subprocess.run(
        [ROOT / "scripts/engine-for", target, folder], env={**os.environ, **by_profile}, cwd=ROOT, check=True
    )
    return folder


if __name__ == "__main__":
    sys.exit(main())
