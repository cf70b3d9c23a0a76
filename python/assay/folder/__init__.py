"""What a results folder holds: its paths, and the types of its files. Written by `run`, read by `store`.

docs/reference/run-folder.md describes the same for people.
"""

from assay.folder.events import (
    CheckOutcome,
    Counts,
    Done,
    Doubt,
    EngineUse,
    ErrorEvent,
    Event,
    Hello,
    Interval,
    Kind,
    LabelTimes,
    PhaseStart,
    Progress,
    RunResult,
    decode_event,
    read_events,
)
from assay.folder.manifest import Failure, Manifest, RungEntry, StudyEntry
from assay.folder.paths import ResultsFolder, RunFolder
from assay.folder.sample import Sample, read_samples

__all__ = [
    "CheckOutcome",
    "Counts",
    "Done",
    "Doubt",
    "EngineUse",
    "ErrorEvent",
    "Event",
    "Failure",
    "Hello",
    "Interval",
    "Kind",
    "LabelTimes",
    "Manifest",
    "PhaseStart",
    "Progress",
    "ResultsFolder",
    "RunFolder",
    "RunResult",
    "RungEntry",
    "Sample",
    "StudyEntry",
    "decode_event",
    "read_events",
    "read_samples",
]
