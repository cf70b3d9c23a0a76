"""Room on the disk is asked for before anything is loaded."""

from __future__ import annotations

import pytest
from assay.errors import HostError
from assay.plan import Treatment
from assay.plan.plan import Experimenting
from assay.run.interrupts import Interrupts
from assay.run.private_server import PrivateServers
from assay.server import Build
from assay.study.experiments import EXPERIMENTS


def treatment(rows: int, experiment: str | None) -> Treatment:
    known = EXPERIMENTS[experiment] if experiment else None
    return Treatment(
        name="default",
        levels={},
        server_use="mariadb",
        variables={},
        workload="oltp_insert",
        workload_options={"tables": 2, "table_size": rows},
        ps_mode="auto",
        experiment=Experimenting(experiment, {}, known.empty, known.restarts)
        if experiment and known
        else None,
    )


@pytest.mark.parametrize("experiment", [None, "bulk-load"])
def test_tables_that_a_run_makes_itself_count_like_loaded_ones(
    mariadb_build: Build, experiment: str | None
) -> None:
    servers = PrivateServers(mariadb_build, lambda _: {}, Interrupts())
    servers.check([treatment(1000, experiment)])
    with pytest.raises(HostError, match="are free"):
        servers.check([treatment(1000, experiment), treatment(90_000_000_000, experiment)])
