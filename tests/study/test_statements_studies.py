"""Studies whose workload is a file of statements: the files that it names are the study's."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import make_plan
from assay.design.study import Study, parse_study, study_hash
from assay.system.engine import script_listing

TEXT = """
[study]
name = "s"
[server]
use = "mariadb"
[workload]
use = "sql:kit/shop.sql"
mix = 5
[load]
threads = [2, 8]
terminals = 20
"""
SHOP = """
-- @data schema.sql, 'rows/all.sql'   -- and a remark
-- @option mix = 10: weight
-- @let (id, name) = csv(users.csv: id, name), other = csv(more.csv: id)
-- @transaction a weight=$mix
SELECT :id, :name, :other FROM t;
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kit/rows").mkdir(parents=True)
    (tmp_path / "kit/shop.sql").write_text(SHOP)
    (tmp_path / "kit/schema.sql").write_text("CREATE TABLE t (id INT)")
    (tmp_path / "kit/rows/all.sql").write_text("INSERT INTO t VALUES (1)")
    (tmp_path / "kit/users.csv").write_text("id,name\n1,a\n")
    (tmp_path / "kit/more.csv").write_text("id\n1\n")
    return tmp_path


def study(folder: Path) -> Study:
    return parse_study(TEXT, folder / "s.toml")


def test_the_files_that_statements_name_are_part_of_the_study(folder: Path) -> None:
    first = study(folder)
    files = {"sql:kit/shop.sql", "kit/schema.sql", "kit/rows/all.sql", "kit/users.csv", "kit/more.csv"}
    assert set(first.workload.files) == files
    (one,) = make_plan(first, seed=1).treatments
    assert one.script is not None
    listing = script_listing(one.workload, one.script)
    assert listing["options"]["properties"]["mix"]["default"] == 10
    assert listing["prepares"]
    for name in files - {"sql:kit/shop.sql"}:
        path = folder / name
        before = path.read_text()
        path.write_text(before + "\n")
        changed = study(folder)
        assert study_hash(changed) != study_hash(first), name
        (other,) = make_plan(changed, seed=1).treatments
        assert other.script is not None
        makes_tables = not name.endswith(".csv")
        changes = script_listing(other.workload, other.script)["identity"] != listing["identity"]
        assert changes == makes_tables, name
        path.write_text(before)


def test_a_file_that_is_not_there_is_named(folder: Path) -> None:
    (folder / "kit/rows/all.sql").unlink()
    with pytest.raises(InputError, match=r"kit/rows/all\.sql: cannot be read"):
        study(folder)


def test_what_is_wrong_in_a_file_is_said_where_it_stands(folder: Path) -> None:
    (folder / "kit/shop.sql").write_text(SHOP.replace(":name,", ":nam,"))
    (one,) = make_plan(study(folder), seed=1).treatments
    assert one.script is not None
    with pytest.raises(InputError, match=r"^shop\.sql:6:13: :nam is never drawn; did you mean :name\?"):
        script_listing(one.workload, one.script)
