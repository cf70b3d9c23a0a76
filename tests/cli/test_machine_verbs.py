"""`assay doctor`, `assay host`, `assay schema`, and the parts of `assay server` that start nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.design.study import schema_text
from assay.design.study.model.factor_names import FACTORS
from assay.front.cli.host_view import readable
from shell import Shell


@pytest.mark.usefixtures("private_home")
def test_doctor_says_what_is_missing_and_how_to_get_it(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_ENGINE", str(tmp_path / "none"))
    ended = shell("doctor")
    assert ended.code == 6
    assert "missing  engine" in ended.out
    assert "→ Unset it, or point it at the engine's binary." in ended.out
    assert "ok       server mariadb  MariaDB 10." in ended.out
    assert "Not ready" in ended.out


@pytest.mark.usefixtures("private_home")
def test_doctor_finds_a_machine_healthy(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_ENGINE", "/bin/true")
    ended = shell("doctor", "--json")
    whole = json.loads(ended.out)
    assert (ended.code, whole["healthy"]) == (0, True)
    outcomes = {finding["name"]: finding["outcome"] for finding in whole["findings"]}
    assert outcomes["engine"] == outcomes["server mariadb"] == outcomes["disk space"] == "ok"
    assert set(outcomes.values()) <= {"ok", "optional"}
    assert all(finding["how_to_get"] for finding in whole["findings"] if finding["outcome"] != "ok")


@pytest.mark.usefixtures("private_home")
def test_a_quiet_doctor_speaks_only_of_what_is_missing(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_ENGINE", "/bin/true")
    ended = shell("doctor", "--quiet")
    assert (ended.code, ended.out) == (0, "")
    monkeypatch.setenv("ASSAY_ENGINE", "/bin/none")
    ended = shell("doctor", "--quiet")
    assert (ended.code, "missing  engine" in ended.out, "python" in ended.out) == (6, True, False)


def test_doctor_does_not_make_the_home(
    shell: Shell, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(private_home / "new"))
    shell("doctor")
    assert list(private_home.iterdir()) == []


def test_host_facts(shell: Shell) -> None:
    facts = json.loads(shell("host", "facts", "--json").out)
    assert facts
    assert len(shell("host", "facts").out.splitlines()) > len(facts)


@pytest.mark.usefixtures("private_home")
def test_host_check_ends_as_it_finds(shell: Shell, tmp_path: Path) -> None:
    ended = shell("host", "check", "--json", str(tmp_path))
    whole = json.loads(ended.out)
    outcomes = {finding["outcome"] for finding in whole["findings"]}
    assert outcomes <= {"ok", "note", "disturbs"}
    assert whole["quiet"] == ("disturbs" not in outcomes)
    assert ended.code == (0 if whole["quiet"] else 6)
    assert {"load", "canary"} <= {finding["name"] for finding in whole["findings"]}


def test_host_knobs_have_a_value_or_a_reason(shell: Shell, tmp_path: Path) -> None:
    records = json.loads(shell("host", "knobs", "--json", str(tmp_path)).out)
    assert {record["name"] for record in records} == {name for name in FACTORS if name.startswith("host.")}
    assert all(("values" in record) != ("unavailable" in record) for record in records)
    assert len(shell("host", "knobs").out.splitlines()) == len(records)


def test_server_list(shell: Shell) -> None:
    assert "mariadb " in shell("server", "list").out
    (build, *_) = json.loads(shell("server", "list", "--json").out)
    assert build["use"] == "mariadb"
    assert Path(build["binary"]).is_file()


@pytest.mark.usefixtures("private_home")
def test_sweep_of_nothing(shell: Shell) -> None:
    assert shell("server", "sweep").out == "no server was left running\n"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("innodb_io_capacity", "expected NAME=VALUE"),
        ("innodb_buffer_pool_size=2GB", 'did you mean "2G"?'),
        ("innodb-io-capacity=1", 'did you mean "innodb_io_capacity"?'),
    ],
)
def test_settings_of_a_server(shell: Shell, setting: str, message: str) -> None:
    ended = shell("server", "start", "--set", setting)
    assert ended.code == 2
    assert message in ended.err


def test_schema(shell: Shell, tmp_path: Path) -> None:
    assert shell("schema", "study").out == schema_text()
    shell("schema", "study", "--write", tmp_path / "study.json")
    assert (tmp_path / "study.json").read_text(encoding="utf-8") == schema_text()


def test_facts_for_people() -> None:
    """Sizes have a unit beside the bytes; processors that are safe from most need one line for it."""
    facts = {
        "memory": {"total_bytes": 25276514304, "huge_pages": 0, "swap_total_bytes": 0},
        "cpu": {
            "vulnerabilities": {"l1tf": "Not affected", "mds": "Not affected", "spectre_v2": "Vulnerable"}
        },
    }
    assert readable(facts) == {
        "memory": {"total_bytes": "25276514304 (23.5 GiB)", "huge_pages": 0, "swap_total_bytes": 0},
        "cpu": {"vulnerabilities": {"Not affected": "l1tf, mds", "spectre_v2": "Vulnerable"}},
    }
