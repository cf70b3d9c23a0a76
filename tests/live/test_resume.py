"""`prepare --resume` where the storage engine knows no transactions: chunks may be there in part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

import pytest
from assay.system.server import Instance
from live_command import Finished

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]


def _do(mariadb: Instance, *statements: str) -> None:
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("USE assay")
        for statement in statements:
            cursor.execute(statement)


def _sums(mariadb: Instance, tables: Sequence[str]) -> dict[str, int]:
    """Checksums of the rows of each table, in whatever order they lie."""
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("USE assay")
        cursor.execute(f"CHECKSUM TABLE {', '.join(tables)} EXTENDED")
        return dict(cursor.fetchall())


TPCC = [
    *("item", "warehouse", "district", "stock", "customer"),
    *("history", "orders", "new_orders", "order_line"),
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("command", "tables", "broken"),
    [
        (
            ["tpcc", "--mysql-storage-engine=aria", "--foreign-keys=off"],
            TPCC,
            [
                "DELETE FROM assay_tpcc",  # the load did not come to its end
                "DELETE FROM item WHERE i_id % 3 = 0",
                "DELETE FROM district WHERE d_id = 7",
                "DELETE FROM stock WHERE s_i_id BETWEEN 500 AND 900",
                "DELETE FROM customer WHERE c_d_id = 2 AND c_id > 1000",
                "DELETE FROM history WHERE h_d_id = 10",
                "DELETE FROM orders WHERE o_d_id = 3 AND o_id < 7",
                "DELETE FROM new_orders WHERE no_d_id = 1",
                "DELETE FROM order_line WHERE ol_d_id = 5 AND ol_number > 3",
                "DELETE FROM order_line WHERE ol_d_id = 6",
            ],
        ),
        (
            ["oltp_read_write", "--mysql-storage-engine=myisam", "--table-size=30000"],
            ["sbtest1"],
            ["DELETE FROM sbtest1 WHERE id % 10 = 0 AND id < 20000", "DELETE FROM sbtest1 WHERE id > 20000"],
        ),
    ],
    ids=["tpcc on Aria", "oltp on MyISAM"],
)
def test_what_is_there_of_a_chunk_is_replaced(
    assay: Assay, mariadb: Instance, command: list[str], tables: list[str], broken: list[str]
) -> None:
    workload, *options = command
    bench = ("bench", workload)
    where = [*options, "--socket", str(mariadb.socket), "--db", "assay", "--threads=2"]
    made = assay(*bench, "prepare", *where)
    assert made.code == 0, made.err
    try:
        whole = _sums(mariadb, tables)
        _do(mariadb, *broken)
        damaged = _sums(mariadb, tables)
        assert {name for name in whole if whole[name] == damaged[name]} <= {"assay.warehouse"}
        again = assay(*bench, "prepare", *where, "--resume")
        assert again.code == 0, again.err
        assert _sums(mariadb, tables) == whole
        checked = assay(*bench, "check", *where)
        assert checked.code == 0, checked.err
    finally:
        assert assay(*bench, "cleanup", *where).code == 0
