"""Factors and levels become treatments."""

from __future__ import annotations

from typing import Any

import pytest
from assay.design.plan import make_treatments, place_of
from assay.design.study import Design, Factor, Load, SchemaChoice, ServerChoice, Study, WorkloadChoice


def study(*factors: tuple[str, tuple[Any, ...]], kind: str = "factorial", **parts: Any) -> Study:
    whole: dict[str, Any] = {
        "name": "a",
        "server": ServerChoice(use="mariadb", variables={"max_connections": 200}),
        "workload": WorkloadChoice(use="oltp_read_write", options={"tables": 4}),
        "load": Load(threads=(1, 8), measure_s=10),
        "factors": tuple(Factor(name=name, levels=levels) for name, levels in factors),
        "design": Design(kind=kind),  # type: ignore[arg-type]
    }
    return Study(**(whole | parts))


PURGE = ("server.variables.innodb_purge_threads", (1, 4))
ENGINE = ("schema.engine", ("innodb", "aria"))
INDEX = ("schema.index", (True, False))


DISK = Factor(
    name="disk",
    levels=("ssd", "hdd"),
    keys=(
        "server.variables.innodb_io_capacity",
        "server.dynamic.sync_binlog",
        "workload.tables",
        "schema.index",
    ),
    values=((10000, 1, 4, True), (200, 0, 8, False)),
)


def names(made: Study) -> list[str]:
    return [treatment.name for treatment in make_treatments(made)]


def test_without_factors_there_is_one_treatment() -> None:
    (treatment,) = make_treatments(study())
    assert (treatment.name, treatment.levels) == ("default", {})
    assert treatment.variables == {"max_connections": 200}


def test_factorial_is_every_combination_and_the_first_levels_come_first() -> None:
    assert names(study(PURGE, INDEX)) == [
        "innodb_purge_threads=1, index=on",
        "innodb_purge_threads=1, index=off",
        "innodb_purge_threads=4, index=on",
        "innodb_purge_threads=4, index=off",
    ]


def test_a_screen_has_the_rows_of_its_design() -> None:
    three = (PURGE, INDEX, ENGINE)
    made = make_treatments(study(*three, kind="plackett-burman"))
    assert [one.name for one in made] == [f"row {number}" for number in range(1, 9)]
    assert made[0].levels == {PURGE[0]: 1, "schema.index": True, "schema.engine": "innodb"}
    assert {tuple(one.levels.values()) for one in made} == {
        (purge, index, engine) for purge in PURGE[1] for index in INDEX[1] for engine in ENGINE[1]
    }
    purge = [one.variables["innodb_purge_threads"] for one in made]
    assert purge == [one.levels[PURGE[0]] for one in made]


def test_a_tied_factor_sets_all_its_keys_and_has_one_name() -> None:
    one = study(factors=(DISK, Factor(name=PURGE[0], levels=PURGE[1])))
    assert names(one) == [
        "disk=ssd, innodb_purge_threads=1",
        "disk=ssd, innodb_purge_threads=4",
        "disk=hdd, innodb_purge_threads=1",
        "disk=hdd, innodb_purge_threads=4",
    ]
    last = make_treatments(one)[-1]
    assert last.levels == {"disk": "hdd", PURGE[0]: 4}
    assert last.variables == {"max_connections": 200, "innodb_io_capacity": 200, "innodb_purge_threads": 4}
    assert last.dynamic == {"sync_binlog": 0}
    assert last.workload_options == {"tables": 8, "create_secondary": False}
    assert last.varied == {**dict(zip(DISK.keys, DISK.values[1], strict=True)), PURGE[0]: 4}
    assert names(one.model_copy(update={"design": Design(kind="one-at-a-time")})) == [
        "baseline",
        "disk=hdd",
        "innodb_purge_threads=4",
    ]


def test_complaints_about_a_tied_key_point_at_its_values() -> None:
    (treatment, _) = make_treatments(study(factors=(DISK,)))
    assert place_of(treatment, "workload.tables") == ("factor", 0, "values")
    assert place_of(treatment, "workload.table_size") == ("workload", "table_size")


