"""`experiment.json` of a rung: what an experiment measured, when it did what, and what it saw meanwhile."""

from __future__ import annotations

import msgspec


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


class ExperimentRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What an experiment leaves beside the engine's events."""

    use: str
    options: dict[str, str | int | float | bool]
    figures: list[Figure]
    moments: list[Moment] = []
    traces: list[Trace] = []
    facts: dict[str, str] = {}  # what it found out that is no number: "loaded_as" -> "file"
