"""Keeps what the generators of hosts reached together when a fleet was checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from assay.base.durable import write_whole
from assay.measurement.fleet.agents.facts import HostFacts
from assay.system.server import home

Ceilings = Mapping[str, list[float]]
"""By host and engine: event loops, and the queries/s that they reached beside those of other hosts."""


def keep_ceilings(found: Mapping[HostFacts, tuple[int, float]]) -> None:
    """Keeps the event loops and the queries/s of each host, beside those of other hosts."""
    kept = {**kept_ceilings()} | {_key(host): list(one) for host, one in found.items()}
    _path().parent.mkdir(parents=True, exist_ok=True)
    write_whole(_path(), json.dumps(kept, indent=1).encode())


def reached_together(loops: Mapping[HostFacts, int], kept: Ceilings) -> float | None:
    """Returns the queries/s that so many event loops of each host reach together, in proportion to those with
    which it was measured; None where a host was not, since it was started last and with this engine.
    """
    total = 0.0
    for host, own in loops.items():
        if (found := kept.get(_key(host))) is None:
            return None
        measured, qps = found
        total += qps * min(own / measured, 1.0)
    return total or None


def _key(host: HostFacts) -> str:
    return f"{host.machine} {host.engine_sha256}"


def _path() -> Path:
    return home() / "fleet" / "ceilings.json"


def kept_ceilings() -> Ceilings:
    """Returns what earlier checks on this machine have kept."""
    try:
        found: dict[str, list[float]] = json.loads(_path().read_bytes())
    except (OSError, ValueError):
        return {}
    return found
