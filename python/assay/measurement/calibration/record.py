"""Keeps calibrations, which say how fast the generator is on this host, and compares runs with them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from assay.base.doubts import Ceiling, ceiling_doubt
from assay.base.format.job import (
    AnyJob,
    Blocks,
    DiskJob,
    Job,
    MachineJob,
    Range,
    ScriptChoice,
    StorageJob,
    Target,
)
from assay.design.folder import Doubted, RunResult, Scalar
from assay.design.study import is_script
from assay.system.engine import find_engine, per_second
from assay.system.server import home

_OF_THE_DATA = {
    "tables",
    "table_size",
    "auto_inc",
    "secondary",
    "create_secondary",
    "mysql_storage_engine",
    "create_table_options",
}
"""Options that change the server's data and not the generator's work; those of `rand_` are added to them."""


FILES = "files"
"""The name of the workload in a calibration for loads on files."""


class CalibrationSetting(msgspec.Struct, frozen=True, kw_only=True):
    """The setting for which a calibration holds; another setting has another ceiling."""

    host: str
    engine_sha256: str
    engine_threads: int
    workload: str
    options: dict[str, Scalar]
    connections: int
    ps_mode: str
    transport: str

    @property
    def key(self) -> str:
        """A short stable name of the setting, for a file name."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()[:16]


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """The generator's speed against a server that does nothing. Rates are per second, medians of `repeats`
    windows.
    """

    format: int = 1
    setting: CalibrationSetting
    cpu: str
    measured_wall_ns: int
    window_s: float
    repeats: int
    ceiling_qps: float
    lowest_qps: float
    highest_qps: float
    ceiling_tps: float
    floor_cpu_us_per_query: float
    engine_cores: float
    engine_was_limit: bool  # otherwise the null server or the machine was: the ceiling is at least this


def setting_of(job: Job | DiskJob) -> CalibrationSetting:
    """Returns the calibration setting of a job. Raises ValueError for a job on files with several kinds of
    load at once.
    """
    if isinstance(job, DiskJob):
        return _files_setting(job)
    return CalibrationSetting(
        host=host_id(),
        engine_sha256=_sha256(find_engine()),
        engine_threads=job.engine.threads,
        workload=_workload_name(job.workload.name),
        options={
            name: value
            for name, value in sorted(job.workload.options.items())
            if name not in _OF_THE_DATA and not name.startswith("rand_")
        }
        | _texts_of(job.workload.script),
        connections=job.load.connections,
        ps_mode=job.target.ps_mode,
        transport=_transport(job.target),
    )


def _workload_name(use: str) -> str:
    """Returns the name of a workload in a calibration: of a script without its folder."""
    if not is_script(use):
        return use
    kind, _, path = use.partition(":")
    return f"{kind}:{Path(path).name}"


def _texts_of(script: ScriptChoice | None) -> dict[str, Scalar]:
    """Returns what a script is known by: the texts of its own file and of those that it loads, whatever their
    folder.
    """
    if script is None:
        return {}
    files = sorted((Path(name).name, text) for name, text in (script.files or {}).items())
    return {"script": hashlib.sha256(msgspec.json.encode((script.source, files))).hexdigest()[:16]}


def _files_setting(job: DiskJob) -> CalibrationSetting:
    """Returns the setting of a load on files: I/O engine, depth, workers and operation size, but no offsets
    or paths.
    """
    ((transport, options),) = {_files_kind(load) for load in job.storage}
    return CalibrationSetting(
        host=host_id(),
        engine_sha256=_sha256(find_engine()),
        engine_threads=0,
        workload=FILES,
        options=dict(options),
        connections=sum(load.clones for load in job.storage),
        ps_mode="",
        transport=transport,
    )


