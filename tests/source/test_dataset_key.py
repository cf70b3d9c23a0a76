"""Which treatments share a dataset."""

from __future__ import annotations

import re

import pytest
from assay.design.folder.manifest import Scalar
from assay.measurement.source.dataset.key import NO_TABLES, DatasetKey, dataset_key
from assay.measurement.source.dataset.shaping import initialising_variables, loading_variables


def key(
    build: str = "mariadb-10.11.19-0a1b2c3d", workload: str = "oltp_read_write", **options: Scalar
) -> DatasetKey:
    return dataset_key(build, workload, {"tables": 2, "table_size": 1000, **options}, {})


def test_statements_do_not_shape_data() -> None:
    assert key(range_size=10, skip_trx=True).id == key().id


def test_rows_do() -> None:
    others = [
        key(table_size=1001),
        key(create_secondary=False),
        key(mysql_storage_engine="myisam"),
        key(rand_type="uniform"),
        key(an_option_of_tomorrow=1),
        key(build="mysql-8.4.2-0a1b2c3d"),
        key(workload="select"),
    ]
    assert len({other.id for other in [key(), *others]}) == 8


def test_data_has_an_id_that_no_build_is_in() -> None:
    assert key(build="mysql-8.4.2-0a1b2c3d").data_id == key().data_id != key().id
    assert key(table_size=1001).data_id != key().data_id


@pytest.mark.parametrize(
    ("workload", "options", "name"),
    [
        (
            "oltp_read_write",
            {"tables": 2, "table_size": 1000, "range_size": 10, "skip_trx": True, "delete_inserts": 2},
            "oltp_read_write-ed1f20dd3571fd03",
        ),
        (
            "select_random_ranges",
            {"table_size": 5000, "delta": 7},
            "select_random_ranges-2e967ac362ba79c0",
        ),
        (
            "tpcc",
            {
                "warehouses": 3,
                "dialect": "spec",
                "history_key": "uuid",
                "mix": "weights",
                "new_order": 50,
                "payment": 38,
                "isolation": "server",
                "pacing": "spec",
                "statements": "batched",
            },
            "tpcc-7b3ac570008eb456",
        ),
    ],
)
def test_a_dataset_that_is_kept_is_found_again(workload: str, options: dict[str, Scalar], name: str) -> None:
    assert dataset_key("mariadb-10.11.19-0a1b2c3d", workload, options, {}).id == name


