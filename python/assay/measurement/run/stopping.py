"""Reads the requests that a person makes on the live page of a running study: pause, stop."""

from __future__ import annotations

import os

from assay.base.errors import Interrupted
from assay.design.folder import Request, ResultsFolder, asked_of
from assay.design.plan import Plan
from assay.measurement.run import journal
from assay.system.server.process import ProcessId


def asked_of_lab(folder: ResultsFolder) -> Request | None:
    """Returns the request that a person has made to this lab process on the live page: pause or stop; None
    without one.
    """
    me = ProcessId.of(os.getpid())
    return None if me is None else asked_of(folder, me.pid, me.start_ticks)


class _Stopped(Interrupted):
    """A person asked for the end on the page that shows the study."""


def stopped() -> _Stopped:
    return _Stopped("Stopped after a run, as was asked on the page of this study")


def with_kept(folder: ResultsFolder, plan: Plan, stop: Interrupted) -> Interrupted:
    """Returns the interrupt with the number of runs that are kept."""
    kept = len(journal.completed(folder))
    what = stop.message if isinstance(stop, _Stopped) else "Interrupted"
    return Interrupted(
        f"{what}: {kept} of {len(plan.runs)} runs are finished and kept in {folder.path}.",
        hint="Run the same command again to continue.",
    )
