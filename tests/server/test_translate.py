"""One name for a variable, whatever the server calls it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from assay.errors import InputError
from assay.server import Build, Instance, check_variables, known_only
from assay.server.check import check_in_force
from assay.server.flavour import FLAVOURS
from assay.server.translate import name_there, translate


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


def test_names_in_force_are_those_of_the_running_server() -> None:
    actual = {"version": "5.6.24", "tx_isolation": "READ-COMMITTED"}
    asked = {"transaction_isolation": "READ-COMMITTED"}
    assert check_in_force(asked, actual, where="there") == asked


@pytest.mark.live
def test_either_name_is_set_and_verified(new: Callable[..., Instance]) -> None:
    for name in ("transaction_isolation", "tx_isolation"):
        with new({name: "READ-COMMITTED"}) as server:
            assert server.verify() == {name: "READ-COMMITTED"}
