"""`experiment.json` of a rung: what an experiment measured, and when it did what."""

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


class ExperimentRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What an experiment leaves beside the engine's events."""

    use: str
    options: dict[str, str | int | float | bool]
    figures: list[Figure]
    moments: list[Moment] = []
