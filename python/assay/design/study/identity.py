"""Computes what makes two study files the same experiment."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from typing import Any

from assay.design.study.former_names import FORMER_SCALE
from assay.design.study.model.design import Design
from assay.design.study.model.factor import Factor
from assay.design.study.model.load import Load
from assay.design.study.model.server import ServerChoice
from assay.design.study.model.study import Study
from assay.design.study.model.table import identity_keys


def study_hash(study: Study) -> str:
    """Returns the sha256, in hex, of everything that decides the runs: server, workload, schema, load,
    factors, design, scale.

    Two scales are two experiments, even where they differ in claims alone. Titles, descriptions, labels,
    comments, claims, verdict options, `fair` and `applies` are left out: results stay valid when a hypothesis
    or a demand is added later. So is the number of blocks, since blocks can be added to results. So are
    defaults: a key that the format gains later changes no hash. Whoever changes a default raises the number
    below.
    """
    # Hashes of folders are older than the name: a scale stands in them under its former one.
    hashed = {FORMER_SCALE if table == "scale" else table: keys for table, keys in meaning(study).items()}
    canonical = json.dumps(
        ["assay study 1", hashed], sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(canonical.encode()).hexdigest()


def fixed_hash(study: Study, varied: Collection[str]) -> str:
    """Returns the hash of what a study fixes: all but its server build, the factors `varied`, and the number
    and order of its runs.
    """
    server = study.server.model_copy(update={"use": ""})
    factors = tuple(one for one in study.factors if one.name not in varied)
    return study_hash(study.model_copy(update={"server": server, "factors": factors, "design": Design()}))


def meaning(study: Study) -> dict[str, Any]:
    """Returns the tables of plain values that decide the runs, without defaults."""
    found = study.model_dump(
        mode="json",
        exclude_defaults=True,
        include={
            "server": identity_keys(ServerChoice),
            "workload": True,
            "schema_": True,
            "dataset": True,
            "storage": True,
            "host": True,
            "volume": True,
            "load": identity_keys(Load),
            "experiment": True,
            "factors": {"__all__": identity_keys(Factor)},
            "design": identity_keys(Design),
            "scale": {"name"},
        },
    )
    if found.get("design", {}).get("loads") == 1:  # once was the default when folders were begun without it
        del found["design"]["loads"]
    if "scale" in found:
        found["scale"] = found["scale"]["name"]
    return {table: keys for table, keys in found.items() if keys != {}}
