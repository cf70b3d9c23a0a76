"""Options that a treatment with replicas cannot have are refused before any load."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import Treatment
from assay.design.plan.plan import PlannedExperiment
from assay.design.study.experiments import EXPERIMENTS
from assay.measurement.source.placement import volumes
from assay.measurement.source.topology import check_topology
from assay.system.server import Build
from assay.testing import builders

BUILD = Build("mysql", (8, 0, 40), "", Path("/opt/sample/bin/mysqld"), Path("/opt/sample"), None)


def treatment(**given: object) -> Treatment:
    known = EXPERIMENTS["replication"]
    options = {"replicas": 1, "positions": "auto", "mode": "async"}
    experiment = PlannedExperiment("replication", dict(options), known.empty, known.restarts)
    return builders.treatment(**{"name": "near", "server_use": "mysql", "experiment": experiment, **given})


def test_a_client_that_the_source_alone_can_hear() -> None:
    check_topology(BUILD, treatment(client="tcp"))
    with pytest.raises(InputError, match="its replicas would not reach it"):
        check_topology(BUILD, treatment(client="netns"))
    check_topology(BUILD, treatment(client="netns", experiment=None))


@pytest.mark.parametrize("name", ["gtid_mode", "slave-net-timeout", "disable_log_bin"])
def test_what_replication_sets_itself_is_not_set_while_it_runs(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} is set by the replication experiment itself"):
        check_topology(BUILD, treatment(dynamic={name: 1}))


def test_a_source_always_writes_a_binary_log() -> None:
    assert volumes(treatment(given={"server.binlog_dir": "/mnt/log"})).binlog == Path("/mnt/log")
