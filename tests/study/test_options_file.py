"""A my.cnf as a study's server variables."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.errors import InputError
from assay.study import changed_text, parse_study

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
        ("[mysqld]\n!include gone.cnf", "gone.cnf cannot be read"),
        ("[mysqld]\n!include my.cnf", "in a cycle"),
    ],
)
def test_what_is_wrong_is_told_at_the_key(tmp_path: Path, my_cnf: str, said: str) -> None:
    path = _folder(tmp_path, my_cnf)
    with pytest.raises(InputError) as caught:
        parse_study(STUDY, path)
    assert f"{path}:5: server.options_file: " in str(caught.value)
    assert said in f"{caught.value} {caught.value.detail}"
