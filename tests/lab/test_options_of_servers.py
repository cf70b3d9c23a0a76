"""The options of a my.cnf are divided among servers of which each has some of them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from assay.base.errors import HostError
from assay.design.study import load_study
from assay.experiments.lab import options_of_servers, shared_options
from assay.front.cli.study_template import TemplateContent, study_text

HAS = {
    "mysql@5.7": {"innodb_io_capacity", "query_cache_size", "sql_mode"},
    "mysql@8.0": {"innodb_io_capacity", "sql_mode"},
    "mariadb@11.8": {"innodb_io_capacity", "query_cache_size"},
}
CNF = """[client]
port = 1
[mysqld]
innodb_io_capacity = 500
query_cache_size = 0
sql-mode = ""
"""


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Three servers, of which one is not here; returns a my.cnf."""

    def find(use: str) -> SimpleNamespace:
        if use not in HAS:
            raise HostError("not here")
        return SimpleNamespace(use=use)

    monkeypatch.setattr(options_of_servers, "find_build", find)
    monkeypatch.setattr(
        options_of_servers,
        "known_only",
        lambda build, given: {name: value for name, value in given.items() if name in HAS[build.use]},
    )
    monkeypatch.setattr(options_of_servers, "why_unknown", lambda build, name: "gone")
    (tmp_path / "my.cnf").write_text(CNF)
    return tmp_path / "my.cnf"


def test_each_server_gets_what_it_has_and_the_rest_is_said(fleet: Path) -> None:
    found = shared_options(fleet, [*HAS, "mysql@9.7"])
    assert found.everywhere == {"innodb_io_capacity": 500}
    assert found.own == {
        "mysql@5.7": {"query_cache_size": 0, "sql_mode": ""},
        "mysql@8.0": {"sql_mode": ""},
        "mariadb@11.8": {"query_cache_size": 0},
        "mysql@9.7": {"query_cache_size": 0, "sql_mode": ""},
    }
    assert found.absent == (
        "mysql@8.0 goes without query_cache_size: gone",
        "mariadb@11.8 goes without sql_mode: gone",
    )


def test_the_study_that_init_writes_of_them_sets_just_these(fleet: Path) -> None:
    found = shared_options(fleet, list(HAS))
    content = TemplateContent(
        name="upgrade",
        servers=tuple(HAS),
        workload="oltp_read_only",
        factor="",
        threads=(1,),
        measure="5s",
        blocks=6,
        options_file="my.cnf",
        options=found,
    )
    file = fleet.parent / "upgrade.toml"
    file.write_text(study_text(content))
    study = load_study(file)
    assert study.server.variables == found.everywhere
    (factor,) = study.factors
    for use in HAS:
        own = {f"server.variables.{name}": value for name, value in found.own[use].items()}
        assert factor.settings(use) == {"server.use": use, **own}
    assert list(study.servers) == list(HAS)
