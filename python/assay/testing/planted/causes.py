"""Plants results in which one resource limits throughput, and results in which it does not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from assay.design.study import Factor, Scalar, Term
from assay.design.study.claims import CauseClaim
from assay.testing.planted.ground import Ground, Leaf
from assay.testing.planted.wants import Between, Times, Want

_CLEAR = 1.08


@dataclass(frozen=True)
class Resource:
    """A resource: its measure, the figure from which it is used up, and the factor that gives a server more
    of it.
    """

    measure: str
    used_up: float
    factor: str
    levels: tuple[Scalar, ...]
    per_connection: bool = False  # whether the figure is one of each connection


RESOURCES: Mapping[str, Resource] = {
    "cpu": Resource("cpu_busy_pct", 90.0, "server.cpus", ("0", "0-1")),
    "disk": Resource("disk_util_pct", 90.0, "volume.devices", (1, 2)),
    "lock": Resource("status.Innodb_row_lock_time per s", 500.0, "workload.tables", (1, 8), True),
    "log": Resource(
        "status.Innodb_log_waits per transaction",
        0.01,
        "server.variables.innodb_log_buffer_size",
        ("1M", "16M"),
    ),
}


def more_of(resource: str) -> Factor:
    """Returns the factor with which a study gives more of a resource."""
    found = RESOURCES[resource]
    return Factor(name=found.factor, levels=found.levels)


def of_cause(part: CauseClaim, ground: Ground, true: bool) -> Iterator[Want]:
    """Yields the wants of a cause: the resource is used up, no other is, and more of it gives more
    throughput; or it is not used up.
    """
    holds = (part.relation == "=") == true
    selected = Term("qps", part.selector)
    for (cell,) in ground.rows([selected]):
        spot = cell[selected].spot
        for name, one in RESOURCES.items():
            found = Times((Leaf(Term(one.measure), replace(spot, measure=one.measure)),))
            edge = one.used_up * (spot.load if one.per_connection else 1.0)
            if name == part.resource and holds:
                yield Between(found, edge * _CLEAR, edge * _CLEAR)
            elif name == part.resource or holds:
                yield Between(found, 0.0, edge / _CLEAR**2)
    if not holds:
        return
    resource = RESOURCES[part.resource]
    for less, more in pairwise(
        sorted(
            (dict(one) for one in ground.treatments),
            key=lambda one: (
                [level for name, level in one.items() if name != resource.factor],
                [str(level) for level in resource.levels].index(one[resource.factor]),
            ),
        )
    ):
        if {**less, resource.factor: ""} == {**more, resource.factor: ""}:
            for load in ground.loads:
                few, many = (Times((ground.leaf(selected, one, load),)) for one in (less, more))
                yield Between(many / few, (1 + ground.margin) * _CLEAR, math.inf)
