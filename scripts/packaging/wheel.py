"""Reads what a built wheel's name says: version, machine, and the oldest C library that it runs with."""

from __future__ import annotations

import os
import platform
import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_NAME = re.compile(r"assay-(?P<version>[^-]+)-py3-none-(?P<platforms>[\w.]+)\.whl")
_PLATFORM = re.compile(r"(?:manylinux_2_(?P<glibc>\d+)|manylinux2014|linux)_(?P<machine>x86_64|aarch64)")

_ENGINE = "ASSAY_ENGINE"

DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}
"""Debian's name of each machine."""


@dataclass(frozen=True)
class Wheel:
    """A wheel of Assay. `glibc` is the minor number of the oldest C library that its name promises to run
    with, or None where the name makes no promise.
    """

    path: Path
    version: str
    machine: str
    glibc: int | None

    @property
    def architecture(self) -> str:
        """Debian's name of the machine."""
        return DEBIAN[self.machine]


def read_name(path: Path) -> Wheel:
    """Returns what the wheel's name says. Raises ValueError when it is not the name of a wheel of Assay for
    Linux.
    """
    name = _NAME.fullmatch(path.name)
    platforms = [_PLATFORM.fullmatch(one) for one in name["platforms"].split(".")] if name else []
    known = [one for one in platforms if one]
    if name is None or not known:
        raise ValueError(
            f"{path.name}: expected a wheel such as assay-0.1.0-py3-none-manylinux_2_17_x86_64.whl"
        )
    promised = [_glibc(one) for one in known]
    glibc = min((one for one in promised if one is not None), default=None)
    return Wheel(path, name["version"], known[0]["machine"], glibc)


def wheels_in(folder: Path) -> list[Wheel]:
    """Returns the wheels of Assay in `folder`, sorted by name."""
    return [read_name(path) for path in sorted(folder.glob("assay-*.whl"))]


@contextmanager
def engine_of(wheels: Sequence[Wheel]) -> Iterator[None]:
    """Has Assay find the engine of the wheel for this machine within the block: what a package says of
    workloads is then what its engine has, and a checkout without a build will do.

    Without such a wheel it finds the engine that it finds elsewhere.
    """
    here = next((one for one in wheels if one.machine == platform.machine()), None)
    if here is None:
        yield
        return
    before = os.environ.get(_ENGINE)
    with tempfile.TemporaryDirectory(prefix="assay-engine-") as folder, zipfile.ZipFile(here.path) as archive:
        engine = Path(archive.extract("assay/bin/assay-engine", folder))
        engine.chmod(0o755)
        os.environ[_ENGINE] = str(engine)
        try:
            yield
        finally:
            os.environ.pop(_ENGINE)
            if before is not None:
                os.environ[_ENGINE] = before


def _glibc(named: re.Match[str]) -> int | None:
    if named["glibc"]:
        return int(named["glibc"])
    return 17 if named[0].startswith("manylinux2014") else None
