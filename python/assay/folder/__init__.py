"""What a results folder holds: its paths, and the types of its files. Written by `run`, read by `store`.

docs/reference/run-folder.md describes the same for people.
"""

from assay.folder.events import (
    CheckOutcome,
    Counts,
    Direction,
    DiskJobResult,
    DiskSide,
    DiskUse,
    Done,
    Doubt,
    EngineUse,
    ErrorEvent,
    Event,
    Hello,
    Interval,
    IoBytes,
    Kind,
    LabelTimes,
    PhaseStart,
    Progress,
    RunResult,
    Spread,
    StorageResult,
    Verified,
    decode_event,
    read_events,
)
from assay.folder.manifest import Failure, Manifest, RungEntry, StudyEntry
from assay.folder.paths import ResultsFolder, RunFolder
from assay.folder.sample import Sample, read_samples

__all__ = [
    "CheckOutcome",
    "Counts",
    "Direction",
    "DiskJobResult",
    "DiskSide",
    "DiskUse",
    "Done",
    "Doubt",
    "EngineUse",
    "ErrorEvent",
    "Event",
    "Failure",
    "Hello",
    "Interval",
    "IoBytes",
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
    "Spread",
    "StorageResult",
    "StudyEntry",
    "Verified",
    "decode_event",
    "read_events",
    "read_samples",
]
