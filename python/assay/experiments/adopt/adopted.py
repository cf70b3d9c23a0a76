"""The results of one run of another tool, as its reader found them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.design.folder import Printed
from assay.design.study import IMPORTED, Kind
from assay.design.study.claims import LoadKind


@dataclass(frozen=True)
class LoadPoint:
    """The load that a tool printed: 8 threads, 100 transactions per second, an I/O depth of 32."""

    kind: LoadKind
    value: float


@dataclass(frozen=True)
class Adopted:
    """One run of another tool.

    `kind` is what was under load; `workload` names the kind of result: "sysbench", "sysbench-fileio".
    `load` is None where the tool does not print it. `settings` are the tool's own, as printed. `unknown`
    lists what it does not print and a run of Assay would have.
    """

    tool: str
    version: str
    kind: Kind
    workload: str
    printed: Printed
    load: LoadPoint | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    @property
    def use(self) -> str:
        """The workload as a study names it: `imported:sysbench`."""
        return f"{IMPORTED[self.kind]}{self.workload}"


UNKNOWN = ("server", "variables", "dataset", "host", "start", "warm-up", "other-load")
"""What no load generator prints: the keys of the phrases under [unknown] in the report's words."""
