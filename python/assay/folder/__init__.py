"""Paths and file types of a results folder, which `run` writes and `store` reads.

docs/reference/run-folder.md describes the same for people.
"""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.folder import live, others, viewers
    from assay.folder.checksums import (
        ChecksumError,
        WrittenFile,
        difference,
        length_of,
        verify_checksum,
        with_checksum,
        write_study_files,
        written_files,
    )
    from assay.folder.control import Control, Request, ask, asked_of
    from assay.folder.events import WHOLE, decode_event, read_events, succeeded
    from assay.folder.fleet import FleetRecord, GeneratorEntry, LostEntry
    from assay.folder.found import Figure, Found, Moment, Trace, add_found, read_found
    from assay.folder.looks import End, Look, Looks, change_looks, read_looks
    from assay.folder.losses import Loss, losses
    from assay.folder.manifest import (
        Count,
        Doubted,
        Failure,
        HostEntry,
        Imported,
        Manifest,
        RungEntry,
        SamplerEntry,
        Scalar,
        Source,
        StudyEntry,
        VolumeEntry,
    )
    from assay.folder.paths import ResultsFolder, RunFolder, RungFolder
    from assay.folder.printed import (
        Printed,
        PrintedBin,
        PrintedFigure,
        PrintedInterval,
        PrintedSeries,
        read_printed,
    )
    from assay.folder.reading import Damaged, again, damaged, read_entry, read_job, read_manifest, read_part
    from assay.folder.sample import Sample, read_samples
    from assay.folder.times import kind_times, label_times, response_times
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
        MachineResult,
        PhaseStart,
        Progress,
        RunResult,
        Spread,
        StorageResult,
        Verified,
    )
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "WHOLE",
    "ActionResult",
    "CheckOutcome",
    "ChecksumError",
    "Control",
    "Count",
    "Counts",
    "Damaged",
    "Direction",
    "DiskSide",
    "DiskUse",
    "Doubt",
    "Doubted",
    "End",
    "EngineUse",
    "ErrorEvent",
    "Event",
    "Failure",
    "Figure",
    "FleetRecord",
    "Found",
    "GeneratorEntry",
    "Hello",
    "HostEntry",
    "Imported",
    "Interval",
    "IoBytes",
    "JobResult",
    "KindTally",
    "LabelTimes",
    "Look",
    "Looks",
    "Loss",
    "LostEntry",
    "MachineResult",
    "Manifest",
    "Moment",
    "PhaseStart",
    "Printed",
    "PrintedBin",
    "PrintedFigure",
    "PrintedInterval",
    "PrintedSeries",
    "Progress",
    "Request",
    "ResultsFolder",
    "RunFolder",
    "RunResult",
    "RungEntry",
    "RungFolder",
    "Sample",
    "SamplerEntry",
    "Scalar",
    "Source",
    "Spread",
    "StorageResult",
    "StudyEntry",
    "Trace",
    "Verified",
    "VolumeEntry",
    "WrittenFile",
    "add_found",
    "again",
    "ask",
    "asked_of",
    "change_looks",
    "damaged",
    "decode_event",
    "difference",
    "kind_times",
    "label_times",
    "length_of",
    "live",
    "losses",
    "others",
    "read_entry",
    "read_events",
    "read_found",
    "read_job",
    "read_looks",
    "read_manifest",
    "read_part",
    "read_printed",
    "read_samples",
    "response_times",
    "succeeded",
    "verify_checksum",
    "viewers",
    "with_checksum",
    "write_study_files",
    "written_files",
]
