"""Computes the identity of a dataset from everything that shapes its rows or files, and nothing else."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from assay.engine import load_only, rows_version, script_listing, script_load_only, workload_size
from assay.folder import Scalar
from assay.plan import Script

DATA_SEED = 1
"""All datasets grow from one seed, so that studies share them; runs differ in the seed of operations."""

NO_TABLES = "empty"
"""The name of the workload of a dataset without tables."""

FILE_VARIABLES = frozenset(
    {
        "character_set_server",
        "collation_server",
        "default_storage_engine",
        "innodb_checksum_algorithm",
        "innodb_compression_algorithm",
        "innodb_compression_default",
        "innodb_compression_level",
        "innodb_data_file_path",
        "innodb_default_row_format",
        "innodb_encrypt_log",
        "innodb_encrypt_tables",
        "innodb_file_format",
        "innodb_file_per_table",
        "innodb_large_prefix",
        "innodb_log_files_in_group",
        "innodb_page_size",
        "innodb_rollback_segments",
        "innodb_undo_tablespaces",
        "lower_case_table_names",
        "sql_mode",
    }
)
"""Server variables that shape the files a server writes, or that cannot change once they are written."""

BYTES_OF_SERVER = 300 * 2**20
"""Bytes of an empty server: system, undo and temporary tablespaces, redo log, system tables."""


_UNFIT = re.compile(r"[^\w.-]+")
"""Characters of a workload's name that the name of a folder cannot have."""


@dataclass(frozen=True)
class DatasetKey:
    """Identity of a dataset. `options` and `variables` hold only what shapes it."""

    build: str
    workload: str
    options: dict[str, Scalar]
    variables: dict[str, Scalar]
    seed: int = DATA_SEED
    script: Script | None = None  # which makes the tables; `identity` is that of its texts
    identity: str | None = None
    rows_version: int = 1  # of a workload of the engine; that of a script is part of its identity

    @property
    def id(self) -> str:
        """The name of the dataset's folder: `WORKLOAD-3fb2…`."""
        text = msgspec.json.encode(self.as_dict(), order="deterministic")
        return f"{_UNFIT.sub('-', self.workload)}-{hashlib.sha256(text).hexdigest()[:16]}"

    @property
    def data_id(self) -> str:
        """The id of the data without the server build: equal for two builds that hold the same data."""
        return replace(self, build="").id

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
        if self.script is not None:
            found |= {"script": self.identity, "threads": self.script.threads}
        return found

    def estimated_bytes(self) -> int:
        """Returns a generous estimate of the disk space of a server with this dataset, before it is
        loaded.
        """
        tables = 0 if self.workload == NO_TABLES else workload_size(self.workload, self.options).bytes
        return tables + BYTES_OF_SERVER


def dataset_key(
    build: str,
    workload: str,
    options: Mapping[str, Scalar],
    variables: Mapping[str, Scalar],
    script: Script | None = None,
) -> DatasetKey:
    """Returns the key of the dataset that a treatment needs on a server build (`Build.key`).

    Options that shape only the statements are left out. Any other may shape the rows: a needless dataset
    costs a load, a missing one makes results wrong. So is the text of a script, which may make any tables;
    one without the command `prepare` makes none.
    """
    listing = None if script is None else script_listing(workload, script)
    if listing is not None and not listing["prepares"]:
        return dataset_key(build, NO_TABLES, {}, variables)
    sent = load_only(workload) if script is None else script_load_only(workload, script)
    return DatasetKey(
        build=build,
        workload=workload,
        options={name: value for name, value in sorted(options.items()) if name not in sent},
        variables={
            plain: value
            for name, value in sorted(variables.items())
            if (plain := name.replace("-", "_").lower()) in FILE_VARIABLES
        },
        script=script,
        identity=None if listing is None else str(listing["identity"]),
        rows_version=rows_version(workload),
    )
