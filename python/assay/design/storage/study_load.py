"""Makes jobs for the engine from a study's load on files: its workload, options and rungs.

Three things differ from `assay fio` and `assay sysbench fileio`. The files lie in the run's private
directory; [load] replaces the job file's numbers of workers and lengths of time; and files are written once
before the first rung, so that every rung finds the same files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from msgspec.structs import replace as changed

from assay.base.errors import InputError
from assay.base.format.job import Access, Io, StorageJob
from assay.design.storage.fileio_options import read_fileio
from assay.design.storage.innodb_pattern import pattern
from assay.design.storage.options import ALIASES, KNOWN, OPTIONS
from assay.design.storage.sections import JobOption, Section, sections_of
from assay.design.storage.sizes import BLOCK
from assay.design.storage.stages import stages_of
from assay.design.study import Arrivals, LoadKind, Scalar, at_rate, did_you_mean
from assay.design.study.storage import FILEIO, INNODB, job_file

_PASS_BYTES = 128 << 10
SECTION = "section"
"""The option of `fio:` that says which of a file's jobs runs; a job file that is one stage needs none."""

_LADDER = {"threads": "numjobs", "iodepth": "iodepth", "rate": "rate_iops"}
"""The option of a job file that each kind of ladder sets."""
_BY_LOAD = (
    "runtime",
    "time_based",
    "ramp_time",
    "stonewall",
    "write_bw_log",
    "write_iops_log",
    "group_reporting",
)
_NOT_HERE = {
    "number_ios": "a rung ends with [load] measure",
    "io_size": "a rung ends with [load] measure",
    "loops": "a rung ends with [load] measure",
    "verify": "a second write to a block would wait for the first, which changes the load;"
    " `assay fio` can verify",
    "verify_only": "a study only measures; `assay fio` can verify",
    "randseed": "the order of operations follows from [design] seed",
    "randrepeat": "the order of operations follows from [design] seed",
    "unlink": "the files are removed after the run",
}

StorageJobs = list[StorageJob]


@dataclass(frozen=True)
class StudyLoad:
    """A study's load on files: `workload` is `fio:NAME` (with the job file's `text`), `fileio` or
    `innodb-pattern`.

    `included` are the texts of files that the job file includes, by their names.
    """

    workload: str
    options: Mapping[str, Scalar]
    text: str | None = None
    arrivals: Arrivals = "poisson"  # of a ladder of rates
    included: Mapping[str, str] = field(default_factory=dict)

    def jobs(self, kind: LoadKind, point: float, directory: Path) -> StorageJobs:
        """Returns the storage jobs of one rung, on files in `directory`. Raises InputError, which names the
        key, for a wrong value.
        """
        if self.workload == INNODB:
            return pattern(self.options, kind, point, directory)
        if self.workload == FILEIO:
            jobs = self._fileio(kind, round(point), directory)
        else:
            jobs = self._fio(kind, round(point), directory)
        if kind == "rate":
            each = at_rate(self.arrivals, point / sum(job.clones for job in jobs))
            return [changed(job, arrivals=each) for job in jobs]
        return jobs

    def ladder(self, kind: LoadKind, points: Iterable[float], directory: Path) -> list[StorageJobs]:
        """Returns the storage jobs of every rung, in order."""
        return [self.jobs(kind, point, directory) for point in points]

    def _fileio(self, kind: LoadKind, point: int, directory: Path) -> StorageJobs:
        load = read_fileio(self.options, directory)
        if kind == "threads":
            load = replace(load, threads=point)
        elif kind == "iodepth":
            if load.file_io_mode != "async":
                raise InputError(
                    'load.iodepth: fileio has operations in flight with file_io_mode = "async" only',
                    hint="set it in [workload], or write [load] threads",
                )
            load = replace(load, file_async_backlog=point)
        job = load.storage_job()
        return [changed(job, invalidate=True, fill=not job.anew)]

    def _fio(self, kind: LoadKind, point: int, directory: Path) -> StorageJobs:
        sections = [self._set(section, kind, point, directory) for section in self._sections()]
        jobs = stages_of(sections)[0].job.storage
        names = [section.title for section in sections]
        for job in jobs:
            outside = [name for name in job.files if not _beneath(Path(name), directory)]
            if outside:
                raise _not_its_own(self.workload, outside[0])
        return [changed(job, limit_ms=0, repeat=True, group=names.index(job.name)) for job in jobs]

    def _sections(self) -> list[Section]:
        assert self.text is not None
        sections = sections_of(self.text, Path(job_file(self.workload) or ""), self.included)
        names = [section.name for section in sections]
        wanted = self.options.get(SECTION)
        if wanted is None:
            if any(_stonewalled(section) for section in sections[1:]):
                raise InputError(
                    f"{self.workload}: its jobs run one after the other, but a load point can run only one"
                    " of them",
                    hint=f'write [workload] {SECTION} = "{names[0]}", or vary workload.{SECTION}',
                )
            return sections
        if wanted not in names:
            raise InputError(
                f"workload.{SECTION}: {self.workload} has no job {wanted}{did_you_mean(str(wanted), names)}"
            )
        return [section for section in sections if section.name == wanted]

    def _set(self, section: Section, kind: LoadKind, point: int, directory: Path) -> Section:
        """Returns the section with the study's numbers and lengths of time in place of its own."""
        ladder = _LADDER[kind]
        own = []
        for entry in section.entries:
            name = ALIASES.get(entry.name, entry.name)
            if name in _NOT_HERE:
                raise InputError(f"{entry.place}: {entry.name} cannot be used in a study: {_NOT_HERE[name]}")
            if name not in (*_BY_LOAD, "directory", ladder, *(("rate",) if kind == "rate" else ())):
                own.append(entry)
        own += self._overrides(kind)
        own.insert(0, JobOption("overwrite", "1", "[load]"))
        own.append(JobOption("directory", str(directory), "[storage]"))
        if kind != "rate":
            own.append(JobOption(ladder, str(point), "[load]"))
        return replace(section, inherited=(), own=tuple(own))

    def _overrides(self, kind: LoadKind) -> Iterator[JobOption]:
        for name, value in self.options.items():
            known = ALIASES.get(name, name)
            place = f"workload.{name}"
            if name == SECTION:
                continue
            if known == _LADDER[kind]:
                raise InputError(f"{place}: [load] {kind} sets it at each load point; keep one of them")
            if known in _BY_LOAD or known == "directory":
                where = "[storage] directory" if known == "directory" else "[load]"
                raise InputError(f"{place}: cannot be set here; set {where}")
            if known in _NOT_HERE:
                raise InputError(f"{place}: cannot be used in a study: {_NOT_HERE[known]}")
            if known not in OPTIONS:
                raise InputError(
                    f"{place}: fio has no such option here{did_you_mean(name, KNOWN)}",
                )
            yield JobOption(known, _written(value), place)