def _files_kind(load: StorageJob) -> tuple[str, tuple[tuple[str, Scalar], ...]]:
    access = load.access
    sides = ((access.read_share, access.read_blocks), (1 - access.read_share, access.write_blocks))
    options: dict[str, Scalar] = {
        "bs": max(_largest(blocks) for share, blocks in sides if share),
        "iodepth": load.depth,
        "rw": "read" if access.read_share == 1 else "write" if not access.read_share else "rw",
    }
    if load.verify != "off":
        options["verify"] = True
    return load.io.kind, tuple(options.items())


def _largest(blocks: Blocks) -> int:
    if isinstance(blocks, list):
        return max(share.bytes for share in blocks)
    return blocks.to if isinstance(blocks, Range) else blocks


def save(calibration: Calibration) -> Path:
    """Keeps a calibration, which replaces an older one of the same setting."""
    path = _path(calibration.setting)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(calibration)))
    fresh.replace(path)
    return path


def stored() -> list[Calibration]:
    """Returns all calibrations kept here, by workload and connections. A file that cannot be read is left
    out.
    """
    found = [kept for path in sorted(_folder().glob("*.json")) if (kept := _read(path)) is not None]
    return sorted(
        found, key=lambda kept: (kept.setting.workload, kept.setting.transport, kept.setting.connections)
    )


def calibration_for(job: AnyJob) -> Calibration | None:
    """Returns the calibration of this job's setting on this host with this engine; None when there is
    none.
    """
    if isinstance(job, MachineJob):
        return None  # the machine is what is measured
    kinds = {_files_kind(load) for load in job.storage} if isinstance(job, DiskJob) else set()
    if not _folder().is_dir() or len(kinds) > 1:
        return None
    return _read(_path(setting_of(job)))


def near_ceiling(
    result: RunResult, calibration: Calibration | None, rung: str | None = None
) -> Doubted | None:
    """Returns a doubt when the run reached much of the highest rate of the generator."""
    if calibration is None:
        return None
    files = calibration.setting.workload == FILES
    rate = per_second(result.transactions if files else result.queries, result.elapsed_s)
    what, where = (
        ("operations/s", "on a disk that does nothing")
        if files
        else ("queries/s", "against a server that does nothing")
    )
    doubt = ceiling_doubt(
        Ceiling(calibration.ceiling_qps, rate, what, f"this generator reaches on this host {where}")
    )
    if doubt is None:
        return None
    return Doubted(kind=doubt.kind, message=doubt.message, value=doubt.value, limit=doubt.limit, rung=rung)


@lru_cache(maxsize=1)
def host_id() -> str:
    """Returns the identity of this host: machine-id(5), model and number of its processors."""
    from assay.system.host import Machine

    parts = (Machine().text("/etc/machine-id"), cpu_model(), _cpu().get("logical"))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def cpu_model() -> str:
    """Returns the processor's model from /proc/cpuinfo."""
    return str(_cpu().get("model", "unknown"))


def processors() -> int:
    """Returns the number of processors online."""
    return int(_cpu().get("logical") or 1)


@lru_cache(maxsize=1)
def _cpu() -> Mapping[str, Any]:
    from assay.system.host import host_facts

    facts = host_facts([])["cpu"]
    assert isinstance(facts, dict)
    return facts


def _transport(target: Target) -> str:
    """Returns the transport of a target, unix or tcp. TLS is ignored: calibrations are made without it, and
    it only lowers the ceiling.

    A run near the ceiling without TLS is near its own ceiling too.
    """
    return "unix" if target.socket else "tcp"


def _folder() -> Path:
    return home() / "calibration"


def _path(setting: CalibrationSetting) -> Path:
    return _folder() / f"{setting.workload}-{setting.connections}-{setting.key}.json"


def _read(path: Path) -> Calibration | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Calibration)
    except (OSError, msgspec.DecodeError):
        return None


@lru_cache(maxsize=4)
def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def current(kept: Iterable[Calibration]) -> list[bool]:
    """Returns, for each calibration, whether it was made on this host with the engine now in use."""
    host, engine = host_id(), _sha256(find_engine())
    return [one.setting.host == host and one.setting.engine_sha256 == engine for one in kept]
