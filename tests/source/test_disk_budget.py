"""Room on the disk is asked for before anything is loaded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.design.plan import Treatment
from assay.design.plan.plan import PlannedExperiment
from assay.design.study.experiments import EXPERIMENTS
from assay.measurement.source.dataset.manifest import datasets_dir
from assay.measurement.source.disk_budget import DiskBudget, Need
from assay.measurement.source.private import PrivateServers
from assay.measurement.source.sources import Sources
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Build
from assay.testing import builders


def treatment(rows: int, experiment: str | None) -> Treatment:
    known = EXPERIMENTS[experiment] if experiment else None
    return builders.treatment(
        workload="oltp_insert",
        workload_options={"tables": 2, "table_size": rows},
        experiment=PlannedExperiment(experiment, {}, known.empty, known.restarts)
        if experiment and known
        else None,
    )


@pytest.mark.parametrize("experiment", [None, "bulk-load"])
def test_tables_that_a_run_makes_itself_count_like_loaded_ones(
    mariadb_build: Build, experiment: str | None
) -> None:
    servers = Sources({"mariadb": PrivateServers(mariadb_build, lambda _: {}, Interrupts())})
    servers.check([treatment(1000, experiment)])
    with pytest.raises(HostError, match="no room for"):
        servers.check([treatment(1000, experiment), treatment(90_000_000_000, experiment)])


def test_a_volumes_devices_are_asked_for_in_place_of_the_data_on_it(
    mariadb_build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Need] = []
    needs: list[tuple[Treatment, int]] = []
    monkeypatch.setattr("assay.measurement.source.sources.require_space", lambda place, size, what: None)
    monkeypatch.setattr(
        "assay.measurement.source.private.check_machine", lambda _: None
    )  # a kernel may have no md
    monkeypatch.setattr("assay.measurement.source.private.try_machine", lambda _, given: needs.extend(given))
    servers = Sources({"mariadb": PrivateServers(mariadb_build, lambda _: {}, Interrupts())})
    on_volume = treatment(1000, None)
    servers.check([on_volume], needs=asked)
    plain = sum(need.bytes for need in asked)
    asked.clear()
    servers.check([replace(on_volume, volume={"device_size": "3G", "raid": "raid1"})], needs=asked)
    (_, without), (_, with_one) = needs
    copy = with_one - (100 << 20)  # beside its redo log, at its default size
    assert without == with_one
    assert sum(need.bytes for need in asked) == plain - copy + 2 * (3 << 30)


def test_servers_that_share_a_file_system_are_summed(assay_home: Path) -> None:
    same = assay_home / "volumes"
    budget = DiskBudget()
    budget.dataset("of-one", 1000)
    budget.dataset("of-another", 500)
    budget.dataset("of-another", 500)  # of a second treatment
    budget.dataset("there", 0)
    budget.run([(assay_home, 30), (same, 4)])
    budget.run([(same, 40)])
    budget.run([(assay_home, 20)])
    budget.run([(Path("/proc"), 7)])
    assert {need.place: need.bytes for need in budget.needs()} == {datasets_dir(): 1540, Path("/proc"): 7}
