"""Which treatments share a dataset."""

from __future__ import annotations

import re

import pytest
from assay.dataset.key import NO_TABLES, DatasetKey, dataset_key
from assay.folder.manifest import Scalar


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
    monkeypatch.setattr("assay.dataset.key.rows_version", lambda _workload: 3)
    assert key().id != known.id
    assert key().data_id != known.data_id


def test_only_variables_that_shape_files_count() -> None:
    def with_variables(**variables: Scalar) -> str:
        return dataset_key("b", "oltp_insert", {}, variables).id

    plain = with_variables()
    assert with_variables(innodb_io_capacity=400, innodb_buffer_pool_size="1G") == plain
    assert with_variables(innodb_page_size=4096) != plain
    assert dataset_key("b", "oltp_insert", {}, {"innodb-page-size": 4096}).id == with_variables(
        innodb_page_size=4096
    )


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
