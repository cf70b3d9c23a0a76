"""The state of a study as its course tells it: runs that are over, what is done now, the time left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from assay.design.folder.live import (
    PAUSED,
    Advanced,
    LabBegan,
    LabEnded,
    LiveLine,
    Remark,
    RunBegun,
    RunOver,
    StepTaken,
    TimeLeft,
)
from assay.reporting.live.time_left import time_left
from assay.system.server.process import ProcessId

RunState = Literal["ahead", "under way", "done", "failed", "lost"]


@dataclass
class CourseRun:
    """One run of the plan. `lost`: its lab ended while it was under way, and it will be done again."""

    run: str
    treatment: str
    block: int
    loads: tuple[float, ...] = ()  # in the order in which they are carried out
    state: RunState = "ahead"
    began_ns: int = 0
    ended_ns: int = 0
    headline: str = ""
    failure: str | None = None


@dataclass(frozen=True)
class LabMessage:
    """A message of the lab, and when it came."""

    at_wall_ns: int
    text: str


@dataclass
class Course:
    """Everything that `live.jsonl` tells, taken in line by line."""

    begun: LabBegan | None = None
    ended: LabEnded | None = None
    runs: dict[str, CourseRun] = field(default_factory=dict)
    current: str = ""
    number: int = 0  # of the current run in the plan, from 1
    step: str = ""
    step_since_ns: int = 0
    steps: list[str] = field(default_factory=list)  # of the current run, in order
    steps_ns: list[int] = field(default_factory=list)  # when each of them began
    advanced: Advanced | None = None  # of the current step
    said: list[LabMessage] = field(default_factory=list)
    last_ns: int = 0  # when the latest line was written
    took_s: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, lines: Iterable[LiveLine]) -> Course:
        """Returns the state after these lines."""
        course = cls()
        for line in lines:
            course.take(line)
        return course

    def take(self, line: LiveLine) -> None:
        """Takes in the next line."""
        self.last_ns = max(self.last_ns, line.at_wall_ns)
        match line:
            case LabBegan():
                self._begin(line)
            case RunBegun():
                self.current, self.number, self.advanced = line.run, line.number, None
                self.steps, self.steps_ns = [], []
                run = self.runs.get(line.run)
                if run is not None:
                    run.state, run.began_ns, run.failure = "under way", line.at_wall_ns, None
            case StepTaken():
                self.step, self.step_since_ns, self.advanced = line.what, line.at_wall_ns, None
                self.steps.append(line.what)
                self.steps_ns.append(line.at_wall_ns)
            case Advanced():
                self.advanced = line
            case RunOver():
                self._over(line)
            case Remark():
                self.said.append(LabMessage(line.at_wall_ns, line.text))
            case LabEnded():
                self._end(line)

    @property
    def is_paused(self) -> bool:
        """Whether the lab waits between two runs because it was asked to."""
        return self.ended is None and self.step == PAUSED

    @property
    def blocks(self) -> int:
        """Number of planned blocks."""
        return max((run.block for run in self.runs.values()), default=0)

    @property
    def blocks_done(self) -> int:
        """Number of complete blocks, counted from the first."""
        missing = (run.block for run in self.runs.values() if run.state != "done")
        return min(missing, default=self.blocks + 1) - 1

    def counted(self, state: RunState) -> int:
        """Returns how many runs are in this state."""
        return sum(run.state == state for run in self.runs.values())

    def by_block(self) -> list[tuple[int, list[CourseRun]]]:
        """Returns the runs of each block, in the order of the plan."""
        found: dict[int, list[CourseRun]] = defaultdict(list)
        for run in self.runs.values():
            found[run.block].append(run)
        return sorted(found.items())

    def lab_is_alive(self) -> bool:
        """Returns whether the process that carries the study out is there."""
        begun = self.begun
        return begun is not None and self.ended is None and ProcessId(begun.pid, begun.start_ticks).alive()

    def left(self, now_ns: int) -> TimeLeft | None:
        """Returns how long the study still takes; None where it has ended. `now_ns` is on the clock of the
        lines.
        """
        begun = self.begun
        if begun is None or self.ended is not None:
            return None
        under_way = [run for run in self.runs.values() if run.state == "under way"]
        ahead = [*under_way, *(run for run in self.runs.values() if run.state == "ahead")]
        since_ns = under_way[0].began_ns if under_way else begun.at_wall_ns
        elapsed_s = max(now_ns - since_ns, 0) / 1e9
        is_loading = not under_way and not self.counted("done") and not self.counted("failed")
        return time_left(
            [run.treatment for run in ahead],
            self.took_s,
            planned_s=begun.run_s,
            elapsed_s=elapsed_s if under_way else 0.0,
            loading_s=max(begun.loading_s - elapsed_s, 0.0) if is_loading else 0.0,
            failed=self.counted("failed"),
            may_widen=begun.may_widen,
            hosts=begun.hosts,
        )

    def _begin(self, line: LabBegan) -> None:
        earlier = self.runs
        over = set(line.done)
        self.begun, self.ended, self.current, self.step = line, None, "", ""
        self.steps, self.steps_ns = [], []
        self.advanced = None
        self.runs = {}
        for planned in line.plan:
            run = CourseRun(planned.run, planned.treatment, planned.block, tuple(planned.loads))
            known = earlier.get(planned.run)
            if planned.run in over:
                run = known or run
                run.state = "failed" if run.state == "failed" else "done"
            self.runs[planned.run] = run

    def _over(self, line: RunOver) -> None:
        run = self.runs.get(line.run)
        if run is None:
            return
        run.state = "done" if line.failure is None else "failed"
        run.ended_ns, run.headline, run.failure = line.at_wall_ns, line.headline, line.failure
        if line.failure is None and run.began_ns:
            self.took_s[run.treatment].append((run.ended_ns - run.began_ns) / 1e9)

    def _end(self, line: LabEnded) -> None:
        self.ended = line
        for run in self.runs.values():
            if run.state == "under way":
                run.state = "lost"