def test_rows_of_another_version_are_another_dataset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that an engine loaded which drew other rows from the same seed are not taken for these."""
    known = key()
    assert known.rows_version == 2
    monkeypatch.setattr("assay.measurement.source.dataset.key.rows_version", lambda _workload: 3)
    assert key().id != known.id
    assert key().data_id != known.data_id


def with_variables(variables: dict[str, Scalar], defaults: dict[str, str] | None = None) -> str:
    return dataset_key("b", "oltp_insert", {}, variables, defaults=defaults).id


@pytest.mark.parametrize(
    ("levels", "datasets"),
    [
        # known to shape files, on either flavour or a fork
        ([{"innodb_page_size": "8K"}, {"innodb_page_size": "16K"}], 2),
        ([{"innodb_fill_factor": 10}, {"innodb_fill_factor": 100}], 2),
        ([{"default_table_encryption": "OFF"}, {"default_table_encryption": "ON"}], 2),
        ([{"innodb_stats_persistent": True}, {"innodb_stats_persistent": False}], 2),
        ([{"rocksdb_default_cf_options": "a"}, {"rocksdb_default_cf_options": "b"}], 2),
        ([{"aria_block_size": 8192}, {"aria_block_size": 16384}], 2),
        ([{"sql_mode": "ANSI"}, {"sql_mode": ""}], 2),
        # on no list
        ([{"tokudb_row_format": "tokudb_lzma"}, {"tokudb_row_format": "tokudb_zlib"}], 2),
        ([{"a_variable_of_tomorrow": 1}, {"a_variable_of_tomorrow": 2}, {}], 3),
        ([{"local_infile": "ON"}, {"local_infile": "OFF"}], 2),
        # known to leave files alone, however they are written
        ([{"innodb_io_capacity": 400}, {"innodb-io-capacity": 800}, {}], 1),
        ([{"loose_innodb_buffer_pool_size": "1G"}, {"INNODB_BUFFER_POOL_SIZE": "2G"}], 1),
        ([{"skip_innodb_doublewrite": "ON"}, {"innodb_doublewrite": "DETECT_ONLY"}, {}], 1),
        ([{"innodb_flush_log_at_trx_commit": value} for value in (0, 1, 2)], 1),
        ([{"performance_schema_digests_size": 1}, {"optimizer_switch": "mrr=on"}, {"max_connections": 9}], 1),
        ([{"super_read_only": "ON"}, {"autocommit": "OFF"}, {"log_bin": "ON"}, {"sync_binlog": 1}], 1),
        ([{"thread_pool_size": 4}, {"thread_handling": "pool-of-threads"}, {"tls_version": "TLSv1.3"}], 1),
        # one value in several spellings
        ([{"innodb-page-size": 4096}, {"innodb_page_size": "4096"}, {"innodb_page_size": "4K"}], 1),
        ([{"innodb_file_per_table": True}, {"innodb_file_per_table": "on"}], 1),
        ([{"innodb_file_per_table": "1"}, {"innodb_file_per_table": 1}], 1),
    ],
    ids=lambda given: next(iter(given[0])) if isinstance(given, list) else "",
)
def test_only_variables_known_to_leave_files_alone_share_a_dataset(
    levels: list[dict[str, Scalar]], datasets: int
) -> None:
    assert len({with_variables(level) for level in levels}) == datasets


def test_default_values_need_no_dataset_of_their_own() -> None:
    usual = {"innodb_page_size": "16384", "innodb_file_per_table": "TRUE", "character_set_server": "latin1"}
    plain = with_variables({}, usual)
    assert with_variables({"innodb_page_size": "16K", "innodb_file_per_table": "ON"}, usual) == plain
    assert with_variables({"innodb_page_size": "8K"}, usual) != plain
    # A default may follow another variable: beside one that is not the default, nothing is left out.
    collation: dict[str, Scalar] = {"character_set_server": "latin1", "collation_server": "utf8mb3_bin"}
    assert dataset_key("b", NO_TABLES, {}, collation, defaults=usual).variables == collation
    # The data of two builds are compared by what the study says, not by what one of them does unasked.
    stated = [
        dataset_key(build, NO_TABLES, {}, {"innodb_page_size": "16K"}, defaults=known).data_id
        for build, known in (("a", usual), ("b", {"innodb_page_size": "8192"}))
    ]
    assert stated[0] == stated[1]


def test_a_load_has_what_shapes_it_and_nothing_that_hinders_it() -> None:
    usual = {"max_allowed_packet": "16777216", "max_connections": "151", "wait_timeout": "28800"}
    given: dict[str, Scalar] = {
        "innodb_fill_factor": 50,
        "Innodb-Buffer-Pool-Size": "64M",
        "max_allowed_packet": "1G",
        "max_connections": 5,
        "wait_timeout": 1,
        "super_read_only": "ON",
        "autocommit": "OFF",
        "init_connect": "SET autocommit=0",
        "innodb_force_recovery": 4,
        "sql_select_limit": 0,
    }
    shaping = dataset_key("b", NO_TABLES, {}, given, defaults=usual).variables
    assert shaping == {"innodb_fill_factor": 50}
    assert loading_variables(shaping, given, usual) == {
        "innodb_fill_factor": 50,
        "innodb_buffer_pool_size": "64M",
        "max_allowed_packet": "1G",
    }
    later: dict[str, Scalar] = {"init_file": "/x.sql", "enforce_storage_engine": "InnoDB"}
    assert initialising_variables({**shaping, **later}) == shaping


def test_the_id_is_a_folder_name_and_stays() -> None:
    assert re.fullmatch(r"oltp_read_write-[0-9a-f]{16}", key().id)
    assert key(a=1, b=2).id == key(b=2, a=1).id


def test_the_size_is_guessed_before_the_load() -> None:
    assert key(table_size=10_000_000).estimated_bytes() > 2 * 10_000_000 * 188
    server = dataset_key("b", NO_TABLES, {}, {}).estimated_bytes()
    one, four = (
        dataset_key("b", "tpcc", {"warehouses": count, "pacing": "spec"}, {}).estimated_bytes() - server
        for count in (1, 4)
    )
    assert 100e6 < (four - one) / 3 < 110e6
