"""Studies whose workload is a file of statements: the files that it names are the study's."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import Plan, make_plan
from assay.design.study import Study, StudyText, parse_study, study_hash
from assay.system.engine import check_statements, script_listing, script_listings

SOURCE = StudyText(Path("s.toml"))
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


BRANCHES = """
-- @option writes = false
-- @data small.sql
-- @transaction a
-- @if $writes
-- @label change
UPDATE t SET id = :id WHERE id = 0;   -- @let id = int(1..9)
-- @else
-- @label read
SELECT id FROM t;
-- @end
"""


def branches(tmp_path: Path, text: str = BRANCHES) -> Plan:
    (tmp_path / "b.sql").write_text(text)
    (tmp_path / "small.sql").write_text("CREATE TABLE t (id INT)")
    study = TEXT.replace("kit/shop.sql", "b.sql").replace("mix = 5\n", "")
    factor = '[[factor]]\nname = "workload.writes"\nlevels = [false, true]\n'
    return make_plan(parse_study(study + factor, tmp_path / "s.toml"), seed=1)


def test_what_a_treatment_sends_is_read_with_its_options(tmp_path: Path) -> None:
    of = {one.name: one for one in branches(tmp_path).treatments}
    scripts = {
        name: script_listing(one.workload, one.script, one.workload_options)
        for name, one in of.items()
        if one.script
    }
    assert {name: one["writes"] for name, one in scripts.items()} == {"writes=off": False, "writes=on": True}
    assert scripts["writes=off"]["identity"] == scripts["writes=on"]["identity"]


def test_what_is_wrong_for_one_treatment_is_said_before_any_runs(tmp_path: Path) -> None:
    plan = branches(tmp_path, BRANCHES.replace("@let id", "@let di"))
    script_listings(plan, SOURCE)
    with pytest.raises(InputError, match=r"b\.sql:7:19: :id is never drawn.* \(with writes=on\)"):
        check_statements(plan, SOURCE)
