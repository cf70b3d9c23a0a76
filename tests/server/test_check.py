"""Variables are refused before anything starts, by asking the real binary."""

from __future__ import annotations

import pytest
from assay.base.errors import InputError, ServerError
from assay.design.folder.manifest import Scalar
from assay.system.server import Build, check_variables
from assay.system.server.variables.catalogue import catalogue, try_options
from assay.system.server.variables.check import _matches, check_in_force, numbered_by


def refused(build: Build, **variables: Scalar) -> ServerError:
    with pytest.raises(ServerError) as caught:
        check_variables(build, variables)
    return caught.value


def test_what_a_server_takes_as_it_is(mariadb_build: Build) -> None:
    check_variables(
        mariadb_build,
        {
            "innodb_buffer_pool_size": "64M",
            "innodb-flush-log-at-trx-commit": 2,
            "innodb_flush_method": "fsync",
            "innodb_max_dirty_pages_pct": 75.5,
            "innodb_doublewrite": False,
            "transaction_isolation": "read-committed",
            "sql_mode": "NO_ZERO_DATE,STRICT_ALL_TABLES",
            "optimizer_switch": "mrr=on",
            "log_bin": "binlog",
            "performance_schema": True,
            "max_connections": 500,
        },
    )


NUMBERED = {"concurrent_insert": 2, "completion_type": 1, "binlog_row_image": 1, "thread_handling": 0}


def test_the_number_of_a_word_is_the_word_before_the_start_and_after_it(mariadb_build: Build) -> None:
    check_variables(mariadb_build, NUMBERED)
    words = try_options(mariadb_build, NUMBERED).values
    actual = {name: words[name] for name in NUMBERED} | {"version": mariadb_build.version_text}
    rule = numbered_by(mariadb_build)
    assert check_in_force(NUMBERED, actual, where="here", is_numbered=rule) == {
        name: words[name] for name in NUMBERED
    }
    with pytest.raises(ServerError, match="concurrent_insert: asked for 1, the server has ALWAYS"):
        check_in_force({"concurrent_insert": 1}, actual, where="here", is_numbered=rule)


@pytest.mark.parametrize(("name", "value"), [("slow_query_log", 2), ("innodb_flush_method", 99)])
def test_a_number_without_a_word_is_none(mariadb_build: Build, name: str, value: int) -> None:
    assert f"{name}: " in refused(mariadb_build, **{name: value}).message


def test_an_unknown_name_is_answered_with_the_nearest(mariadb_build: Build) -> None:
    error = refused(mariadb_build, innodb_io_capasity=300)
    assert "innodb_io_capasity: no such variable; nearest: innodb_io_capacity" in error.message
    assert f"MariaDB {mariadb_build.version_number}" in error.message


def test_a_unique_beginning_is_no_name(mariadb_build: Build) -> None:
    # The server would take it, and a study that says it would break with the next version.
    assert "innodb_io_capacity_max" in refused(mariadb_build, innodb_io_capacity_m=3000).message


def test_a_variable_of_other_versions_is_explained(mariadb_build: Build) -> None:
    error = refused(mariadb_build, innodb_buffer_pool_instances=8)
    assert "does not have it since 10.6: there is one buffer pool" in error.message
    error = refused(mariadb_build, innodb_log_files_in_group=2)
    assert "does not have it since 10.6: there is one redo log file" in error.message


def test_a_value_is_refused_with_what_the_study_says(mariadb_build: Build) -> None:
    check_variables(mariadb_build, {"innodb_redo_log_capacity": "1G"})
    error = refused(mariadb_build, innodb_redo_log_capacity="1M")
    assert "innodb_log_file_size: asked for 1048576, the server would use 4194304" in error.message
    assert "(innodb_redo_log_capacity = 1M of the study, in one file)" in error.message
    with pytest.raises(InputError, match="innodb_log_file_size: '1GB' is not a size that the server reads"):
        check_variables(mariadb_build, {"innodb_redo_log_capacity": "1GB"})


