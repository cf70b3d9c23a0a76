"""What a results folder holds: its paths, and the types of its files. Written by `run`, read by `store`.

docs/reference/run-folder.md describes the same for people.
"""

from assay.folder.events import WHOLE, decode_event, read_events, succeeded
from assay.folder.losses import Loss, losses, written_files
from assay.folder.manifest import Failure, Manifest, RungEntry, StudyEntry
from assay.folder.paths import ResultsFolder, RunFolder, RungFolder
from assay.folder.reading import Damaged, damaged, read_entry, read_job, read_manifest, read_part
from assay.folder.sample import Sample, read_samples
from assay.format.event import (
    ActionResult,
    CheckOutcome,
    Counts,
    Direction,
    DiskSide,
    DiskUse,
    Doubt,
    EngineUse,
    ErrorEvent,
    Event,
    Hello,
    Interval,
    IoBytes,
    JobResult,
    KindTally,
    LabelTimes,
    PhaseStart,
    Progress,
    RunResult,
    Spread,
    StorageResult,
    Verified,
)

__all__ = [
    "WHOLE",
    "ActionResult",
    "CheckOutcome",
    "Counts",
    "Damaged",
    "Direction",
    "DiskSide",
    "DiskUse",
    "Doubt",
    "EngineUse",
    "ErrorEvent",
    "Event",
    "Failure",
    "Hello",
    "Interval",
    "IoBytes",
    "JobResult",
    "KindTally",
    "LabelTimes",
    "Loss",
    "Manifest",
    "PhaseStart",
    "Progress",
    "ResultsFolder",
    "RunFolder",
    "RunResult",
    "RungEntry",
    "RungFolder",
    "Sample",
    "Spread",
    "StorageResult",
    "StudyEntry",
    "Verified",
    "damaged",
    "decode_event",
    "losses",
    "read_entry",
    "read_events",
    "read_job",
    "read_manifest",
    "read_part",
    "read_samples",
    "succeeded",
    "written_files",
]
