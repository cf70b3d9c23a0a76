"""Prepares a disk for a rung: overwrites its files, then runs rounds of the load until it is steady."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import msgspec

from assay.base import clock
from assay.base.format.job import DiskJob, Phases
from assay.design.folder import Doubted, Figure, FinderRecord, RungFolder, Scalar, Trace, add_found
from assay.design.storage import STEADY_RANGE, STEADY_SLOPE, Steady, steady_state
from assay.system.engine import Interrupts, per_second, run_job

USE = "steady-state"


@dataclass
class Rounds:
    """Runs rounds of one rung's load: its `job` for `round_s` seconds each, with seeds of their own."""

    job: DiskJob
    most: int
    round_s: float
    interrupts: Interrupts
    step: Callable[[str], None]
    values: list[float] = field(default_factory=list)
    at_wall_ns: list[int] = field(default_factory=list)

    def carry_out(self) -> Steady:
        """Runs rounds until the steady-state rule holds, at most `most`."""
        found = steady_state([])
        for iops in self._rounds():
            self.values.append(iops)
            self.at_wall_ns.append(clock.wall_ns())
            found = steady_state(self.values)
            if found.reached:
                break
        return found

    def _rounds(self) -> Iterator[float]:
        for number in range(1, self.most + 1):
            self.step(f"round {number} of at most {self.most}")
            phases = Phases(measure_ms=round(self.round_s * 1000))
            job = msgspec.structs.replace(self.job, phases=phases, seed=self.job.seed + 1000 * number)
            outcome = run_job(job, interrupts=self.interrupts)
            self.interrupts.raise_if_requested()
            result = outcome.require().result
            assert result is not None
            yield per_second(result.transactions, result.elapsed_s)

    def record(self, rung: RungFolder, found: Steady) -> None:
        """Writes the rounds into the rung's folder, where the store reads them."""
        values = {
            "steady_state_reached": ("", float(found.reached)),
            "rounds_to_steady": ("", float(found.rounds)),
            "steady_range_pct": ("%", 100 * found.range),
            "steady_slope_pct": ("%", 100 * abs(found.slope)),
        }
        figures = [Figure(name=name, unit=unit, value=value) for name, (unit, value) in values.items()]
        trace = Trace(name="rounds", unit="1/s", at_wall_ns=self.at_wall_ns, values=self.values)
        options: dict[str, Scalar] = {"rounds": self.most, "round_s": self.round_s}
        add_found(rung, FinderRecord(by=USE, options=options, figures=figures, traces=[trace]))


def doubt(found: Steady, rung: str) -> Doubted | None:
    """Returns a doubt where the disk was not in its steady state when the rung began."""
    if found.reached:
        return None
    message = (
        f"no steady state after {found.rounds} rounds: the last ones range over {found.range:.1%} of their"
        f" mean (at most {STEADY_RANGE:.0%}) and move by {found.slope:+.1%} (at most {STEADY_SLOPE:.0%})"
    )
    return Doubted(kind="no-steady-state", message=message, value=found.range, limit=STEADY_RANGE, rung=rung)
