"""Asks the engine how large a workload is, and which of its options shape its rows."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import msgspec

from assay.base.errors import HostError, InputError
from assay.design.data_profile import read_profile
from assay.design.folder import Scalar
from assay.design.plan import OwnData, Plan, WorkloadSize
from assay.design.study import GENERATE, is_script, unpacked_bytes
from assay.system.engine.binary import NAME, find_engine, workload_catalogue
from assay.system.engine.scripts import SHAPES, script_shaping

_EACH = 100
"""Number of sets of options up to which the engine is asked about each."""


_ROW_BYTES = 100
"""Bytes of a row as SQL, of rows that load as fast as those of sbtest."""

_OF_SCRIPT = WorkloadSize(rows=0, bytes=0, statements=None)


def workload_size(workload: str, options: Mapping[str, Scalar]) -> WorkloadSize:
    """Returns the size of a workload's tables, before they exist. Raises InputError where the engine refuses
    the options. The answer is cached. Only a script itself knows its size.
    """
    if is_script(workload):
        return _OF_SCRIPT
    text = msgspec.json.encode({"name": workload, "options": dict(options)}, order="deterministic")
    return _asked(find_engine(), text)


def sizes(plan: Plan) -> dict[str, WorkloadSize]:
    """Returns the size of the workload of each treatment that has tables, by the treatment's name.

    Of treatments that differ only in the statements sent, the engine is asked about one.
    """
    tables = [one for one in plan.treatments if one.storage is None]
    few = len({repr((one.workload, one.workload_options)) for one in tables}) <= _EACH
    found: dict[str, WorkloadSize] = {}
    by_shape: dict[tuple[str, bytes], WorkloadSize] = {}
    for one in tables:
        shapes = (
            shaping(one.workload, one.workload_options)
            if one.script is None
            else script_shaping(one.workload, one.script, one.workload_options)
        )
        shaped_by = msgspec.json.encode(shapes, order="deterministic")
        if one.own_data is not None:
            statements = workload_size(one.workload, one.workload_options).statements
            found[one.name] = _of_own(one.own_data, statements)
            continue
        size = None if few else by_shape.get((one.workload, shaped_by))
        if size is None:
            size = workload_size(one.workload, one.workload_options)
        by_shape[one.workload, shaped_by] = size
        found[one.name] = replace(size, shaped_by=shaped_by.decode())
    return found


def _of_own(own: OwnData, statements: int | None) -> WorkloadSize:
    """Returns the size of tables of one's own, by that of their files. One with no files there counts as
    small.
    """
    if own.use.startswith(GENERATE):
        rows, size = read_profile(Path(own.place)).size(own.scale)
        shaped_by = f"{own.digest} {own.indexes_after} {own.scale}"
        return WorkloadSize(rows=rows, bytes=size, statements=statements, shaped_by=shaped_by)
    try:
        size = unpacked_bytes(Path(own.place))
    except OSError:
        size = 0
    return WorkloadSize(
        rows=size // _ROW_BYTES,
        bytes=2 * size,
        statements=statements,
        shaped_by=f"{own.digest} {own.indexes_after}",
    )


def load_only(workload: str) -> frozenset[str]:
    """Returns the options of a workload that shape only the statements sent.

    Empty for a workload that the engine does not know.
    """
    return _load_only(find_engine()).get(workload, frozenset())


def rows_version(workload: str) -> int:
    """Returns the version of a workload's rows: 1 until the engine draws other rows from the same seed."""
    return _rows_versions(find_engine()).get(workload, 1)


def shaping(workload: str, options: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Returns the options of a workload that shape its rows, with defaults for those not given."""
    defaults = _defaults(find_engine()).get(workload, {})
    return {name: options.get(name, value) for name, value in defaults.items()}


@lru_cache
def _asked(engine: Path, workload: bytes) -> WorkloadSize:
    answer = subprocess.run([engine, "size", "-"], input=workload, capture_output=True, check=False)
    if answer.returncode != 0:
        said = answer.stderr.decode(errors="replace").strip()
        raise (
            InputError(said)
            if answer.returncode == InputError.exit_code
            else HostError(f"{NAME} could not say how large a workload is", detail=said)
        )
    return msgspec.json.decode(answer.stdout, type=WorkloadSize)


@lru_cache
def _defaults(_engine: Path) -> dict[str, dict[str, Scalar]]:
    return {
        entry["name"]: {
            name: schema["default"]
            for name, schema in sorted(entry["options"]["properties"].items())
            if schema.get(SHAPES) != "load" and schema.get("default") is not None
        }
        for entry in workload_catalogue()
    }


@lru_cache
def _rows_versions(_engine: Path) -> dict[str, int]:
    return {entry["name"]: int(entry.get("rows_version", 1)) for entry in workload_catalogue()}


@lru_cache
def _load_only(_engine: Path) -> dict[str, frozenset[str]]:
    return {
        entry["name"]: frozenset(
            name for name, schema in entry["options"]["properties"].items() if schema.get(SHAPES) == "load"
        )
        for entry in workload_catalogue()
    }
