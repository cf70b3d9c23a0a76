"""What cannot vary on a running server is refused from the study alone, by `plan` and `run` alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.front.cli import exit_code_of

STUDY = """\
[study]
name = "limits"

[server]
use = "{use}"

[workload]
use = "oltp_read_write"

[load]
threads = [1]

[[factor]]
name = "{factor}"
levels = {levels}
"""

NOBODY = "dsn:mysql://u@127.0.0.1:1/db"


def ended(tmp_path: Path, verb: str, *more: str, **change: str) -> int:
    study = tmp_path / "limits.toml"
    text = {"use": NOBODY, "factor": "workload.range_size", "levels": "[10, 20]", **change}
    study.write_text(STUDY.format(**text))
    return exit_code_of([verb, str(study), "--results", str(tmp_path / "results"), *more])


@pytest.mark.parametrize("verb", ["plan", "run"])
@pytest.mark.parametrize(
    ("factor", "levels"),
    [
        ("schema.index", "[true, false]"),
        ("schema.engine", '["InnoDB", "MyISAM"]'),
        ("workload.table_size", "[1000, 2000]"),
        ("workload.tables", "[1, 2]"),
        ("server.variables.innodb_io_capacity", "[200, 2000]"),
    ],
)
def test_factors_that_cannot_vary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str, factor: str, levels: str
) -> None:
    assert ended(tmp_path, verb, factor=factor, levels=levels) == 2
    said = capsys.readouterr().err
    assert f"{factor} cannot be a factor on a running server" in said
    assert "server.use" in said
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("verb", ["plan", "run"])
@pytest.mark.parametrize(
    ("factor", "levels", "words"),
    [
        ("server.cpus", '["0", "1"]', "server.cpus needs a server that the lab starts"),
        ("load.client", '["tcp", "socket"]', "load.client needs a server that the lab starts"),
    ],
)
def test_what_the_lab_gives_its_own_servers_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str, factor: str, levels: str, words: str
) -> None:
    assert ended(tmp_path, verb, factor=factor, levels=levels) == 2
    assert words in capsys.readouterr().err


def test_what_can_vary_gets_as_far_as_the_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(tmp_path, "plan") == 3
    assert ended(tmp_path, "run") == 3
    assert "cannot connect to u@127.0.0.1:1" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [("plan",), ("plan", "--json"), ("run",)])
@pytest.mark.parametrize(
    "use",
    [
        "dsn:mysql://u:Canary-7391@127.0.0.1:1/db",
        "dsn:mysql://u:Canary-7391@127.0.0.1:1/db?no=1",
        "dsn:mysqll://u:Canary-7391@127.0.0.1:1/db",
        "dsn:mysql://u:Canary-7391/x@127.0.0.1:1/db",
        "dsn:mysql://u:Canary-7391@[::1/db",
        "dsn:mysql://u@127.0.0.1:1",
        "dsn:foo",
    ],
)
def test_an_address_that_is_refused_shows_no_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], use: str
) -> None:
    assert ended(tmp_path, *arguments, use=use) == 2
    said = capsys.readouterr()
    assert "Canary" not in said.out + said.err
    assert not (tmp_path / "results").exists()


def test_levels_that_are_refused_show_no_password(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = '"dsn:mysql://u:Canary-7391@127.0.0.1:1/db"'
    assert ended(tmp_path, "plan", factor="load.client", levels=f"[{address}, {address}]") == 2
    said = capsys.readouterr()
    assert "***" in said.err
    assert "Canary" not in said.out + said.err
