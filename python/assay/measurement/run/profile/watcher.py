"""The interface of a source that watches a profile window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from assay.base.errors import HostError
from assay.design.folder import ProfileFolder, ProfileSource
from assay.measurement.source import Server

Stage = Literal["main", "tail", "counting"]


@dataclass(frozen=True)
class Watched:
    """What is watched: the server under the load of a profile window.

    `pid` is the process of the server on this machine; where it is None, `no_pid` says why. `flavour` is the
    server's, as `mariadb`; empty where nobody knows.
    """

    server: Server
    folder: ProfileFolder
    pid: int | None
    no_pid: ProfileSource
    hz: int
    flavour: str = ""

    def process(self) -> int:
        """Returns the process of the server. Raises HostError with the reason where it is not seen."""
        if self.pid is None:
            raise HostError(
                self.no_pid.missing or "the server's process is not known", hint=self.no_pid.remedy
            )
        return self.pid


class Watcher(Protocol):
    """A source of one profile window; each window has new ones.

    Whatever raises an AssayError or an OSError makes the source missing, with the error's words, and does the
    run no harm.
    """

    source: str
    """The name of the source in `window.json`, and of its file."""
    stage: Stage
    """`main`: it watches for as long as the study says; `tail`: a short time after that; `counting`: last,
    since what it switches on changes what the others see.
    """

    def prepare(self, watched: Watched) -> None:
        """Gets ready before the load is sent, without watching: what takes long on a busy machine."""

    def abandon(self) -> None:
        """Ends what was prepared, where the source never begins."""

    def begin(self, watched: Watched) -> None:
        """Begins to watch while the load runs."""

    def end(self) -> None:
        """Ends watching while the load still runs. It must not cost much: another source may watch next."""

    def read(self, watched: Watched) -> ProfileSource:
        """Writes what was seen into the folder, after the server has ended, and says how much it was."""


class Unprepared:
    """The part of a source that needs nothing before the load is sent."""

    def prepare(self, watched: Watched) -> None:
        """Does nothing."""

    def abandon(self) -> None:
        """Does nothing."""


def missing(why: str, remedy: str | None = None) -> ProfileSource:
    """Returns a source that could not read; both words are sentences without a full stop."""
    return ProfileSource(missing=why, remedy=remedy)
