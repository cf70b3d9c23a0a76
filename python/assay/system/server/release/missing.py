"""Finds the servers that a study names and this machine lacks, and says what a command would fetch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.base.errors import HostError, InputError
from assay.design.study.storage import NO_SERVER
from assay.system.server.flavour import Flavour, Release
from assay.system.server.release.find import find_build
from assay.system.server.release.get import require_fetchable
from assay.system.server.release.use import parse_use


@dataclass(frozen=True)
class Missing:
    """A server that is not on this machine. `release` is what the catalogue has for it, or None."""

    use: str
    flavour: Flavour
    release: Release | None
    error: HostError  # that finding it has raised

    def __str__(self) -> str:
        """The name, the release that it stands for and its size: `mysql@8.0 (MySQL 8.0.15, 34 MB)`."""
        if self.release is None:
            return f"{self.use} (not in the catalogue)"
        size = f", {self.release.megabytes} MB" if self.release.megabytes else ""
        return f"{self.use} ({self.flavour.title} {self.release.number}{size})"


def missing_servers(uses: Iterable[str]) -> list[Missing]:
    """Returns the named servers that are not here. A name that is wrong is left to whoever uses it."""
    found = []
    for use in dict.fromkeys(uses):
        if use == NO_SERVER or use.startswith(("path:", "dsn:")):
            continue
        try:
            find_build(use)
        except InputError:
            continue
        except HostError as error:
            flavour, wanted = parse_use(use)
            found.append(Missing(use, flavour, flavour.release(wanted), error))
    return found


def require_obtainable(missing: Iterable[Missing]) -> None:
    """Raises HostError unless each of them can be fetched here: it names all that are missing."""
    every = list(missing)
    unknown = [one for one in every if one.release is None]
    if unknown and len(every) == 1:
        raise unknown[0].error
    if unknown:
        raise none_of(every)
    for one in every:
        if one.release is not None:
            require_fetchable(one.flavour, one.release)


def none_of(missing: Iterable[Missing]) -> HostError:
    """Returns the error that names all missing servers, with what the catalogue has for each."""
    every = list(missing)
    if len(every) == 1:
        return every[0].error
    known = [f"assay server get {one.use}" for one in every if one.release is not None]
    unknown = " and ".join(one.use for one in every if one.release is None)
    hints = [
        *known,
        *([f'{unknown}: unpack a vendor\'s tarball with "assay server get FILE.tar.gz"'] if unknown else []),
    ]
    return HostError(
        f"{len(every)} servers are not on this machine: {', '.join(map(str, every))}", hint="; ".join(hints)
    )
