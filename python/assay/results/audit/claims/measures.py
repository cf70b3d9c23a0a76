"""Finds the printed metrics that a claim's measure, or its words, stand for, and their values in its unit."""

from __future__ import annotations

import re
from collections.abc import Callable

from assay.results.audit.metrics import BYTES_PER_S, Role, role_of, seconds
from assay.results.audit.model import Cell

RATES = ("tps", "qps", "iops", "bandwidth", "tpmc")
"""The kinds of metrics that words mean which name none."""
_NAMED = ("tps", "qps", "iops", "latency", "load", "tpmc")
_PARTIAL = re.compile("job|group|status")


def kinds_of(*phrases: str) -> tuple[str, ...] | None:
    """Returns the kinds of metrics that phrases name; None where they name none."""
    text = " ".join(phrases).lower()
    if "load_time" in text:
        return ("load_time",)
    named = [kind for kind in _NAMED if re.search(rf"(?<![a-z]){kind}", text)]
    if "throughput" in text:
        named += ["bandwidth", "iops"]
    return tuple(named) or None


def measure_of(*phrases: str) -> str:
    """Returns the name of what phrases are about, as claims have it."""
    kind = (kinds_of(*phrases) or RATES)[0]
    names = {"latency": "mean_ms" if "avg" in phrases[0] else "max_ms", "bandwidth": "mib_per_s"}
    return names.get(kind, kind)


def stands_for_kind(*phrases: str) -> Callable[[Cell, str], bool]:
    """Returns whether a figure is of a kind that phrases name: a mean of all operations, of latency the
    largest where the first phrase does not say `avg`.
    """
    kinds = kinds_of(*phrases) or RATES

    def stands(cell: Cell, measure: str) -> bool:
        if cell.metric in kinds:
            return True
        role = _whole(cell)
        if role is None or role.kind not in kinds:
            return False
        return role.stat == ("max" if role.kind == "latency" and "avg" not in phrases[0] else "mean")

    return stands


def stands_for_measure(cell: Cell, measure: str) -> bool:
    """Returns whether a figure is one of a measure of the language of claims, such as p95_ms."""
    if cell.metric == measure:
        return True
    role, meant = _whole(cell), role_of(measure)
    return role is not None and meant is not None and _same(role, meant)


def in_its_unit(cell: Cell) -> float:
    """Returns a figure in the unit of claims: times in milliseconds, bandwidths in MiB/s."""
    role = role_of(cell.metric, cell.unit)
    if role is not None and role.kind == "latency":
        return 1e3 * seconds(cell.value, cell.unit)
    if role is not None and role.kind == "bandwidth":
        return cell.value * BYTES_PER_S.get(cell.unit.strip(), 2.0**20) / 2.0**20
    return cell.value


def _whole(cell: Cell) -> Role | None:
    """Returns the role of a figure that is of all operations; None for a part of them, or of one job."""
    role = role_of(cell.metric, cell.unit)
    return None if role is None or _PARTIAL.search(cell.metric) or role.part not in ("", "total") else role


def _same(one: Role, other: Role) -> bool:
    return (one.kind, one.stat, one.quantile) == (other.kind, other.stat, other.quantile)
