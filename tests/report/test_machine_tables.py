"""The report shows what the study changed of the machine, and what changed by itself."""

from __future__ import annotations

from pathlib import Path

from assay.reporting.report.records.machine import changes, settings
from assay.reporting.report.tables import build_tables
from assay.reporting.report.tables.model import Table
from synthetic import VARIABLE, make_material

ONE, TWO = f"{VARIABLE}=1", f"{VARIABLE}=2"


def tables(material: object) -> dict[str, Table]:
    return {table.name: table for table in build_tables(material)}  # type: ignore[arg-type]


def test_a_machine_that_nobody_touched(tmp_path: Path) -> None:
    material = make_material(tmp_path)
    found = tables(material)
    assert "machine-settings" not in found
    assert found["machine-changes"].rows == ()
    assert found["machine-changes"].empty
    material.store.close()


def test_every_build_of_the_generator_is_named(tmp_path: Path) -> None:
    material = make_material(tmp_path)
    material.store.execute("update runs set engine = '0.1.0 (quick)' where block = 1")
    row = ("load generator", "engine", "0.1.0 / 0.1.0 (quick)")
    assert row in tables(material)["environment"].rows
    material.store.close()


def test_settings_of_a_study_by_treatment(tmp_path: Path) -> None:
    material = make_material(tmp_path)

    def turned(key: str, was: str, value: str, treatments: tuple[str, ...]) -> None:
        for moment, text in (("was", was), ("set", value)):
            material.store.execute(
                "insert into facts select run_id, 'setting', ?, ?, ? from runs"
                " where list_contains(?, treatment)",
                [moment, key, text, list(treatments)],
            )

    turned("block.scheduler vda", "mq-deadline", "none", (ONE,))
    turned("block.scheduler vda", "mq-deadline", "kyber", (TWO,))
    turned("vm.swappiness this machine", "60", "1", (TWO,))
    scheduler, swappiness = settings(material)
    assert (scheduler.knob, scheduler.target, scheduler.was) == ("block.scheduler", "vda", "mq-deadline")
    assert scheduler.values == {ONE: "none", TWO: "kyber"}
    assert (swappiness.target, swappiness.values) == ("this machine", {TWO: "1"})
    assert tables(material)["machine-settings"].rows == (
        ("host.block.scheduler", "vda", "mq-deadline", "none", "kyber"),
        ("host.vm.swappiness", "this machine", "60", "–", "1"),
    )
    assert "vm.swappiness" not in {row[1] for row in tables(material)["environment"].rows}
    material.store.close()


def test_what_changed_while_runs_lasted(tmp_path: Path) -> None:
    material = make_material(tmp_path)
    # A run that did not come to its end has no facts after it: that is no change.
    material.store.execute(
        "insert into facts select * replace ('after' as moment) from facts"
        " where scope = 'host' and run_id in (select run_id from runs where block < 6)"
    )
    assert changes(material) == []
    for key, after in (("block.md0.raid_degraded", "1"), ("file_system./.free_bytes", "12")):
        for moment, value in (("before", "0"), ("after", after)):
            material.store.execute(
                "insert into facts select run_id, 'host', ?, ?, ? from runs where block = 2",
                [moment, key, value],
            )
    material.store.execute(
        "delete from facts where moment = 'after' and key = 'cpu.model'"
        " and run_id = (select min(run_id) from runs)"
    )
    assert [(one.fact, one.before, one.after, one.runs) for one in changes(material)] == [
        ("block.md0.raid_degraded", "0", "1", 2),
        ("cpu.model", "Synthetic CPU @ 2.60GHz", "–", 1),
    ]
    material.store.close()
