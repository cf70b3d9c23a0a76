"""Turns a job file into jobs for the engine, one for each stage between two `stonewall`s."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from assay.base.errors import InputError
from assay.base.format.job import (
    Access,
    Arrivals,
    Batch,
    ConstantArrivals,
    DiskJob,
    Distribution,
    FixedWarmup,
    Io,
    NoneWarmup,
    OnceDistribution,
    Order,
    Pause,
    Phases,
    PoissonArrivals,
    StorageJob,
    SyncEach,
    SyncKind,
    UniformDistribution,
    Verify,
)
from assay.base.wording import counted
from assay.design.storage.block_sizes import mean, smallest
from assay.design.storage.options import ENGINES, READ_SHARES, OptionFault, read_options, refuse, said_of
from assay.design.storage.sections import Section, read_sections
from assay.design.storage.sizes import BLOCK

INTERVAL_MS = 500
"""Milliseconds of an interval of the time line: fio samples bandwidth as often."""
_SEED = 1
_SYNCS: tuple[SyncKind, ...] = ("fdatasync", "fsync")


@dataclass(frozen=True)
class ReportLine:
    """One line of the report: the workers of a group, or one worker."""

    section: Section
    options: dict[str, Any]
    number: int  # fio's number of the group


@dataclass(frozen=True)
class Stage:
    """Jobs of a job file that run at the same time.

    `without_effect` has the options of theirs that change no load here, each with the reason.
    """

    job: DiskJob
    lines: tuple[ReportLine, ...]
    without_effect: Mapping[str, str] = field(default_factory=dict)


@dataclass
class _Open:
    """A stage to which jobs are still being added."""

    parts: list[tuple[Section, dict[str, Any], int]] = field(default_factory=list)


def read_stages(path: Path, ledgers: Path | None = None) -> list[Stage]:
    """Returns the stages of a job file. Raises InputError, which names file, line and option, before anything
    runs.

    `ledgers` is the directory for the ledgers of all jobs that verify; without it, jobs that ask for a ledger
    have it in the current directory.
    """
    return stages_of(read_sections(path), ledgers)


def stages_of(sections: Sequence[Section], ledgers: Path | None = None) -> list[Stage]:
    """Returns the stages of sections that have been read."""
    faults: list[OptionFault] = []
    read = [(section, read_options(section, faults)) for section in sections]
    refuse(faults, "the job file" if not sections else sections[0].place.rpartition(":")[0])
    stages: list[_Open] = [_Open()]
    group = 0
    for section, options in read:
        stonewall = options.get("stonewall", False)
        if stages[-1].parts:
            group += bool(stonewall or options.get("new_group", False))
            if stonewall:
                stages.append(_Open())
        stages[-1].parts.append((section, options, group))
    done = [_stage(stage.parts, ledgers) for stage in stages]
    _own_ledgers(done)
    return _own_files(done)


def _own_ledgers(stages: list[Stage]) -> None:
    """Raises InputError when two jobs write the same ledger, whose entries could not be told apart."""
    names: set[str | None] = set()
    for stage in stages:
        for job in stage.job.storage:
            if job.ledger is not None and job.ledger in names:
                raise InputError(
                    f"[{job.name}]: two jobs cannot share the ledger {job.ledger}",
                    hint="give the sections names of their own",
                )
            names |= {job.ledger} - {None}


def _own_files(stages: list[Stage]) -> list[Stage]:
    """Lets a later stage fill a file that an earlier stage creates without filling it."""
    made: set[str] = set()
    filling = []
    for stage in stages:
        storage = [
            replace(job, fill=True) if job.access.read_share and made.issuperset(job.files) else job
            for job in stage.job.storage
        ]
        filling.append(Stage(replace(stage.job, storage=storage), stage.lines, stage.without_effect))
        for job in storage:
            made.update(name for name in job.files if not Path(name).exists())
    return filling


def _stage(parts: list[tuple[Section, dict[str, Any], int]], ledgers: Path | None) -> Stage:
    ramps = {options.get("ramp_time", 0.0) for _, options, _ in parts}
    if len(ramps) > 1:
        raise InputError(
            f"{parts[1][0].place}: jobs that run together must have the same ramp_time",
            hint="put it into [global], or a stonewall between them",
        )
    jobs: list[StorageJob] = []
    lines: list[ReportLine] = []
    for section, options, group in parts:
        together = options.get("group_reporting", False)
        for clone in range(_at_least(section, options, "numjobs", 1, 1)):
            job = _job(section, options, clone, group if together else None)
            jobs.append(replace(job, ledger=_ledger(section, options, clone, ledgers)))
            if not (together and any(line.number == group and _grouped(line) for line in lines)):
                lines.append(ReportLine(section, options, group))
    ramp = ramps.pop()
    longest = [options.get("runtime", 0.0) for _, options, _ in parts]
    phases = Phases(
        measure_ms=round(max(longest) * 1000) if all(longest) else 0,
        interval_ms=INTERVAL_MS,
        warmup=FixedWarmup(duration_ms=round(ramp * 1000)) if ramp else NoneWarmup(),
    )
    done = DiskJob(version=1, action="storage", seed=_seed(parts), storage=jobs, phases=phases)
    said = {name: why for section, _, _ in parts for name, why in said_of(section).items()}
    return Stage(done, tuple(lines), said)


def _grouped(line: ReportLine) -> bool:
    return bool(line.options.get("group_reporting", False))


def _seed(parts: list[tuple[Section, dict[str, Any], int]]) -> int:
    """Returns the one seed of jobs that run together; each job draws its own numbers from it."""
    for name, default in (("randrepeat", True), ("randseed", _SEED)):
        if len({options.get(name, default) for _, options, _ in parts}) > 1:
            raise InputError(
                f"{parts[1][0].place}: jobs that run together must have the same {name}",
                hint="put it into [global], or a stonewall between them",
            )
    options = parts[0][1]
    if not options.get("randrepeat", True):
        return secrets.randbits(48)
    return int(options.get("randseed", _SEED))


def _job(section: Section, options: dict[str, Any], clone: int, group: int | None) -> StorageJob:
    order, share = READ_SHARES[options.get("rw", "read")]
    files = _files(section, options, clone)
    total = options.get("size", options.get("filesize", 0) * len(files))
    offset = options.get("offset", 0)
    file_bytes = options.get("filesize", total // len(files))
    if file_bytes and "size" in options:
        # As in fio, `size` is what is touched, and it begins at the offset.
        file_bytes = total // len(files) + offset
    if not total and not all(Path(name).exists() for name in files):
        raise InputError(
            f"{section.place}: job {section.title} has no size", hint="size=1g, or a filename that exists"
        )
    kinds: list[SyncKind] = [kind for kind in _SYNCS if options.get(kind)]
    if len(kinds) > 1:
        raise InputError(f"{section.place}: fsync and fdatasync cannot be combined", hint="keep one of them")
    repeat = options.get("time_based", False)
    if repeat and not options.get("runtime"):
        raise InputError(f"{section.place}: time_based needs a runtime", hint="runtime=30")
    pause = options.get("thinktime")
    access, rate = _limited(section, options, _access(section, options, order, share, len(files)))
    _check_room(section, options, total, file_bytes - offset, smallest(access))
    return StorageJob(
        name=section.title,
        files=files,
        file_bytes=file_bytes,
        offset=offset,
        fill=options.get("overwrite", False),
        remove=options.get("unlink", False),
        invalidate=options.get("invalidate", True),
        access=access,
        io=_io(options),
        depth=_at_least(section, options, "iodepth", 1, 1),
        batch=Batch(
            submit=options.get("iodepth_batch", 0),
            complete_min=options.get("iodepth_batch_complete_min", 0),
            complete_max=options.get("iodepth_batch_complete_max", 0),
            low=options.get("iodepth_low", 0),
        ),
        end_sync=options.get("end_fsync", False),
        limit_bytes=_limit(section, options, total),
        limit_operations=options.get("number_ios", 0),
        limit_ms=round(options.get("runtime", 0.0) * 1000),
        repeat=repeat,
        verify=_verify(section, options),
        group=group,
        sync=SyncEach(writes=_at_least(section, options, kinds[0], 1, 1), kind=kinds[0]) if kinds else None,
        think=Pause(us=pause, operations=options.get("thinktime_blocks", 1)) if pause else None,
        arrivals=None if rate is None else _arrivals(options, rate),
    )


def _check_room(section: Section, options: dict[str, Any], total: int, room: int, needed: int) -> None:
    """Raises InputError where a file of the job has no room for its smallest operation."""
    if total and room < needed and options.get("ioengine") != "null":
        raise InputError(
            f"{section.place}: an operation of job {section.title} needs {counted(needed, 'byte')}, but each"
            f" of its files has {counted(max(room, 0), 'byte')} from the offset on",
            hint="give a larger size, fewer files or smaller blocks",
        )


def _limit(section: Section, options: dict[str, Any], total: int) -> int:
    loops = _at_least(section, options, "loops", 1, 1)
    limit = int(options.get("io_size", total))
    if loops > 1 and not limit:
        raise InputError(f"{section.place}: loops={loops} needs a size", hint="size=1g")
    return limit * loops


def _at_least(section: Section, options: dict[str, Any], name: str, least: int, default: int) -> int:
    value = int(options.get(name, default))
    if value < least:
        raise InputError(f"{section.place}: {name} is {value}, but must be at least {least}")
    return value


def _arrivals(options: dict[str, Any], rate: float) -> Arrivals:
    if options.get("rate_process", "linear") == "poisson":
        return PoissonArrivals(rate=rate)
    return ConstantArrivals(rate=rate)


def _files(section: Section, options: dict[str, Any], clone: int) -> list[str]:
    folder = Path(options.get("directory", ""))
    if "filename" in options:
        names = options["filename"]
    else:
        count = _at_least(section, options, "nrfiles", 1, 1)
        names = [f"{section.name}.{clone}.{number}".replace("/", "-") for number in range(count)]
    return [str((folder / name).absolute()) for name in names]


def _access(
    section: Section, options: dict[str, Any], order: Order, share: float | None, files: int
) -> Access:
    if share is None:
        by = _last(options, "rwmixread", "rwmixwrite")
        mix = 50 if by is None else 100 - options[by] if by == "rwmixwrite" else options[by]
        if not 0 <= mix <= 100:
            raise InputError(f"{section.place}: rwmixread is {mix}, but must be from 0 to 100")
        share = mix / 100
    if order == "sequential" and files > 1 and options.get("file_service_type", "roundrobin") == "roundrobin":
        order = "sequential_in_turn"
    by = "bssplit" if "bssplit" in options else _last(options, "bs", "bsrange")
    sizes = (BLOCK, BLOCK) if by is None else options[by]
    distribution: Distribution = options.get("random_distribution", OnceDistribution())
    if options.get("norandommap") and isinstance(distribution, OnceDistribution):
        distribution = UniformDistribution()
    return Access(
        order=order,
        read_share=share,
        distribution=distribution,
        read_blocks=sizes[0],
        write_blocks=sizes[1],
    )


def _last(options: dict[str, Any], *names: str) -> str | None:
    """Returns which of several options that set one thing stands last, and so counts; None for none."""
    return next((name for name in reversed(options) if name in names), None)


def _io(options: dict[str, Any]) -> Io:
    by = _last(options, "direct", "buffered")
    return Io(
        kind=ENGINES[options.get("ioengine", "psync")],
        direct=options["direct"] if by == "direct" else by is not None and not options["buffered"],
        open_sync=options.get("sync", "none"),
        fixed_buffers=options.get("fixedbufs", False),
        registered_files=options.get("registerfiles", False),
        polled=options.get("hipri", False),
    )


def _verify(section: Section, options: dict[str, Any]) -> Verify:
    verified = options.get("verify", "0") != "0"
    if verified and "filename" in options and options.get("numjobs", 1) > 1:
        raise InputError(
            f"{section.place}: verify with numjobs cannot share a filename: workers would overwrite each"
            " other",
            hint="leave filename out: each worker then has its own files",
        )
    if options.get("verify_only"):
        if not verified:
            raise InputError(
                f"{section.place}: verify_only needs verify",
                hint="verify=crc32c, as in the job that wrote the blocks",
            )
        return "only"
    if not verified:
        return "off"
    return "after" if options.get("do_verify", True) else "stamp"


def _ledger(section: Section, options: dict[str, Any], clone: int, folder: Path | None) -> str | None:
    """Returns the path of the ledger in which a job notes acknowledged and durable writes (fio's verification
    state).
    """
    save, load = options.get("verify_state_save", False), options.get("verify_state_load", False)
    kind = _verify(section, options)
    if kind == "off" and (save or load):
        raise InputError(
            f"{section.place}: verify_state_{'save' if save else 'load'} needs verify",
            hint="verify=crc32c",
        )
    if load and kind != "only":
        raise InputError(
            f"{section.place}: verify_state_load cannot be combined with writes",
            hint="add verify_only, or run assay fio JOB.fio --verify",
        )
    if kind == "off" or not (folder or save or load):
        return None
    name = f"{section.name}.{clone}.ledger".replace("/", "-")
    return str(((folder or Path()) / name).absolute())


def _limited(section: Section, options: dict[str, Any], access: Access) -> tuple[Access, float | None]:
    """Returns the access pattern and the limit of operations a second; None without a limit.

    A mixed job's limit is the sum of both limits, and the share of reads follows from them.
    """
    share = access.read_share
    name = _last(options, "rate", "rate_iops")
    if "rate" in options and "rate_iops" in options:
        raise InputError(f"{section.place}: rate and rate_iops cannot be combined", hint="keep one of them")
    if name is None:
        return access, None
    reads, writes = options[name]
    if name == "rate":
        reads = reads and reads / mean(access.read_blocks)
        writes = writes and writes / mean(access.write_blocks)
    if share in (0.0, 1.0):
        rate = reads if share else writes
        return access, None if rate is None else float(rate)
    if reads is None or writes is None:
        raise InputError(
            f"{section.place}: {name} must limit both directions of a mixed job",
            hint=f"write {name}=READS,WRITES, or use two jobs that run together",
        )
    return replace(access, read_share=reads / (reads + writes)), float(reads + writes)
