"""Types of `study.json` and `run.json`, the manifests of a results folder and a run folder."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from assay.design.folder.checksums import UNCHECKED_FORMAT, WrittenFile

Instant = Annotated[int, Meta(ge=0, le=1 << 62)]
"""Nanoseconds since 1970, until 2116."""
Count = Annotated[int, Meta(ge=0, le=1 << 53)]
Number = Annotated[int, Meta(ge=1, le=1 << 31)]
Seed = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Name = Annotated[str, Meta(min_length=1, max_length=255, pattern=r"^(?!\.{1,2}$)[^/\x00-\x1f]+$")]
"""The name of a file or a folder, without a way out of it."""
RungPlace = Annotated[str, Meta(max_length=255, pattern=r"^rungs/(?!\.{1,2}$)[^/\x00-\x1f]+$")]
SourcePlace = Annotated[str, Meta(max_length=1024, pattern=r"^sources/(?!\.{1,2}$)[^/\x00-\x1f]+$")]
LoadValue = Annotated[float, Meta(ge=0, le=1e15)]

Scalar = str | int | float | bool


class Naming(msgspec.Struct, frozen=True, kw_only=True):
    """What a study named when so many blocks had been measured: its claims, and what [verdict] said."""

    blocks: Count
    claims: list[str]
    terms: dict[str, str | float]


class StudyEntry(msgspec.Struct, frozen=True, kw_only=True):
    """`study.json`: the study whose results the folder holds. It is written before the first run; the margin
    that a study takes from equal copies is added later, and `files` follow the study file.
    """

    format: int = UNCHECKED_FORMAT
    name: Name
    hash: str  # sha256 of the study's meaning: a comment or a title does not change it
    seed: Seed  # orders the runs
    ordering: int = 1  # the rules by which it orders them (`assay.design.plan`); absent: the first ones
    data_loads: Number | None = None  # how often each dataset is loaded; absent: as the study says, or once
    created_wall_ns: Instant
    assay: str  # version
    copies_margin: float | None = None  # the margin, where the study takes that of equal copies
    named: list[Naming] = []  # first before the first block, then at each change; none: an older assay
    files: dict[str, WrittenFile] = {}  # study.toml, plan.json and files of the workload, as they were left


class RungEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One rung of a run; `dir` is relative to the run folder and holds job.json and events.jsonl."""

    dir: RungPlace
    kind: Literal["threads", "rate", "iodepth"]
    load: LoadValue  # connections of a closed loop, arrivals per second of an open one
    status: Literal["complete", "failed"]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """The reason why a run failed."""

    kind: str  # name of the error class
    message: str
    hint: str | None = None
    detail: str | None = None  # the server's last log lines


class Doubted(msgspec.Struct, frozen=True, kw_only=True):
    """A doubt that the lab raised while it carried out the run; the engine's doubts are in events.jsonl."""

    kind: str
    message: str
    value: float | None = None
    limit: float | None = None
    rung: str | None = None  # RungEntry.dir


class HostEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A host setting that the study changed for this run and restored after it."""

    knob: str  # as the study writes it after `host.`
    target: str  # a disk, a mount, "this machine"
    was: str  # before the run
    now: str  # read back after it was set


class VolumeEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The volume of loop devices that the lab made for this run's data and removed after it."""

    file_system: str
    mount: str  # options in force, those that the study did not name too
    raid: str  # "none", "raid0" …
    devices: Count
    device_bytes: Count
    unallocated_pct: float  # of each device, left to none
    page_cache: bool  # whether the machine's memory stands before the devices' files
    usable_bytes: Count  # for files, when it was empty


class SamplerEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The readings of one sampler: how many succeeded and failed, and the mean cost of one."""

    readings: Count
    missed: Count
    cost_us: float  # from beginning to end
    cpu_us: float  # of it on a processor


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was imported: the name it was given by, and its copy in the run folder."""

    name: str
    copy: SourcePlace  # relative to the run folder: "sources/oltp-8.txt"
    sha256: str
    bytes: Count


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """The origin of a run that Assay did not carry out."""

    tool: str  # "sysbench"
    version: str  # "1.0.20", as the tool printed it
    sources: list[Source]
    unknown: list[str]  # what no file says: "server", "host", "start" …
    settings: dict[str, str] = {}  # what the tool printed of its own settings
    part: int = 1  # of several results in one file, from 1


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`run.json`, written last, by rename: a run folder without it is unfinished, and the run is done
    again.
    """

    format: int = UNCHECKED_FORMAT
    run_id: Name  # "b01-02-innodb_purge_threads=4": block, position, treatment
    study: str
    study_hash: str
    treatment: str  # "innodb_purge_threads=4"; "default" when the study has no factor
    levels: dict[str, Scalar]  # factor name as the study writes it -> level
    block: Number  # from 1
    position: Number  # within the block, from 1
    seed: Seed  # of the operation stream: one a block, the same for all its treatments; imported: 0
    status: Literal["complete", "failed"]
    started_wall_ns: Instant  # of an imported run 0: no file says it
    ended_wall_ns: Instant
    variables: dict[str, Scalar]  # server variables in force as the study set them
    workload: str
    workload_options: dict[str, Scalar]
    workload_files: dict[str, str] = {}  # job files and scripts, by their names -> sha256
    rungs: list[RungEntry]
    dataset: dict[str, Scalar]  # id, data, bytes, seconds to restore, restore ("reflink" or "copy")
    server: dict[str, Scalar]  # flavour, version, binary, binary_sha256
    tools: dict[str, str]  # assay, engine, python
    failure: Failure | None = None
    doubts: list[Doubted] = []
    host: list[HostEntry] = []
    volume: VolumeEntry | None = None  # none: the data lay on what was there
    samplers: dict[str, SamplerEntry] = {}  # by source
    fleet_host: str | None = None  # the host of a fleet that carried the block out; None: the lab's machine
    rank: Count | None = None  # one more than the highest of the runs that had ended: 0, 1 …
    load_hosts: list[str] = []  # hosts of a fleet that loaded it over the network; none: its own host did
    imported: Imported | None = None  # None: Assay carried the run out
    files: dict[str, WrittenFile | int] = {}  # every other file when the run was over; of format 1: its bytes
