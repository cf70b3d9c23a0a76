"""Settings of the machine that treatments ask for: tried before any load, in force during a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from assay.errors import HostError
from assay.folder.manifest import Doubted, HostEntry
from assay.host import Knobs, Machine
from assay.host.knob.registry import KNOBS
from assay.plan import Plan, Treatment
from assay.run.given import data_place


def knobs_for(plan: Plan) -> AbstractContextManager[Knobs | None]:
    """The right to change the machine, when a treatment asks for that. ConflictError while another has it."""
    return Knobs() if any(treatment.host for treatment in plan.treatments) else nullcontext()


def try_settings(knobs: Knobs | None, treatments: Sequence[Treatment]) -> None:
    """Each set of settings once, read back and put back: what the kernel takes only the kernel knows.

    HostError with every one that is not to be had, and why.
    """
    asked = {
        (str(data_place(one)), json.dumps(one.host, sort_keys=True)): one for one in treatments if one.host
    }
    for treatment in asked.values():
        Knobs.check(treatment.host, data_place(treatment))
    for treatment in asked.values():
        assert knobs is not None
        with knobs.turned(treatment.host, data_place(treatment)):
            pass


@contextmanager
def in_force(knobs: Knobs | None, treatment: Treatment, data: Path) -> Iterator[list[HostEntry]]:
    """The treatment's settings for a server with its data there; what was done, for the manifest."""
    if not treatment.host:
        yield []
        return
    assert knobs is not None
    with knobs.turned(treatment.host, data) as turned:
        yield [HostEntry(knob=one.knob, target=one.target, was=one.was, now=one.now) for one in turned]


def drifted(entries: Sequence[HostEntry]) -> list[Doubted]:
    """A doubt for each setting that somebody else has changed meanwhile."""
    doubts = []
    for entry in entries:
        try:
            now = KNOBS[entry.knob].show(Machine(), entry.target)
        except HostError as error:
            now = error.message
        if now != entry.now:
            message = f"host.{entry.knob} of {entry.target} changed from {entry.now} to {now} during the run"
            doubts.append(Doubted(kind="variable-drift", message=message))
    return doubts
