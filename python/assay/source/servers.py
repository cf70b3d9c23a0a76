"""The server of a run, whatever its kind: what a run asks of it, and where each treatment's comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from assay.folder import Event, RunFolder
from assay.folder.manifest import Doubted, HostEntry, Scalar
from assay.format.job import Target
from assay.host.volume.volume import Volume
from assay.plan import Treatment
from assay.server import Build, Connection, Instance, require_space
from assay.source.disk_budget import Need, StudyRoom

Step = Callable[[str], None]
"""Told in a few words what is being done."""

Listener = Callable[[Event], None]
"""Told what the engine says."""


class StartedServer(Protocol):
    """What a run needs of its server."""

    @property
    def target(self) -> Target | None:
        """Where the engine's load goes; None: it is a load on files."""

    @property
    def environment(self) -> Mapping[str, str]:
        """What the engine's environment must have: a password, or nothing."""

    @property
    def password(self) -> str | None:
        """What lets root of the lab's own server in over TCP; None: nobody comes in that way."""

    @property
    def namespace(self) -> Path | None:
        """The network namespace that the engine is put into; None: it stays in ours."""

    @property
    def pid(self) -> int | None:
        """None for a server that is not ours."""

    @property
    def paths(self) -> Sequence[Path]:
        """Directories whose file systems and devices matter."""

    @property
    def host(self) -> Sequence[HostEntry]:
        """What was changed of the machine for it, for the manifest."""

    @property
    def volume(self) -> Volume | None:
        """What was made for its data; None: they lie on what was there."""

    @property
    def doubts(self) -> Sequence[Doubted]:
        """Reasons to distrust what is measured on it, known before the load."""

    @property
    def dataset(self) -> dict[str, Scalar]:
        """For the manifest."""

    @property
    def description(self) -> dict[str, Scalar]:
        """For the manifest."""

    def connect(self, *, read_timeout_s: float | None = None) -> Connection:
        """A connection to look at it with."""

    def kill(self) -> None:
        """SIGKILL, as a crash does it. InputError for a server that is not ours."""

    def restart(self, variables: Mapping[str, Scalar]) -> float:
        """Ends it if it lives and starts it on the same data, with these variables besides.

        Seconds from the start to the first answer. InputError for a server that is not ours.
        """

    def another(self, name: str, variables: Mapping[str, Scalar]) -> AbstractContextManager[Instance]:
        """A further server of its build on a copy of its dataset, gone when the block ends.

        It has this server's variables, and these besides; its log and options stand in the run folder under
        `name`. InputError for a server that is not ours.
        """

    @property
    def build(self) -> Build:
        """What it was started from. InputError for a server that is not ours."""

    def how_it_ended(self) -> str | None:
        """How it ended, as a clause; None while it lives. Waits a moment when it is about to end."""

    def log_tail(self, lines: int) -> str:
        """The end of its log; empty where it cannot be read."""


class ServerSource(Protocol):
    """Where the servers of some treatments come from."""

    def check(self, treatments: Sequence[Treatment], room: StudyRoom, *, trying: bool = True) -> None:
        """Raises before any load what would stop these treatments: variables, directories, no login.

        `room` is told what they take on disk. Unless it is `trying`, nothing is started, made or changed to
        find out.
        """

    def loaded(
        self, treatments: Sequence[Treatment], *, step: Step, note: Step, listener: Listener
    ) -> AbstractContextManager[None]:
        """Makes sure that their tables are there, and stay as long as the block lasts.

        `note` is told what is worth a line that stays.
        """

    def started(
        self, treatment: Treatment, work: RunFolder, step: Step
    ) -> AbstractContextManager[StartedServer]:
        """A server as the treatment wants it, verified; gone (if it is ours) when the block ends."""


class Servers:
    """The sources of a plan, by the word that a study uses for them."""

    def __init__(self, sources: Mapping[str, ServerSource]) -> None:
        self._sources = dict(sources)

    def check(
        self, treatments: Sequence[Treatment], *, needs: list[Need] | None = None, trying: bool = True
    ) -> None:
        """`ServerSource.check`, each with its own treatments; room on the disks for all of them.

        `needs` is told what they take on disk, also when it is not there.
        """
        room = StudyRoom()
        for source, its_own in self._by_source(treatments):
            source.check(its_own, room, trying=trying)
        taken = room.needs()
        if needs is not None:
            needs += taken
        for need in taken:
            require_space(need.place, need.bytes, need.what)

    @contextmanager
    def loaded(
        self, treatments: Sequence[Treatment], *, step: Step, note: Step, listener: Listener
    ) -> Iterator[None]:
        """`ServerSource.loaded`, each with its own treatments."""
        with ExitStack() as tables:
            for source, its_own in self._by_source(treatments):
                tables.enter_context(source.loaded(its_own, step=step, note=note, listener=listener))
            yield

    def started(
        self, treatment: Treatment, work: RunFolder, step: Step
    ) -> AbstractContextManager[StartedServer]:
        """`ServerSource.started` of the treatment's source."""
        return self._sources[treatment.server_use].started(treatment, work, step)

    def _by_source(self, treatments: Sequence[Treatment]) -> list[tuple[ServerSource, list[Treatment]]]:
        return [
            (source, its_own)
            for use, source in self._sources.items()
            if (its_own := [treatment for treatment in treatments if treatment.server_use == use])
        ]
