"""What a server would refuse of a load is told before the load, by plan and run alike."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from typing import Any, cast

import pytest
from assay.base.errors import InputError
from assay.measurement.source import Trials
from assay.measurement.source.session_check import check_session
from assay.measurement.source.trial_starts import try_starts
from assay.system.server import Build, Connection, Instance
from assay.testing.builders import treatment

USAGE = "GRANT USAGE ON *.* TO `app`@`%`"
MARIADB = "10.11.14-MariaDB"


class _Server:
    """Answers with the variables of a session, and with the grants of its account."""

    def __init__(self, grants: str, **variables: str) -> None:
        self._said = {"SHOW SESSION VARIABLES": list(variables.items()), "SHOW GRANTS": [(grants,)]}

    def rows(self, sql: str, *_: object, **__: object) -> list[Any]:
        return list(self._said[sql])


def asked(
    workload: str = "oltp_read_write",
    grants: str = USAGE,
    dynamic: dict[str, str] | None = None,
    **variables: str,
) -> str:
    """Returns why the load is refused, or why its tables cannot be made; empty where nothing is wrong."""
    reasons: list[str] = []
    connection = cast(Connection, _Server(grants, **{"version": MARIADB, **variables}))
    one = treatment(workload=workload, dynamic=dynamic or {})
    try:
        check_session(connection, one, "here", connections=8, make_tables=reasons.append)
    except InputError as error:
        return f"{error.message}; {error.hint}"
    return " ".join(reasons)


@pytest.mark.parametrize(
    ("name", "bad", "good"),
    [
        ("max_statement_time", "0.01", "0.000000"),
        ("max_statement_time", "0.999", "1.000000"),
        ("max_execution_time", "10", "1000"),
        ("max_user_connections", "7", "8"),
        ("max_prepared_stmt_count", "0", "16382"),
        ("max_prepared_stmt_count", "7", "8"),
        ("read_only", "ON", "OFF"),
        ("read_only", "NO_LOCK_NO_ADMIN", "OFF"),
        ("super_read_only", "ON", "OFF"),
        ("tx_read_only", "1", "0"),
        ("transaction_read_only", "ON", "OFF"),
        ("innodb_read_only", "ON", "OFF"),
        ("enforce_storage_engine", "Aria", "InnoDB"),
        ("disabled_storage_engines", "MyISAM,InnoDB", "MyISAM,BLACKHOLE"),
    ],
)
def test_a_variable_that_refuses_the_load_is_named(name: str, bad: str, good: str) -> None:
    assert name in asked(**{name: bad})
    assert asked(**{name: good}) == ""
    assert asked(**{name: "something of tomorrow"}) == "" or name.endswith("read_only") or "engine" in name
    assert name in asked(dynamic={name: bad})  # a run sets it
    assert asked(dynamic={name: good}, **{name: bad}) == ""


@pytest.mark.parametrize("name", ["read_only", "super_read_only", "tx_read_only"])
def test_a_load_that_only_reads_is_told_of_its_tables_alone(name: str) -> None:
    reads = asked("oltp_read_only", **{name: "ON"})
    assert name in reads
    assert "the load writes" not in reads
    assert "the load writes" in asked(**{name: "ON"})


@pytest.mark.parametrize(
    ("grants", "version", "writes"),
    [
        ("GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost`", MARIADB, True),
        ("GRANT ALL PRIVILEGES ON `shop`.* TO `app`@`%`", MARIADB, False),
        ("GRANT SELECT, READ ONLY ADMIN ON *.* TO `app`@`%`", MARIADB, True),
        ("GRANT SUPER ON *.* TO `app`@`%`", MARIADB, False),
        ("GRANT SUPER ON *.* TO `app`@`%`", "10.4.1-MariaDB", True),
        ("GRANT SELECT, SUPER ON *.* TO `app`@`%`", "8.0.36", True),
        ("GRANT CONNECTION_ADMIN ON *.* TO `app`@`%`", "8.4.0", True),
    ],
)
def test_accounts_that_write_to_a_server_that_is_read_only(grants: str, version: str, writes: bool) -> None:
    assert (asked(grants=grants, version=version, read_only="ON") == "") == writes
    assert asked(grants=grants, version=version, super_read_only="ON")


GIVEN = [{"max_statement_time": "0.01"}, {"tx_read_only": "ON"}, {"max-prepared-stmt-count": "0"}]
HARMLESS = [{"max_statement_time": "10"}, {"read_only": "ON"}, {"max_prepared_stmt_count": "9999"}]


class _Started(AbstractContextManager[Instance]):
    """Stands for a server that is started on trial."""

    def __enter__(self) -> Instance:
        raise InputError("it was started")

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_what_a_study_states_is_refused_before_a_start(mariadb_build: Build, given: dict[str, str]) -> None:
    one = treatment(name="t", workload="oltp_read_write", variables=given)
    with pytest.raises(InputError, match=f"t: .*{next(iter(given)).replace('-', '_')}"):
        try_starts(mariadb_build, [one], lambda one: one.variables, lambda _: _Started(), Trials(every=False))


@pytest.mark.parametrize("given", HARMLESS, ids=str)
@pytest.mark.parametrize("every", [True, False])
def test_a_private_server_is_tried_where_a_variable_may_refuse_the_load(
    mariadb_build: Build, given: dict[str, str], every: bool
) -> None:
    """Also by `assay run`, which tries few."""
    one = treatment(variables=given)
    with pytest.raises(InputError, match="it was started"):
        try_starts(mariadb_build, [one], lambda one: one.variables, lambda _: _Started(), Trials(every=every))


def _set(connection: Connection, setting: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET SESSION {setting}")


def test_a_server_says_what_its_sessions_are_refused(mariadb: Instance) -> None:
    one = treatment(workload="oltp_read_write")
    with closing(mariadb.connect()) as connection:
        check_session(connection, one, "here", connections=8)
        for setting, name in (
            ("max_statement_time = 0.9", "max_statement_time"),
            ("tx_read_only = 1", "tx_read_only"),
        ):
            _set(connection, setting)
            with pytest.raises(InputError, match=f"here: {name} = "):
                check_session(connection, one, "here", connections=8)
            _set(connection, f"{name} = DEFAULT")