@pytest.mark.parametrize(
    ("variable", "value", "instead"),
    [
        ("innodb_io_capacity", 1, "100"),
        ("table_open_cache", 5, "10"),
        ("innodb_read_io_threads", 999, "64"),
        ("innodb_max_dirty_pages_pct", 200, "99.999"),
        ("innodb_log_file_size", "1M", "4194304"),
    ],
)
def test_a_value_that_would_be_clamped(
    mariadb_build: Build, variable: str, value: Scalar, instead: str
) -> None:
    error = refused(mariadb_build, **{variable: value})
    assert f"{variable}: asked for {value}, the server would use {instead}" in error.message
    assert "adjusted to" in error.message


@pytest.mark.parametrize(
    ("variable", "value"),
    [("innodb_flush_method", "wrong"), ("innodb_doublewrite", "hh"), ("performance_schema", "maybe")],
)
def test_a_value_that_would_be_ignored(mariadb_build: Build, variable: str, value: str) -> None:
    assert (
        f"{variable}: asked for {value}, the server would use"
        in refused(mariadb_build, **{variable: value}).message
    )


@pytest.mark.parametrize(
    ("variable", "value"), [("sync_binlog", True), ("binlog_format", 5), ("sql_mode", "FOO")]
)
def test_a_value_that_would_keep_it_from_starting(mariadb_build: Build, variable: str, value: Scalar) -> None:
    assert f"variable {variable}: " in refused(mariadb_build, **{variable: value}).message
    assert "refused: " in refused(mariadb_build, **{variable: value}).message


def test_a_unit_that_the_server_would_cut_short(mariadb_build: Build) -> None:
    with pytest.raises(InputError) as caught:
        check_variables(mariadb_build, {"innodb_buffer_pool_size": "2GB"})
    assert (
        "innodb_buffer_pool_size: '2GB' is not a size that the server reads; write \"2G\""
        in caught.value.message
    )


def test_all_faults_are_listed(mariadb_build: Build) -> None:
    error = refused(mariadb_build, innodb_io_capacity=1, no_such_thing=1, sync_binlog=1)
    assert "(and 1 more)" in error.message
    assert "no_such_thing: " in (error.detail or "")
    assert "innodb_io_capacity: asked for 1" in (error.detail or "")
    assert "sync_binlog" not in (error.detail or "")


def test_what_the_lab_sets_is_not_the_studys(mariadb_build: Build) -> None:
    with pytest.raises(InputError, match="datadir: is set by the lab"):
        check_variables(mariadb_build, {"datadir": "/somewhere"})


def test_the_catalogue_knows_numbers(mariadb_build: Build) -> None:
    known = catalogue(mariadb_build)
    assert len(known.defaults) > 300
    assert {"innodb_buffer_pool_size", "max_connections", "innodb_io_capacity"} <= known.numeric
    assert not {"sql_mode", "innodb_flush_method", "binlog_format"} & known.numeric


def test_all_that_is_wrong_with_variables_is_told_at_once(mariadb_build: Build) -> None:
    wrong: dict[str, Scalar] = {
        "datadir": "/x",
        "port": 3306,
        "innodb_buffer_pool_size": "2GB",
        "nonsense": 1,
        "innodb_max_dirty_pages_pct": 200,
    }
    with pytest.raises(InputError, match="datadir: is set by the lab itself") as caught:
        check_variables(mariadb_build, wrong)
    assert caught.value.detail is not None
    assert [line.strip().partition(":")[0] for line in caught.value.detail.splitlines()] == list(wrong)


@pytest.mark.parametrize(
    ("asked", "shown", "is_it"),
    [("%=ON", "%", True), ("%=ON", "%=ON", True), ("%=ON", "wait/%", False), ("wait/%=ON", "%", False)],
)
def test_an_option_that_the_server_takes_apart_is_known_by_its_first_part(
    asked: str, shown: str, is_it: bool
) -> None:
    """MySQL 5.6 shows `%` for `%=ON`."""
    assert _matches("performance-schema-instrument", asked, shown) is is_it
