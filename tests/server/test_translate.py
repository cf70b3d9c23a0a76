"""One name for a variable, whatever the server calls it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from assay.base.errors import InputError, ServerError
from assay.design.folder.manifest import Scalar
from assay.system.server import Build, Instance, check_variables, known_only
from assay.system.server.flavour import FLAVOURS
from assay.system.server.process.options import options_text
from assay.system.server.variables import translate as translate_module
from assay.system.server.variables.catalogue import Catalogue
from assay.system.server.variables.check import check_in_force
from assay.system.server.variables.plugins import check_plugins
from assay.system.server.variables.translate import name_there, settings, translate


@pytest.mark.parametrize(
    ("flavour", "said", "known", "there"),
    [
        ("mysql", "transaction_isolation", {"tx_isolation"}, "tx_isolation"),
        ("mysql", "tx_isolation", {"transaction_isolation"}, "transaction_isolation"),
        ("mysql", "tx_isolation", {"tx_isolation", "transaction_isolation"}, "tx_isolation"),
        ("mysql", "replica-parallel-workers", {"slave_parallel_workers"}, "slave_parallel_workers"),
        ("mysql", "innodb_log_file_size", {"innodb_redo_log_capacity"}, None),
        ("mariadb", "log_replica_updates", {"log_slave_updates"}, "log_slave_updates"),
    ],
)  # fmt: skip
def test_names(flavour: str, said: str, known: set[str], there: str | None) -> None:
    assert name_there(FLAVOURS[flavour], said, known.__contains__) == there


def test_options_are_asked_of_the_binary(mariadb_build: Build) -> None:
    study = {"tx_isolation": "READ-COMMITTED", "log_replica_updates": True, "nonsense": 1}
    assert translate(mariadb_build, study) == {
        "transaction_isolation": "READ-COMMITTED",
        "log_slave_updates": True,
        "nonsense": 1,
    }
    assert known_only(mariadb_build, study) == {"tx_isolation": "READ-COMMITTED", "log_replica_updates": True}
    check_variables(mariadb_build, {"tx_isolation": "READ-COMMITTED"})
    with pytest.raises(InputError, match="tx_isolation and transaction_isolation are one variable"):
        check_variables(mariadb_build, {"tx_isolation": 1, "transaction_isolation": 1})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Build]:
    """A build of some version that has these variables, whether it is on this machine or not."""

    def made(text: str, **defaults: str) -> Build:
        monkeypatch.setattr(translate_module, "catalogue", lambda *_: Catalogue(defaults, frozenset()))
        flavour, _, number = text.partition("@")
        version = tuple(map(int, number.split(".")))
        return Build(flavour, version, number, Path("/opt/bin/mysqld"), Path("/opt"), None)

    return made


TWO, THREE, ONE = ({"innodb_log_file_size": "5242880", "innodb_log_files_in_group": n} for n in "231")
ONLY = {"innodb_log_file_size": "100663296"}
NEW = {"innodb_redo_log_capacity": "104857600"}


@pytest.mark.parametrize(
    ("use", "has", "told", "note"),
    [
        ("mysql@5.5.9", TWO, {"innodb_log_file_size": 48 << 20}, "in 2 files"),
        ("mysql@5.7.44", THREE, {"innodb_log_file_size": 32 << 20}, "in 3 files"),
        ("mysql@8.0.36", TWO | NEW, {"innodb_redo_log_capacity": "96M"}, ""),
        ("mysql@9.7.4", NEW, {"innodb_redo_log_capacity": "96M"}, ""),
        ("mariadb@10.1.23", TWO, {"innodb_log_file_size": 48 << 20}, "in 2 files"),
        # It still shows the number of files, and makes one whatever that says.
        ("mariadb@10.5.29", TWO, {"innodb_log_file_size": 96 << 20}, "in one file"),
        ("mariadb@10.11.6", ONLY, {"innodb_log_file_size": 96 << 20}, "in one file"),
    ],
)
def test_the_redo_log_is_said_as_one_size(
    server: Callable[..., Build], use: str, has: dict[str, str], told: dict[str, Scalar], note: str
) -> None:
    build = server(use, **has)
    (setting,) = settings(build, {"innodb-redo-log-capacity": "96M"})
    assert {setting.name: setting.value} == told
    assert setting.note.endswith(note)
    running = has | {name: str(96 << 20 if value == "96M" else value) for name, value in told.items()}
    running["version"] = use.partition("@")[2] + ("-MariaDB" if "mariadb" in use else "")
    asked = {"innodb_redo_log_capacity": "96M"}
    assert check_in_force(asked, running, where="there") == {"innodb_redo_log_capacity": str(96 << 20)}
    with pytest.raises(ServerError, match="asked for 97M, the server has 100663296"):
        check_in_force({"innodb_redo_log_capacity": "97M"}, running, where="there")


def test_the_number_of_files_may_be_the_studys(server: Callable[..., Build]) -> None:
    build = server("mysql@5.6.24", **TWO)
    told = translate(build, {"innodb_log_files_in_group": 4, "innodb_redo_log_capacity": "1G"})
    assert told == {"innodb_log_files_in_group": 4, "innodb_log_file_size": 256 << 20}
    with pytest.raises(InputError, match="cannot be divided among the 3 redo files of MySQL 5"):
        translate(build, {"innodb_log_files_in_group": 3, "innodb_redo_log_capacity": "1G"})


def test_old_switches_take_digits(server: Callable[..., Build]) -> None:
    has = {"innodb_doublewrite": "TRUE", "sql_mode": ""}
    said: dict[str, Scalar] = {"innodb_doublewrite": False, "sql_mode": "OFF"}
    assert translate(server("mysql@5.5.9", **has), said) == {"innodb_doublewrite": 0, "sql_mode": "OFF"}
    assert translate(server("mysql@5.6.24", **has), said) == said


@pytest.mark.parametrize("has", [ONE | NEW, ONLY])
def test_a_size_that_is_said_twice(server: Callable[..., Build], has: dict[str, str]) -> None:
    both = {"innodb_redo_log_capacity": "1G", "innodb_log_file_size": "1G"}
    with pytest.raises(InputError, match="are one variable on"):
        translate(server("mysql@8.0.36" if NEW.items() <= has.items() else "mariadb@11.4.5", **has), both)


def test_names_in_force_are_those_of_the_running_server() -> None:
    actual = {"version": "5.6.24", "tx_isolation": "READ-COMMITTED"}
    asked = {"transaction_isolation": "READ-COMMITTED"}
    assert check_in_force(asked, actual, where="there") == asked


@pytest.mark.live
def test_either_name_is_set_and_verified(new: Callable[..., Instance]) -> None:
    for name in ("transaction_isolation", "tx_isolation"):
        with new({name: "READ-COMMITTED"}) as server:
            assert server.verify() == {name: "READ-COMMITTED"}


def test_options_of_an_options_file_are_the_variables_that_they_set(mariadb_build: Build) -> None:
    """`skip_`, `loose_` and options that set no variable, as in my.cnf."""
    study: dict[str, Scalar] = {
        "skip_log_bin": True,
        "skip_innodb_doublewrite": "ON",
        "loose_innodb_io_capacity": 300,
        "loose_nonsense": 1,
        "skip_name_resolve": True,
        "plugin_load_add": "ha_blackhole",
        "skip_host_cache": True,
    }
    given = settings(mariadb_build, study)
    text = options_text(mariadb_build, places={}, variables=given)
    lines = [
        line.partition("  #")[0] for line in text.partition("# variables of the study\n")[2].splitlines()
    ]
    assert lines == [
        "skip_log_bin",
        "innodb_doublewrite=OFF",
        "innodb_io_capacity=300",
        "skip_name_resolve=ON",
        "plugin_load_add=ha_blackhole",
        "skip_host_cache",
    ]
    check_variables(mariadb_build, {name: value for name, value in study.items() if "plugin" not in name})
    actual = {"version": "10.11.1-MariaDB", "log_bin": "OFF", "innodb_doublewrite": "OFF"}
    actual |= {"innodb_io_capacity": "300", "skip_name_resolve": "ON"}
    options = {"plugin_load_add", "skip_host_cache"}
    assert check_in_force(study, actual, where="a server", options=options).keys() >= options
    for name, value in (("log_bin", "ON"), ("innodb_doublewrite", "ON"), ("innodb_io_capacity", "200")):
        with pytest.raises(ServerError, match=name):
            check_in_force(study, {**actual, name: value}, where="a server", options=options)
    with pytest.raises(InputError, match="skip_networking: is set by the lab itself"):
        check_variables(mariadb_build, {"loose_skip_networking": True})


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "ha_rocksdb is not loaded"),
        ([("ROCKSDB", "DISABLED", "STORAGE ENGINE", "ha_rocksdb.so", "GPL")], "ha_rocksdb is disabled"),
        ([("ROCKSDB", "ACTIVE", "", "ha_rocksdb.so", ""), ("X", "DISABLED", "", "ha_rocksdb.so", "")], None),
    ],
)
def test_a_plugin_that_is_loaded_is_active(rows: list[tuple[str, ...]], said: str | None) -> None:
    class Answering:
        def rows(self, statement: str, arguments: object = (), columns: int = 0) -> list[tuple[str, ...]]:
            assert statement == "SHOW PLUGINS"
            return rows

    study = {"plugin_load_add": "ROCKSDB=ha_rocksdb.so"}
    if said is None:
        check_plugins(Answering(), study, "a server")  # type: ignore[arg-type]
    else:
        with pytest.raises(ServerError, match=said):
            check_plugins(Answering(), study, "a server")  # type: ignore[arg-type]
