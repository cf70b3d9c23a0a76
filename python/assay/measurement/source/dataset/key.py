"""Computes the identity of a dataset from everything that shapes its rows or files, and nothing else."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from assay.base.errors import InputError
from assay.design.data_profile import read_profile
from assay.design.folder import Scalar
from assay.design.plan import OwnData, Script
from assay.design.study import DUMP, GENERATE, unpacked_bytes
from assay.measurement.source.dataset.shaping import shaping_variables
from assay.system.engine import load_only, rows_version, script_listing, script_load_only, workload_size

DATA_SEED = 1
"""All datasets grow from one seed, so that studies share them; runs differ in the seed of operations."""

GENERATED_VERSION = 1
"""The version of the rows that the engine makes of a profile: another one draws other rows from the same
seed.
"""

THAT_OF_FILES = "that of the files"
"""In a key, the database of a dump of which a study names none."""

NO_TABLES = "empty"
"""The name of the workload of a dataset without tables."""

BYTES_OF_SERVER = 300 * 2**20
"""Bytes of an empty server: system, undo and temporary tablespaces, redo log, system tables."""


_GROWS = 2
"""How many times as large rows are in tables with indexes as in SQL, generously."""

_UNFIT = re.compile(r"[^\w.-]+")
"""Characters of a workload's name that the name of a folder cannot have."""


@dataclass(frozen=True)
class DatasetKey:
    """Identity of a dataset. `options` and `variables` hold only what shapes it; `stated` are its variables
    with those that have the build's default values, which other builds may not have.
    """

    build: str
    workload: str
    options: dict[str, Scalar]
    variables: dict[str, Scalar]
    seed: int = DATA_SEED
    script: Script | None = None  # which makes the tables; `identity` is that of its texts
    identity: str | None = None
    stated: dict[str, Scalar] = field(default_factory=dict)
    load: int = 1  # the same rows are loaded so many times, as files differ by luck: the number of this load
    rows_version: int = 1  # of a workload of the engine; that of a script is part of its identity
    own: OwnData | None = None  # what makes the tables in place of the workload; its name is `workload`

    @property
    def label(self) -> str:
        """The dataset's name for people, without the hash."""
        return _UNFIT.sub("-", self.workload)

    @property
    def id(self) -> str:
        """The name of the dataset's folder: `WORKLOAD-3fb2…`."""
        text = msgspec.json.encode(self.as_dict(), order="deterministic")
        return f"{self.label}-{hashlib.sha256(text).hexdigest()[:16]}"

    @property
    def data_id(self) -> str:
        """The id of the rows without server build and load: equal for two builds that hold the same data."""
        return replace(self, build="", variables=self.stated, load=1).id

    def as_dict(self) -> dict[str, Any]:
        """Returns the key as the dataset's manifest holds it."""
        found = {
            "build": self.build,
            "workload": self.workload,
            "options": self.options,
            "variables": self.variables,
            "seed": self.seed,
        }
        if self.rows_version > 1:  # the key of version 1 is from before there were versions
            found |= {"rows_version": self.rows_version}
        if self.load > 1:  # the first load is that of studies which know no other
            found |= {"load": self.load}
        if self.own is not None:
            found |= {
                "data": self.own.digest,
                "database": self.own.database or (THAT_OF_FILES if self.own.use.startswith(DUMP) else None),
                "indexes_after": self.own.indexes_after,
                "collations": dict(sorted(self.own.collations.items())),
            }
            if self.own.use.startswith(GENERATE):
                found |= {"scale": self.own.scale, "rows_version": GENERATED_VERSION}
        if self.script is not None:
            found |= {"script": self.identity, "threads": self.script.threads, "inputs": "noted"}
        return found

    def estimated_bytes(self) -> int:
        """Returns a generous estimate of the disk space of a server with this dataset, before it is
        loaded.
        """
        if self.own is not None:
            if self.own.use.startswith(GENERATE):
                size = read_profile(Path(self.own.place)).size(self.own.scale)[1]
                return _GROWS * size + BYTES_OF_SERVER
            try:
                return _GROWS * unpacked_bytes(Path(self.own.place)) + BYTES_OF_SERVER
            except OSError as error:
                raise InputError(f"dataset.use: cannot read {self.own.place}: {error.strerror}") from None
        tables = 0 if self.workload == NO_TABLES else workload_size(self.workload, self.options).bytes
        return tables + BYTES_OF_SERVER


def dataset_key(
    build: str,
    workload: str,
    options: Mapping[str, Scalar],
    variables: Mapping[str, Scalar],
    script: Script | None = None,
    *,
    defaults: Mapping[str, str] | None = None,
    load: int = 1,
    own: OwnData | None = None,
) -> DatasetKey:
    """Returns the key of the dataset that a treatment needs on a server build (`Build.key`), whose variables
    have these `defaults`. `load` is the number of the load, where the same rows are loaded several times.

    Variables that are known to leave files alone are left out, and options that shape only the statements.
    Any other may shape the data: a needless dataset costs a load, a missing one makes results wrong. So does
    the text of a script, which may make any tables; one without the command `prepare` makes none. `own` data
    make the tables in place of either.
    """
    if own is not None:
        return DatasetKey(
            build=build,
            workload=Path(own.place).name,
            options={},
            variables=shaping_variables(variables, defaults),
            stated=shaping_variables(variables),
            load=load,
            own=own,
        )
    listing = None if script is None else script_listing(workload, script, options)
    if listing is not None and not listing["prepares"]:
        return dataset_key(build, NO_TABLES, {}, variables, defaults=defaults)
    sent = load_only(workload) if script is None else script_load_only(workload, script)
    return DatasetKey(
        build=build,
        workload=workload,
        options={name: value for name, value in sorted(options.items()) if name not in sent},
        variables=shaping_variables(variables, defaults),
        stated=shaping_variables(variables),
        script=script,
        identity=None if listing is None else str(listing["identity"]),
        rows_version=rows_version(workload),
        load=load,
    )
