"""What reading a load costs, and which files it left."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.measurement.run.experiments.bulk_load import reading, weight
from assay.measurement.run.experiments.resource_use import ResourceUse
from assay.measurement.run.experiments.table_files import table_files
from assay.system.server import forget_cached


def test_a_reading_is_counted_by_query() -> None:
    before = ResourceUse(cpu_us=5.0, read_bytes=1_000_000, written_bytes=7)
    after = ResourceUse(cpu_us=6.0, read_bytes=3_000_000, written_bytes=9)
    assert reading(1_000, 2.0, before, after, pages=250) == {
        "cold_qps": 500.0,
        "cold_read_bytes_per_query": 2_000.0,
        "cold_pages_per_query": 0.25,
    }


def test_a_reading_without_a_query_has_no_costs() -> None:
    same = ResourceUse(0.0, 0, 0)
    assert reading(0, 2.0, same, same, pages=3) == {"cold_qps": 0.0}


@pytest.mark.parametrize("folder", ["mysql", "sys", "#innodb_redo", ".hidden"])
def test_only_the_tables_files_are_weighed(tmp_path: Path, folder: str) -> None:
    for name in ("assay", folder):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.ibd").write_bytes(b"x")
    (tmp_path / "ibdata1").write_bytes(b"x")
    files = table_files(tmp_path)
    assert files == [tmp_path / "assay" / "t.ibd"]
    forget_cached(files)
    assert files[0].read_bytes() == b"x"


def test_a_row_weighs_what_its_table_s_files_weigh(tmp_path: Path) -> None:
    (tmp_path / "t.frm").write_bytes(b"x" * 100)
    assert weight([tmp_path / "t.frm"], rows=10) == {}
    (tmp_path / "t.ibd").write_bytes(b"x" * 900)
    assert weight([tmp_path / "t.frm", tmp_path / "t.ibd"], rows=10)["file_bytes_per_row"] == 100.0