def test_one_at_a_time_changes_one_factor_of_the_baseline() -> None:
    made = study(PURGE, INDEX, ("workload.range_size", (100, 1000)), kind="one-at-a-time")
    assert names(made) == ["baseline", "innodb_purge_threads=4", "index=off", "range_size=1000"]
    assert make_treatments(made)[2].levels == {PURGE[0]: 1, "schema.index": False, "workload.range_size": 100}


def test_one_at_a_time_with_one_factor_names_every_level() -> None:
    assert names(study(PURGE, kind="one-at-a-time")) == ["innodb_purge_threads=1", "innodb_purge_threads=4"]


def test_the_workload_can_be_varied() -> None:
    made = study(
        ("server.use", ("mysql@5.6", "mariadb")), ("workload.use", ("oltp_point_select", "oltp_read_write"))
    )
    assert names(made)[1] == "use=mysql@5.6, workload=oltp_read_write"
    treatments = make_treatments(made)
    assert [treatment.workload for treatment in treatments[:2]] == ["oltp_point_select", "oltp_read_write"]
    assert {tuple(treatment.workload_options.items()) for treatment in treatments} == {(("tables", 4),)}


def test_factors_with_the_same_last_part_are_named_in_full() -> None:
    made = study(("server.variables.x", (1, 2)), ("workload.x", (1, 2)))
    assert names(made)[0] == "server.variables.x=1, workload.x=1"


@pytest.mark.parametrize(
    ("factor", "attribute", "expected"),
    [
        (PURGE, "variables", {"max_connections": 200, "innodb_purge_threads": 4}),
        (("workload.range_size", (1, 9)), "workload_options", {"tables": 4, "range_size": 9}),
        (INDEX, "workload_options", {"tables": 4, "create_secondary": False}),
        (ENGINE, "workload_options", {"tables": 4, "mysql_storage_engine": "aria"}),
        (("server.use", ("mysql", "mariadb")), "server_use", "mariadb"),
        (("load.ps_mode", ("auto", "disable")), "ps_mode", "disable"),
        (("server.dynamic.innodb_io_capacity", (200, 400)), "dynamic", {"innodb_io_capacity": 400}),
        (("load.client", ("socket", "netns")), "client", "netns"),
        (("load.reconnect", (0, 1)), "reconnect", 1),
        (("server.memory", ("1G", "256M")), "given", {"server.memory": "256M"}),
        (("server.cpu_quota", (2.0, 0.5)), "given", {"server.cpu_quota": 0.5}),
        (("server.sync_delay_ms", (0, 0.2)), "given", {"server.sync_delay_ms": 0.2}),
        (("server.redo_dir", ("default", "/data/log")), "given", {"server.redo_dir": "/data/log"}),
        (("server.redo_dir", ("/data/log", "default")), "given", {}),
    ],
)  # fmt: skip
def test_each_kind_of_factor_reaches_its_place(factor: Any, attribute: str, expected: object) -> None:
    assert getattr(make_treatments(study(factor))[1], attribute) == expected


def test_the_schema_of_the_study_becomes_options_of_the_workload() -> None:
    (treatment,) = make_treatments(study(schema_=SchemaChoice(engine="aria", index=False)))
    assert treatment.workload_options == {
        "tables": 4,
        "create_secondary": False,
        "mysql_storage_engine": "aria",
    }


def test_settings_of_the_machine_are_fixed_or_varied() -> None:
    made = study(("host.block.scheduler", ("none", "bfq")), host={"thp": "never"})
    assert names(made) == ["scheduler=none", "scheduler=bfq"]
    assert [treatment.host for treatment in make_treatments(made)] == [
        {"thp": "never", "block.scheduler": "none"},
        {"thp": "never", "block.scheduler": "bfq"},
    ]


def test_a_policy_for_memory_of_the_server() -> None:
    made = study(("server.numa", ("default", "interleave")))
    assert [treatment.given for treatment in make_treatments(made)] == [{}, {"server.numa": "interleave"}]
