"""The set of samplers: one line a second and source, at its phase; a failing source affects no other."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.errors import ServerLost
from assay.base.inner_path import InnerPath
from assay.design.folder import Sample, read_samples
from assay.system.host import SamplerSet
from assay.system.host.sampler.set import APART_NS, PHASE_NS

SECOND_NS = 1_000_000_000


@dataclass
class Plan:
    """A source that does what its list says, reading by reading, and then goes on counting."""

    name: str
    troubles: list[Exception | float | None] = field(default_factory=list)
    readings: int = 0

    def read(self) -> dict[str, float]:
        self.readings += 1
        trouble = self.troubles[self.readings - 1] if self.readings <= len(self.troubles) else None
        if isinstance(trouble, Exception):
            raise trouble
        if trouble is not None:
            time.sleep(trouble)
        return {"readings_total": self.readings}


def test_readings_gaps_and_ends(tmp_path: Path) -> None:
    sources = [
        Plan("steady"),
        Plan("failing", [ValueError("a file changed its shape")]),
        Plan("slow", [1.3]),
        Plan("gone", [ServerLost("the server has gone")]),
    ]
    samplers = SamplerSet(sources, lambda name: tmp_path / "samples" / f"{name}.jsonl")
    samplers.start()
    while sources[0].readings < 4 or min(source.readings for source in sources[1:3]) < 3:
        time.sleep(0.05)
    samplers.stop()

    def lines(name: str) -> list[Sample]:
        return list(read_samples(InnerPath.of(tmp_path / "samples" / f"{name}.jsonl")))

    reports = {report.source: report for report in samplers.reports()}
    assert reports["steady"].readings == len(lines("steady")) >= 4 - reports["steady"].missed
    assert reports["steady"].error is None
    assert reports["steady"].mean_cpu_us > 0
    for at, source in enumerate(sources[:3]):
        for sample in lines(source.name):
            began_ns = sample.wall_ns - int(sample.cost_us * 500)
            due_ns = began_ns - int(sample.late_us * 1000)
            offset = (due_ns - PHASE_NS - at * APART_NS) % SECOND_NS
            assert min(offset, SECOND_NS - offset) < 1_000_000
            assert sample.cost_us >= 0
            assert sample.late_us >= 0

    # A reading that fails is a gap, and told.
    assert reports["failing"].missed >= 1
    assert reports["failing"].error == "ValueError: a file changed its shape"
    assert lines("failing")[0].values["readings_total"] == 2

    # One that takes longer than a second makes a gap behind it, never a late line of the next second.
    slow = lines("slow")
    assert reports["slow"].missed >= 1
    assert slow[1].wall_ns - slow[0].wall_ns > SECOND_NS

    # A server that has gone ends its source without a word.
    assert lines("gone") == []
    assert sources[3].readings == 1
    assert reports["gone"].error is None


def test_lines_are_added_to_a_file_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    for _ in range(2):
        source = Plan("x")
        samplers = SamplerSet([source], lambda name: path)
        samplers.start()
        while source.readings < 1:
            time.sleep(0.02)
        samplers.stop()
    # Where the test machine stalls, a second reading comes before the stop.
    assert [sample.values["readings_total"] for sample in read_samples(InnerPath.of(path))].count(1) == 2
