"""Builds Assay for pip from its sources (PEP 517): cargo compiles the programs, which are then packed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

from scripts.wheels.packing import pack
from scripts.wheels.project import NAME, ROOT, metadata, version

_SOURCES = (
    *("Cargo.toml", "Cargo.lock", "LICENSE", "README.md", "pyproject.toml", ".cargo", "crates"),
    *("benchmarks/floor", "docs", "python", "schema", "scripts", "studies"),
)
_LEFT_OUT = {"__pycache__", "target"}


def build_wheel(folder: str, settings: Any = None, metadata_folder: str | None = None) -> str:
    """Compiles for this machine, writes a wheel into a folder, and returns its name."""
    print("compiling the engine: about five minutes on two processors", file=sys.stderr, flush=True)
    command = ["cargo", "build", "--release", "--locked", "-p", "assay-engine", "-p", "assay-nullserver"]
    try:
        subprocess.run(command, cwd=ROOT, check=True)
    except FileNotFoundError:
        raise SystemExit(
            "Assay is compiled by Rust 1.88 or newer, and there is no cargo: https://rustup.rs"
        ) from None
    out = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
    return pack(out, Path(folder)).name


def build_sdist(folder: str, settings: Any = None) -> str:
    """Writes the archive of all sources that a wheel is made of, and returns its name."""
    top = f"{NAME}-{version()}"
    path = Path(folder) / f"{top}.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=6, format=tarfile.PAX_FORMAT) as archive:
        about = tarfile.TarInfo(f"{top}/PKG-INFO")
        content = metadata().encode()
        about.size = len(content)
        archive.addfile(about, io.BytesIO(content))
        for source in _SOURCES:
            archive.add(ROOT / source, f"{top}/{source}", filter=_kept)
    return path.name


def _kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return member if _LEFT_OUT.isdisjoint(Path(member.name).parts) else None
