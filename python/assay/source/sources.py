"""Where the system under test of each treatment comes from, whatever kind it is of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol

from assay.folder import Event, RunFolder
from assay.plan import Treatment
from assay.server import require_space
from assay.source.disk_budget import DiskBudget, Need
from assay.source.under_test import Server, Storage

Step = Callable[[str], None]
"""Told in a few words what is being done."""

Listener = Callable[[Event], None]
"""Told what the engine says."""


class Source(Protocol):
    """Where the servers, or the files, of some treatments come from."""

    def check(self, treatments: Sequence[Treatment], budget: DiskBudget, *, trying: bool = True) -> None:
        """Raises before any load what would stop these treatments: variables, directories, no login.

        `budget` is told what they take on disk. Unless it is `trying`, nothing is started, made or changed to
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
    ) -> AbstractContextManager[Server | Storage]:
        """What the treatment wants under load, verified; gone (if it is ours) when the block ends."""


class Sources:
    """The sources of a plan, by the word that a study uses for them."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = dict(sources)

    def check(
        self, treatments: Sequence[Treatment], *, needs: list[Need] | None = None, trying: bool = True
    ) -> None:
        """`Source.check`, each with its own treatments; room on the disks for all of them.

        `needs` is told what they take on disk, also when it is not there.
        """
        budget = DiskBudget()
        for source, its_own in self._by_source(treatments):
            source.check(its_own, budget, trying=trying)
        taken = budget.needs()
        if needs is not None:
            needs += taken
        for need in taken:
            require_space(need.place, need.bytes, need.what)

    @contextmanager
    def loaded(
        self, treatments: Sequence[Treatment], *, step: Step, note: Step, listener: Listener
    ) -> Iterator[None]:
        """`Source.loaded`, each with its own treatments."""
        with ExitStack() as tables:
            for source, its_own in self._by_source(treatments):
                tables.enter_context(source.loaded(its_own, step=step, note=note, listener=listener))
            yield

    def started(
        self, treatment: Treatment, work: RunFolder, step: Step
    ) -> AbstractContextManager[Server | Storage]:
        """`Source.started` of the treatment's source."""
        return self._sources[treatment.server_use].started(treatment, work, step)

    def _by_source(self, treatments: Sequence[Treatment]) -> list[tuple[Source, list[Treatment]]]:
        return [
            (source, its_own)
            for use, source in self._sources.items()
            if (its_own := [treatment for treatment in treatments if treatment.server_use == use])
        ]
