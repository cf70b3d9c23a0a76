"""Data that are generated of the tables of a built-in workload are like them: keys of several columns, and no
foreign keys.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from assay.design.plan import OwnData
from assay.experiments.own import Wanted, profile_of
from assay.measurement.source.dataset.own_tables import Loading, settle
from assay.system.engine import jobs, run_job
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Connection, Instance

pytestmark = pytest.mark.live
NODES = 3000


def test_generated_tables_of_linkbench_are_like_them(mariadb: Instance, tmp_path: Path) -> None:
    source, twin = "links_source", "links_twin"
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {source}")
        try:
            target = jobs.in_database(jobs.target(mariadb.address), source)
            options = {"maxid1": NODES + 1, "partitions": 0}
            job = jobs.job("prepare", target=target, workload="linkbench", options=options, seed=1)
            run_job(job, interrupts=Interrupts()).require()
            dsn = f"dsn:mysql://root@localhost/{source}?socket={mariadb.socket}"
            path = tmp_path / "links.data.toml"
            path.write_text(profile_of(Wanted(dsn, rows=100_000, without=("assay_linkbench",))).text)
            own = OwnData(f"generate:{path.name}", str(path), "", twin)
            done, _ = Loading(mariadb.build, own, Interrupts()).carry_out(mariadb)
            settle(mariadb, own, done)
            _compare(connection, source, twin)
        finally:
            cursor.execute(f"DROP DATABASE IF EXISTS {source}")
            cursor.execute(f"DROP DATABASE IF EXISTS {twin}")


def _compare(connection: Connection, source: str, twin: str) -> None:
    columns = connection.rows(
        "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = %s",
        [twin],
        columns=3,
    )
    assert len(columns) == 17
    for table, column, kind in columns:
        found = [
            [value for (value,) in connection.rows(f"SELECT `{column}` FROM {name}.`{table}`")]
            for name in (source, twin)
        ]
        what = f"{table}.{column}"
        assert len(found[0]) == len(found[1]) > NODES / 2, what
        different = [len(set(values)) for values in found]
        assert abs(different[1] / different[0] - 1) <= 0.05, (what, different)
        if "text" in kind or "char" in kind:
            lengths = [sum(map(len, values)) for values in found]
            assert abs(lengths[1] / lengths[0] - 1) <= 0.05, (what, lengths)
        else:
            assert _distance(*found) <= 0.02, what
    # Links of a node, which its key says and no foreign key.
    links = [
        sorted(Counter(connection.rows(f"SELECT link_type, id1 FROM {name}.linktable", columns=2)).values())
        for name in (source, twin)
    ]
    assert _distance(*links) <= 0.02


def _distance(source: list[int], made: list[int]) -> float:
    one, two = sorted(source), sorted(made)
    places = {one[len(one) * part // 20] for part in range(20)}
    return max(abs(bisect_right(one, at) / len(one) - bisect_right(two, at) / len(two)) for at in places)
