"""Types of `fleet.json`: the generators that carried a rung's load out together."""

from __future__ import annotations

import msgspec


class GeneratorEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One generator; its own events are in `generators/<name>/events.jsonl`."""

    name: str
    host: str
    loops: int
    connections: int | None  # None: it never said
    engine: str | None  # version and build
    engine_sha256: str | None
    clock_offset_ns: int  # its CLOCK_MONOTONIC minus the coordinator's
    clock_bound_ns: int  # how far the truth may be from that at most
    clock_drift_ppm: float  # from before the load to after it; 0 where it was read once
    first_operation_ns: int | None  # after the start of the load, on the coordinator's clock
    events_sha256: str
    events_bytes: int
    exit_code: int | None  # below 0 the signal that ended it; None: it did not end


class LostEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A generator that was lost, and when: on the coordinator's CLOCK_MONOTONIC."""

    name: str
    host: str
    at_monotonic_ns: int
    cause: str


class FleetRecord(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.json`; instants are on the coordinator's CLOCK_MONOTONIC."""

    format: int = 1
    backend: str
    tries: int  # the load was begun anew where a generator missed its start
    start_monotonic_ns: int | None  # None: not every generator became ready
    window_monotonic_ns: int | None  # where the measured window began
    start_spread_ns: int | None  # between the first operations of the first and the last generator
    generators: list[GeneratorEntry]
    lost: list[LostEntry]
