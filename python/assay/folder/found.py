"""`found.json` of a rung: what was found there beside the engine's events, a record for each who found it.

Who finds something appends a record of its own: an experiment, the rounds before a load on files, a device
that was made to fail. A folder of an earlier assay has one record, in `experiment.json`.
"""

from __future__ import annotations

import msgspec

from assay.durable import write_whole
from assay.folder.manifest import Scalar
from assay.folder.paths import RunFolder, RungFolder
from assay.folder.reading import read_part


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One measure."""

    name: str
    unit: str
    value: float


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened, on the wall clock."""

    name: str  # "statement begins", "killed", "ready"
    at_wall_ns: int


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """A value over time: `values[i]` at `at_wall_ns[i]`."""

    name: str  # "lag"
    unit: str
    at_wall_ns: list[int]
    values: list[float]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What one of them found: `by` names it, `options` are what it was told."""

    by: str  # "crash-recovery", "steady-state", "device-failure"
    options: dict[str, Scalar] = {}
    figures: list[Figure] = []
    moments: list[Moment] = []
    traces: list[Trace] = []
    facts: dict[str, str] = {}  # what it found out that is no number: "loaded_as" -> "file"


class _ExperimentRecord(Found, frozen=True, kw_only=True):
    """`experiment.json`: the only record, whose `use` joins the names of all who wrote into it."""

    by: str = msgspec.field(name="use")


def add_found(rung: RungFolder, found: Found) -> None:
    """Appends a record to those that are there; the file is whole, and on the disk, at any moment."""
    write_whole(rung.found, msgspec.json.format(msgspec.json.encode([*read_found(rung), found])))


def read_found(rung: RungFolder) -> list[Found]:
    """The records in order; none where nobody found anything. `Damaged` when the file cannot be read."""
    run = RunFolder(rung.path.parents[1])
    if rung.found.is_file():
        return read_part(rung.found, run, list[Found])
    if rung.experiment.is_file():
        return [read_part(rung.experiment, run, _ExperimentRecord)]
    return []