def layout(rungs: Iterable[StorageJobs]) -> StorageJobs:
    """Returns the jobs that create all files of a ladder before its first rung; none where creating them is
    what is measured.
    """
    seen: dict[tuple[str, ...], StorageJob] = {}
    for jobs in rungs:
        for job in jobs:
            if not job.anew:
                seen.setdefault(tuple(job.files), changed(job, create=True, reserve=True))
    return list(seen.values())


def overwrite(jobs: StorageJobs, passes: int) -> StorageJobs:
    """Returns the jobs that overwrite all files of a layout `passes` times: preconditioning, in SNIA's terms
    (PTS).
    """
    return [_overwrite(job, passes) for job in jobs]


def _overwrite(job: StorageJob, passes: int) -> StorageJob:
    block = min(_PASS_BYTES, job.file_bytes // BLOCK * BLOCK or job.file_bytes)
    return StorageJob(
        name="overwrite",
        files=job.files,
        file_bytes=job.file_bytes,
        access=Access(order="sequential", read_share=0.0, read_blocks=block, write_blocks=block),
        io=Io(kind="psync", direct=job.io.direct),
        group=0,
        limit_operations=passes * len(job.files) * -(-job.file_bytes // block),
        repeat=True,
        end_sync=True,
    )


def files_bytes(rungs: Iterable[StorageJobs]) -> int:
    """Returns the size of all files of a ladder together, in bytes."""
    sizes = {name: job.file_bytes for jobs in rungs for job in jobs for name in job.files}
    return sum(sizes.values())


def _not_its_own(workload: str, name: str) -> InputError:
    if name.startswith("/dev/"):
        return InputError(
            f"{workload}: filename {name} cannot be a device: a study first overwrites all that it measures"
            " on, which would destroy the contents",
            hint="make a file system on it and name its directory in [storage] directory, or run the job with"
            " `assay fio`, which refuses a device that is in use",
        )
    return InputError(
        f"{workload}: filename {name} cannot be used in a study",
        hint="leave filename out: a study makes its files in [storage] directory; `assay fio` uses"
        " existing files",
    )


def _stonewalled(section: Section) -> bool:
    return any(
        ALIASES.get(entry.name, entry.name) == "stonewall" and entry.value not in ("0", "false")
        for entry in section.entries
    )


def _beneath(path: Path, directory: Path) -> bool:
    return ".." not in path.parts and path.is_relative_to(directory)


def _written(value: Scalar) -> str:
    """Returns the value as a job file spells it."""
    return str(int(value)) if isinstance(value, bool) else str(value)
