"""Counts the replicas of a treatment's server, and finds what replication needs of it."""

from __future__ import annotations

from collections.abc import Mapping

from assay.base.errors import InputError
from assay.design.folder import Scalar
from assay.design.plan import Treatment
from assay.design.study import EXPERIMENTS
from assay.system.server import Build, finds_by_gtid, replication_variables, require_free, require_semi_sync

SOURCE_ID = 1
"""`server_id` of the source; those of the replicas follow."""


def replicas_of(treatment: Treatment) -> int:
    """Returns the number of replicas beside the server that takes the load."""
    what = treatment.experiment
    return int(what.options["replicas"]) if what and EXPERIMENTS[what.use].replicated else 0


def check_topology(build: Build, treatment: Treatment) -> None:
    """Raises an error when this build cannot replicate as the treatment asks, before any load."""
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
    """Returns the variables that a replication source needs on top of the `given` ones; none for a server
    without replicas.
    """
    what = treatment.experiment
    if what is None or not replicas_of(treatment):
        return {}
    gtid = finds_by_gtid(build, str(what.options["positions"]))
    return replication_variables(build, given, server_id=SOURCE_ID, gtid=gtid)
