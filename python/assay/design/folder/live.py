"""Types of `live.jsonl`, the course of a study as it is carried out: one JSON line for each step.

The lab appends to it and never changes a line. Every lab that works on the results begins with a
`LabBegan`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from assay.base.appended import record_of, records_in
from assay.base.decoding import decoded
from assay.base.inner_path import InnerPath
from assay.design.folder.manifest import Doubted

FORMAT = 1

EndReason = Literal["complete", "failed-runs", "interrupted", "error"]

PAUSED = "paused"
"""The step of a lab that waits between two runs because it was asked to."""


class PlannedLine(msgspec.Struct, frozen=True, kw_only=True):
    """One run of the plan, in the order in which runs are carried out."""

    run: str
    treatment: str
    block: int
    loads: list[float]  # its load points, in their order


class LabBegan(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="begun"):
    """A lab begins, or continues, to carry out the study."""

    format: int = FORMAT
    at_wall_ns: int
    pid: int  # of the lab; with its start, the identity of the process
    start_ticks: int  # clock ticks since boot (/proc/PID/stat, field 22)
    assay: str
    study: str
    seed: int
    load_kind: str  # "threads", "rate" or "iodepth"
    loads: list[float]  # the ladder
    treatments: list[str]  # the first is the baseline
    rung_s: float  # planned seconds of one rung's warm-up and window together
    may_widen: bool  # whether warm-ups or rounds end by what is measured, so that runs may take longer
    done: list[str]  # runs that were finished before
    loading_s: float  # planned seconds of loading data
    run_s: float  # and of one run
    hosts: int = 1  # that carry blocks out at the same time
    plan: list[PlannedLine]


class TimeLeft(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds until the study ends. `low` and `high` are absent while `guess` is true: then it is the plan's
    estimate and not what runs took.
    """

    seconds: float
    low: float | None = None
    high: float | None = None
    guess: bool = False


class RunBegun(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="run"):
    """A run begins in its unfinished folder. `left` includes it."""

    at_wall_ns: int
    run: str
    number: int  # in the plan, from 1
    left: TimeLeft


class StepTaken(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="step"):
    """What the lab does from now on: "restoring the dataset", "threads 8" …"""

    at_wall_ns: int
    what: str


class Advanced(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="progress"):
    """How far a long step is, such as the load of a dataset."""

    at_wall_ns: int
    phase: str
    done: int
    total: int
    unit: str


class RunOver(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="over"):
    """A run has ended, and its folder has its final name."""

    at_wall_ns: int
    run: str
    headline: str
    failure: str | None = None
    doubts: list[Doubted] = []
    """The lab's own doubts about the run."""


class Remark(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="note"):
    """A message of the lab that needs a line of its own."""

    at_wall_ns: int
    text: str


class LabEnded(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="ended"):
    """The lab stops working on the study."""

    at_wall_ns: int
    why: EndReason
    message: str | None = None


LiveLine = LabBegan | RunBegun | StepTaken | Advanced | RunOver | Remark | LabEnded

_decoder: msgspec.json.Decoder[LiveLine] = msgspec.json.Decoder(LiveLine)
_encoder = msgspec.json.Encoder()


def encode_line(line: LiveLine) -> bytes:
    """Returns a line as a JSON object, its end included; `AppendedFile` adds its number and its checksum."""
    return _encoder.encode(line) + b"\n"


def decode_line(line: bytes) -> LiveLine | None:
    """Decodes one line; None where it is not what was written, was cut short by a kill, or is of a kind that
    a later assay writes.
    """
    record = record_of(line)
    try:
        return None if record is None else decoded(_decoder, record)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def read_live(path: InnerPath) -> Iterator[LiveLine]:
    """Yields the lines of a file; none where there is no file."""
    if not path.is_file():
        return
    for record in records_in(path.lines()):
        if (line := decode_line(record)) is not None:
            yield line
