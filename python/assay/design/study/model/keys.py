"""Every key with one value, by its full name."""

from __future__ import annotations

from collections.abc import Mapping

from assay.design.study.host_settings import HOST
from assay.design.study.key import Key, by_field, keys_of, needing
from assay.design.study.model.dataset import DatasetChoice
from assay.design.study.model.load import Load
from assay.design.study.model.schema import SchemaChoice
from assay.design.study.model.server import ServerChoice
from assay.design.study.model.storage import StorageChoice
from assay.design.study.model.table import Table
from assay.design.study.model.workload import WorkloadChoice
from assay.design.study.volume_settings import VOLUME

SECTIONS: Mapping[str, type[Table]] = {
    "server": ServerChoice,
    "workload": WorkloadChoice,
    "storage": StorageChoice,
    "schema": SchemaChoice,
    "dataset": DatasetChoice,
    "load": Load,
}

KEYS: Mapping[str, Key] = {
    **{f"{section}.{key}": one for section, table in SECTIONS.items() for key, one in keys_of(table).items()},
    **{f"host.{key}": by_field(needing(one, "lab")) for key, one in HOST.items()},
    **{f"volume.{key}": by_field(needing(one, "lab")) for key, one in VOLUME.items()},
}
"""Every key that has one value, by its full name: `server.cpus`, `host.block.scheduler`."""

GIVEN = tuple(full for full, key in KEYS.items() if key.factor and not key.by_field)
"""Keys that `Study.given` and the `given` of a treatment have, by their full names."""


def field_of(section: str) -> str:
    """Returns the name of the field of a study that has a table."""
    return "schema_" if section == "schema" else section


SERVER_USE = "server.use"
"""The key that names the server."""

WORKLOAD = "workload.use"
"""The factor whose levels are never compared with each other, unless a hypothesis does."""


def short_name(factor: str) -> str:
    """Returns the last word of a factor's name; `workload` for workload.use: `use` means the server's."""
    return "workload" if factor == WORKLOAD else factor.rpartition(".")[2]
