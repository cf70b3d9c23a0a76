"""Everything that would stop a treatment on a private server is found before any load."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import HostError, ServerError
from assay.design.plan import Treatment
from assay.design.plan.plan import PlannedExperiment
from assay.design.study.experiments import EXPERIMENTS
from assay.measurement.source.private import PrivateServers
from assay.measurement.source.sources import Sources
from assay.system.engine.interrupts import Interrupts
from assay.system.host import own_limits
from assay.system.server import Build
from assay.testing import builders

pytestmark = pytest.mark.live


@pytest.fixture
def servers(mariadb_build: Build) -> Sources:
    return Sources({"mariadb": PrivateServers(mariadb_build, lambda _: {}, Interrupts())})


def treatment(experiment: PlannedExperiment | None = None, *, rows: int = 1000, **given: object) -> Treatment:
    options = {"tables": 1, "table_size": rows}
    given = {"workload": "oltp_insert", "workload_options": options, "experiment": experiment, **given}
    return builders.treatment(**given)


def experiment(use: str, **options: int) -> PlannedExperiment:
    known = EXPERIMENTS[use]
    return PlannedExperiment(use, dict(options), known.empty, known.restarts)


def test_room_where_an_experiment_makes_its_tables(servers: Sources, assay_home: Path) -> None:
    there = {"server.data_dir": str(assay_home)}
    servers.check([treatment(experiment("bulk-load"), given=there)])
    with pytest.raises(HostError, match="what the study puts there"):
        servers.check([treatment(experiment("bulk-load"), rows=90_000_000_000, given=there)])


@pytest.mark.long
def test_what_is_set_while_it_runs_is_tried_on_a_server_started_like_its_own(servers: Sources) -> None:
    without = {"variables": {"event_scheduler": "DISABLED"}}
    servers.check(
        [
            treatment(dynamic={"innodb_io_capacity": 300}, **without),
            treatment(dynamic={"event_scheduler": "ON"}),
        ]
    )
    with pytest.raises(ServerError, match=r"server\.dynamic\.event_scheduler"):
        servers.check([treatment(dynamic={"event_scheduler": "ON"}, **without)])


def test_connections_that_this_process_may_not_hold(servers: Sources) -> None:
    hard = own_limits().open_files
    if hard is None:
        pytest.skip("no limit here, or one that this process may raise")
    with pytest.raises(HostError, match="open files are needed"):
        servers.check([treatment(experiment("open-transactions", transactions=hard))])
