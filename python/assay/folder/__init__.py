"""What a results folder holds: its paths, and the types of its files. Written by `run`, read by `store`.

docs/reference/run-folder.md describes the same for people.
"""

from assay.folder.events import (
    Counts,
    Done,
    Doubt,
    EngineUse,
    ErrorEvent,
    Event,
    Hello,
    Interval,
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
    "Counts",
    "Done",
    "Doubt",
    "EngineUse",
    "ErrorEvent",
    "Event",
    "Failure",
    "Hello",
    "Interval",
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
