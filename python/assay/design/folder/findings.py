"""Types, reader and writer of a rung's `found.json`: findings beside the engine's events, one record for each
finder.

An experiment, the rounds before a load on files, and a device failure each append a record of their own. A
folder of an earlier assay has one record, in `experiment.json`.
"""

from __future__ import annotations

import msgspec

from assay.design.folder.manifest import Scalar
from assay.design.folder.paths import RunFolder, RungFolder
from assay.design.folder.reading import read_part


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One measure that a finder reports: its name and value."""

    name: str
    unit: str
    value: float


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A named event of an experiment, with its wall-clock time."""

    name: str  # "statement begins", "killed", "ready"
    at_wall_ns: int


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """A series of values over time: `values[i]` at `at_wall_ns[i]`."""

    name: str  # "lag"
    unit: str
    at_wall_ns: list[int]
    values: list[float]


class FinderRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The record of one finder: `by` is its name, `options` are the options it had."""

    by: str  # "crash-recovery", "steady-state", "device-failure"
    options: dict[str, Scalar] = {}
    figures: list[Figure] = []
    moments: list[Moment] = []
    traces: list[Trace] = []
    facts: dict[str, str] = {}  # what it found out that is no number: "loaded_as" -> "file"


class _ExperimentRecord(FinderRecord, frozen=True, kw_only=True):
    """The one record of an `experiment.json`, whose `use` joins the names of all finders."""

    by: str = msgspec.field(name="use")


MOST_BYTES = 256 << 20
"""The most bytes of the file: it holds series over time."""


def add_found(rung: RungFolder, found: FinderRecord) -> None:
    """Appends a record to the rung's `found.json`, which is complete and durable at every moment."""
    rung.found.write_whole(msgspec.json.format(msgspec.json.encode([*read_found(rung), found])))


def read_found(rung: RungFolder) -> list[FinderRecord]:
    """Returns the rung's records in order; empty when there are none. Raises `Damaged` when the file cannot
    be read.
    """
    run = RunFolder(rung.path.parents[1])
    if rung.found.is_file():
        return read_part(rung.found, run, list[FinderRecord], MOST_BYTES)
    if rung.experiment.is_file():
        return [read_part(rung.experiment, run, _ExperimentRecord)]
    return []
