"""The text and the record of a checked fleet."""

from __future__ import annotations

from typing import Any

from assay.base.wording import counted
from assay.measurement.fleet import CheckedFleet

_COLUMNS = ("host", "processors", "event loops", "descriptors", "round trip", "clock", "ceiling", "together")


def as_record(fleet: CheckedFleet) -> dict[str, Any]:
    """Returns what was found, with units in the names."""
    return {
        "hosts": [
            {
                "name": host.name,
                "hostname": host.facts.hostname,
                "processors": host.facts.processors,
                "event_loops": host.loops,
                "memory_bytes": host.facts.memory_bytes,
                "descriptors": host.facts.descriptors,
                "architecture": host.facts.architecture,
                "assay": host.facts.version,
                "engine_sha256": host.facts.engine_sha256,
                "round_trip_us": 2 * host.clock.offset.bound_ns / 1e3,
                "clock_offset_ns": host.clock.offset.offset_ns,
                "clock_bound_ns": host.clock.offset.bound_ns,
                "ceiling_qps": host.alone_qps,
                "together_qps": host.together_qps,
            }
            for host in fleet.hosts
        ],
        "sum_qps": fleet.sum_qps,
        "wrong": list(fleet.wrong),
    }


def as_text(fleet: CheckedFleet) -> str:
    """Returns what was found as a table, then the sum and what is wrong."""
    rows = [_COLUMNS]
    for host in fleet.hosts:
        bound_us = host.clock.offset.bound_ns / 1e3
        rows.append(
            (
                host.name,
                str(host.facts.processors),
                str(host.loops),
                str(host.facts.descriptors),
                f"{2 * bound_us:,.0f} µs",
                f"± {bound_us:,.0f} µs",
                _rate(host.alone_qps),
                _rate(host.together_qps),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    if fleet.sum_qps is not None:
        lines += ["", f"{counted(len(fleet.hosts), 'generator')} at the same time: {_rate(fleet.sum_qps)}"]
    lines += [f"wrong: {one}" for one in fleet.wrong]
    return "\n".join(lines)


def _rate(qps: float | None) -> str:
    return "–" if qps is None else f"{qps:,.0f} queries/s"
