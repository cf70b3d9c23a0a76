"""Treatments whose server is a source that replicas follow: how many, and what that asks of the server."""

from __future__ import annotations

from collections.abc import Mapping

from assay.errors import InputError
from assay.folder import Scalar
from assay.plan import Treatment
from assay.server import Build, finds_by_gtid, replication_variables, require_free, require_semi_sync
from assay.study import EXPERIMENTS

SOURCE_ID = 1
"""`server_id` of the source; those of the replicas follow."""


def replicas_of(treatment: Treatment) -> int:
    """Servers beside the one that takes the load."""
    what = treatment.experiment
    return int(what.options["replicas"]) if what and EXPERIMENTS[what.use].replicated else 0


def check_topology(build: Build, treatment: Treatment) -> None:
    """Raises before any load when this build cannot replicate as the treatment wants it."""
    what = treatment.experiment
    if what is None or not replicas_of(treatment):
        return
    if treatment.client == "netns":
        raise InputError(
            f'load.client = "netns": the server of {treatment.name} listens for that client alone, and its'
            " replicas would not reach it",
            hint='set load.client = "tcp", or leave replication out; [experiment] delay_ms delays'
            " the replicas",
        )
    require_free(treatment.dynamic)
    finds_by_gtid(build, str(what.options["positions"]))
    if what.options["mode"] == "semi-sync":
        require_semi_sync(build)


def source_variables(build: Build, treatment: Treatment, given: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """What a source needs on top of those that are `given`; nothing for a server that stands alone."""
    what = treatment.experiment
    if what is None or not replicas_of(treatment):
        return {}
    gtid = finds_by_gtid(build, str(what.options["positions"]))
    return replication_variables(build, given, server_id=SOURCE_ID, gtid=gtid)
