"""A my.cnf as a study's server variables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.study import changed_text, parse_study
from assay.design.study.text.options_file import read_options_file

STUDY = """[study]
name = "s"
[server]
use = "mariadb"
options_file = "my.cnf"
[server.variables]
max_connections = 150
[workload]
use = "oltp_point_select"
[load]
threads = [1]
[[factor]]
name = "server.variables.innodb_io_capacity"
levels = [200, 400]
"""
MY_CNF = """# of another machine
[client]
port = 3306
[mysqld]
datadir = /var/lib/mysql
max_connections = 999
innodb-buffer-pool-size = 128M  # small
innodb_io_capacity = 2000
loose-rocksdb_max_open_files = -1
skip-name-resolve
performance_schema_instrument = 'memory/%=ON # all'
sql_mode =
slow_query_log_file = /var/log/slow.log
!includedir conf.d/
[mysqld-8.4]
restrict_fk_on_non_standard_key = 1
[mysqldump]
quick
"""


def _folder(tmp_path: Path, my_cnf: str = MY_CNF) -> Path:
    (tmp_path / "my.cnf").write_text(my_cnf)
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "b.cnf").write_text("[mariadb]\nback_log = 70\n")
    (tmp_path / "conf.d" / "a.cnf").write_text("[mysqld]\nback_log = 60\n")
    (tmp_path / "conf.d" / "no.txt").write_text("[mysqld]\nback_log = 1\n")
    return tmp_path / "s.toml"


def test_it_fills_what_the_study_neither_sets_nor_varies(tmp_path: Path) -> None:
    path = _folder(tmp_path)
    study = parse_study(STUDY, path)
    assert study.server.variables == {
        "max_connections": 150,
        "innodb_buffer_pool_size": "128M",
        "loose_rocksdb_max_open_files": -1,
        "skip_name_resolve": True,
        "performance_schema_instrument": "memory/%=ON # all",
        "sql_mode": "",
        "back_log": 70,
    }
    said = "\n".join(study.left_out)
    for name in ("datadir", "slow_query_log_file", "restrict_fk_on_non_standard_key of [mysqld-8.4]"):
        assert name in said
    assert "port" not in said  # a client's


def test_a_results_folder_keeps_the_variables_and_not_the_file(tmp_path: Path) -> None:
    path = _folder(tmp_path)
    kept = changed_text(STUDY, path, {}).kept
    (tmp_path / "my.cnf").unlink()
    assert "options_file" not in kept
    assert parse_study(kept, path).server.variables == parse_study(kept, path, measured=True).server.variables
    assert parse_study(kept, path).server.variables["back_log"] == 70


@pytest.mark.parametrize(
    ("my_cnf", "said"),
    [
        ("[mysqld]\n@foo = 3", "my.cnf:2: expected an option"),
        ("[mysqld]\ninnodb_buffer_pool_size = 2GB", 'did you mean "2G"'),
        ("[client]\nport = 1", "sets no option of a server"),
        ("[mysqld]\n!include gone.cnf", "gone.cnf: cannot be read: No such file"),
        ("[mysqld]\n!include my.cnf", "in a cycle"),
        ("[mysqld]\n!includedir .", "in a cycle"),
        ("[mysqld]\n!includedir gone.d", "my.cnf:2: {folder}/gone.d cannot be read: No such file"),
        ("[mysqld]\n!includedir my.cnf", "cannot be read: Not a directory"),
        ("[mysqld]\n!include conf.d", "conf.d: cannot be read: Is a directory"),
        (
            "[mysqld]\n!include pipe",
            "pipe: cannot be read: an options file must be a regular file, not a named pipe",
        ),
        ("[mysqld]\n!include ring.cnf", "ring.cnf': cannot be read: "),
        ("[mysqld]\n!include", "my.cnf:2: expected !include FILE or !includedir FOLDER"),
        ("!foo conf.d\n[mysqld]\nback_log=1", "my.cnf:1: expected !include FILE"),
        ("[mysqld\nback_log = 1", "my.cnf:1: expected ] at the end of the group's name"),
        ("[ mysqld ]\nback_log = 1", "my.cnf:1: expected [mysqld], without blanks"),
        ("back_log = 1\n[mysqld]", "my.cnf:1: expected a group, as in [mysqld]"),
        ("[mysqld]\nback_log = 1\0", "my.cnf:2: expected text, found a NUL byte"),
        (f"[mysqld]\ninit_connect={'x' * 5000}", "my.cnf:2: expected at most 4,094 bytes"),
        ("[mysqld]\n=5", "my.cnf:2: expected an option"),
        ("[mysqld]\n--back_log=5", "my.cnf:2: expected an option"),
    ],
)
def test_what_is_wrong_is_told_at_the_key(tmp_path: Path, my_cnf: str, said: str) -> None:
    path = _folder(tmp_path, my_cnf)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "ring.cnf").symlink_to("ring.cnf")
    with pytest.raises(InputError) as caught:
        parse_study(STUDY, path)
    assert f"{path}:5: server.options_file: " in str(caught.value)
    assert said.format(folder=tmp_path) in f"{caught.value} {caught.value.detail}"


@pytest.mark.parametrize(
    ("my_cnf", "expected"),
    [
        ("[mysqld] ; ours\nback_log=1", {"back_log": 1}),
        ("[MYSQLD]\r\nback-log=1\r\n", {"back_log": 1}),
        ("\ufeff[mysqld]\nback_log=1", {"back_log": 1}),
        ("[client-server]\nback_log=1", {"back_log": 1}),
        (
            "[mysqld]\nback_log=1#x\ninnodb_io_capacity_max=2000# y",
            {"back_log": 1, "innodb_io_capacity_max": 2000},
        ),
        ("[mysqld]\nback_log=1\nback-log=2\nloose-back_log=3", {"loose_back_log": 3}),
        ("[mysqld]\nskip-innodb_doublewrite\ninnodb-doublewrite=1", {"innodb_doublewrite": 1}),
        ("[mysqld]\nplugin-load-add=a\nplugin_load_add=b", {"plugin_load_add": "a;b"}),
        ("[mysqld]\noptimizer_switch=mrr=on\noptimizer_switch='a=off'", {"optimizer_switch": "mrr=on,a=off"}),
        ('[mysqld]\ninit_connect="SET \\"a\\"\\s# "', {"init_connect": 'SET "a" # '}),
        ("[mysqld]\ninit_connect=a\u2028b\x0bc", {"init_connect": "a\u2028b\x0bc"}),
        ("[mysqld]\nback_log=\u0661", {"back_log": "\u0661"}),
    ],
)
def test_lines_mean_what_they_mean_to_a_server(
    tmp_path: Path, my_cnf: str, expected: dict[str, object]
) -> None:
    (tmp_path / "my.cnf").write_bytes(my_cnf.encode())
    assert read_options_file(tmp_path / "my.cnf").variables == expected


def test_what_no_study_can_hold_is_told(tmp_path: Path) -> None:
    lines = ["[galera]", "wsrep_on=1", "[mysqldd]", "back_log=1", "[mysqldump]", "quick", "[mysqld]"]
    lines += ["performance_schema_instrument=a=on", "performance-schema-instrument=b=on"]
    (tmp_path / "my.cnf").write_text("\n".join(lines))
    said = "\n".join(read_options_file(tmp_path / "my.cnf").left_out)
    for words in ("wsrep_on of [galera]", "back_log of [mysqldd]", "performance_schema_instrument = a=on"):
        assert words in said
    assert "quick" not in said


def test_folders_that_include_each_other_end(tmp_path: Path) -> None:
    for name in "abcdefgh":
        (tmp_path / f"{name}.cnf").write_text("[mysqld]\n!includedir .\n")
    problems = read_options_file(tmp_path / "a.cnf").problems
    assert any("in a cycle" in one for one in problems)
    assert len(problems) < 400


def test_a_name_that_is_none_and_a_file_of_something_else(tmp_path: Path) -> None:
    assert "embedded null byte" in read_options_file(tmp_path / "a\0b").problems[0]
    (tmp_path / "shadow").write_text("root:*:1\n" * 30)
    assert len(read_options_file(tmp_path / "shadow").problems) == 1
