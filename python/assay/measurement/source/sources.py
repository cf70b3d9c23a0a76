"""Selects the source of each treatment's system under test, whatever its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol

from assay.base.errors import InputError, ServerError
from assay.design.folder import Event, RunFolder
from assay.design.plan import Treatment
from assay.measurement.source.disk_budget import DiskBudget, Need
from assay.measurement.source.trial_starts import Trials
from assay.measurement.source.under_test import Server, Storage
from assay.system.server import require_space
from assay.system.server.flavour import Version

Step = Callable[[str], None]
"""Is called with a few words on what is being done."""

Listener = Callable[[Event], None]
"""Receives the engine's events."""


class Source(Protocol):
    """Provides the servers, or the files, of some treatments."""

    def version(self) -> tuple[str, Version] | None:
        """Returns flavour and version of its servers; None of files. Asks a running server for it."""

    def check(
        self,
        treatments: Sequence[Treatment],
        budget: DiskBudget,
        *,
        trying: bool = True,
        trials: Trials | None = None,
    ) -> None:
        """Raises before any load the errors that would stop these treatments: variables, directories, a
        refused login.

        What they take on disk is added to `budget`. Unless `trying`, nothing is made or changed to find out;
        without `trials` no server is started for it.
        """

    def loaded(
        self, treatments: Sequence[Treatment], *, step: Step, note: Step, listener: Listener
    ) -> AbstractContextManager[None]:
        """Provides the tables of these treatments for the length of the block.

        `note` is called with messages that should stay on the screen.
        """

    def started(
        self, treatment: Treatment, work: RunFolder, step: Step
    ) -> AbstractContextManager[Server | Storage]:
        """Yields the treatment's server or files, verified; the lab's own are removed when the block ends."""


class Sources:
    """The sources of a plan, by the study's `server.use`."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = dict(sources)

    def check(
        self,
        treatments: Sequence[Treatment],
        *,
        needs: list[Need] | None = None,
        trying: bool = True,
        trials: Trials | None = None,
    ) -> None:
        """Calls `Source.check` of each source with its treatments, and checks disk space for all of them.

        Raises what all of them refuse as one error: a person mends a study of several servers once.
        `needs` is called with what they take on disk, also when there is no space for it.
        """
        budget = DiskBudget()
        refusals: list[InputError | ServerError] = []
        for source, its_own in self._by_source(treatments):
            try:
                # After a refusal nothing will run: the others are asked what is known without a start.
                source.check(
                    its_own,
                    budget,
                    trying=trying and not refusals,
                    trials=None if refusals else trials,
                )
            except (InputError, ServerError) as error:
                refusals.append(error)
        if refusals:
            raise _together(refusals) if len(self._sources) > 1 else refusals[0]
        taken = budget.needs()
        if needs is not None:
            needs += taken
        for need in taken:
            require_space(need.place, need.bytes, need.what)

    @contextmanager
    def loaded(
        self, treatments: Sequence[Treatment], *, step: Step, note: Step, listener: Listener
    ) -> Iterator[None]:
        """Provides the tables of all treatments, each from its source, for the length of the block."""
        with ExitStack() as tables:
            for source, its_own in self._by_source(treatments):
                tables.enter_context(source.loaded(its_own, step=step, note=note, listener=listener))
            yield

    def started(
        self, treatment: Treatment, work: RunFolder, step: Step
    ) -> AbstractContextManager[Server | Storage]:
        """Yields the treatment's server or files from its source."""
        return self._sources[treatment.server_use].started(treatment, work, step)

    def _by_source(self, treatments: Sequence[Treatment]) -> list[tuple[Source, list[Treatment]]]:
        return [
            (source, its_own)
            for use, source in self._sources.items()
            if (its_own := [treatment for treatment in treatments if treatment.server_use == use])
        ]


_OF_ITS_OWN = (
    "what only some servers have, give those alone: levels with keys of their own, as in [factor.settings]"
    ' old = { server.use = "mysql@5.7", server.variables.X = 1 }'
)


def _together(refusals: Sequence[InputError | ServerError]) -> InputError | ServerError:
    """Returns one error that says all refusals of several sources, of the kind of the first."""
    first, *others = refusals
    more = f" (and {len(others)} more of the servers)" if others else ""
    said = [line for one in refusals for line in (one.message, one.detail) if line]
    hints = [one.hint for one in refusals[:1] if one.hint]
    if isinstance(first, ServerError):
        hints.append(_OF_ITS_OWN)
    kind = ServerError if isinstance(first, ServerError) else InputError
    return kind(
        f"{first.message}{more}",
        hint="; or ".join(hints) or None,
        detail="\n".join(said) if others else first.detail,
        code=first.code,
    )
