"""Fetches archives with the package client of each source; the client's own settings say from where."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from assay.base.errors import HostError, InputError
from assay.system.server.flavour import Debian, Maven, Npm, Source, Tarball
from assay.system.server.process.program import launch
from assay.system.server.release.apt import options_for_suite
from assay.system.server.release.archive import is_archive

_TIMEOUT_S = 1800.0
_LOOK_S = 1.0
_BY_HAND = (
    'unpack a vendor\'s tarball with "assay server get FILE.tar.gz", or set server.use = "path:/base/dir"'
)


def fetch(source: Source, into: Path, arrived: Callable[[int], None] = lambda _: None) -> list[Path]:
    """Fetches the archives of a source into the new directory `into`, and returns them (a tarball stays where
    it is).

    `arrived` is called with the bytes in `into` about once a second; Maven and npm keep theirs elsewhere at
    first. Raises HostError, with the client's last words and an alternative, when the client is not installed
    or delivers nothing, and InputError when a given tarball is none.
    """
    into.mkdir()
    match source:
        case Maven():
            _run(source, ["mvn", "-B", "dependency:copy", f"-Dartifact={source.artifact}",
                          f"-DoutputDirectory={into}"], into, arrived)  # fmt: skip
        case Npm():
            _run(source, ["npm", "pack", "--silent", source.name], into, arrived)
        case Debian():
            require_client(source)
            options = _sandbox()
            if source.suite is not None:
                options += options_for_suite(source.suite, into.parent / "apt")
                _run(source, ["apt-get", *options, "update"], into)
            _run(source, ["apt-get", *options, "download", *source.packages], into, arrived)
        case Tarball():
            path = Path(source.path).expanduser().absolute()
            if not is_archive(path):
                raise InputError(
                    f"{path} is not a zip, jar, tar or deb archive",
                    hint="give a vendor's tarball of a server",
                )
            return [path]
    archives = sorted(path for path in into.iterdir() if path.is_file())
    if not archives:
        raise HostError(f"{source.client} exited with 0 but delivered no {source}")
    return archives


def _sandbox() -> list[str]:
    """Returns the apt option that lets root download: apt's own user may not write into the lab's
    directory.
    """
    return ["-o", "APT::Sandbox::User=root"] if os.geteuid() == 0 else []


def require_client(source: Source) -> None:
    """Raises HostError, with an alternative, when the source's package client is not installed."""
    if source.client and shutil.which(source.client) is None:
        raise HostError(
            f"{source.client} is not installed, and this release is the {source}",
            hint=f"install the package {source.package}, or {_BY_HAND}",
        )


def _run(
    source: Source, command: Sequence[str], folder: Path, arrived: Callable[[int], None] = lambda _: None
) -> None:
    """Runs a package client as this user; it ends when the lab ends, and leaves nothing outside `folder`."""
    require_client(source)
    process = launch(
        [str(shutil.which(command[0])), *command[1:]],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, as_server=False, cwd=folder,
    )  # fmt: skip
    deadline = time.monotonic() + _TIMEOUT_S
    out: bytes | None = None
    try:
        while out is None:
            try:
                out, _ = process.communicate(timeout=_LOOK_S)
            except subprocess.TimeoutExpired:
                if time.monotonic() > deadline:
                    raise HostError(f"{command[0]} did not end within {_TIMEOUT_S / 60:g} minutes") from None
                arrived(_bytes_in(folder))
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    if process.returncode != 0:
        words = [line for line in out.decode(errors="replace").splitlines() if line.strip()]
        raise HostError(
            f"{command[0]} did not deliver the {source} (exit status {process.returncode})",
            hint=f"check the network and the configuration of {command[0]}, or {_BY_HAND}",
            detail="\n".join(words[-8:]) or None,
        )


def _bytes_in(folder: Path) -> int:
    """Returns the size of all files in a folder, also while a client renames some."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size if path.is_file() else 0
    return total
