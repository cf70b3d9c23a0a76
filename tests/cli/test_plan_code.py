"""`assay plan` runs no script of a stranger's study, and says what a run would carry out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from assay.system.engine import scripts
from assay.system.server import NotStartedError, consent
from assay.system.server.release.consent import require_consent
from patience import at_most
from shell import Shell

_STUDY = """
[study]
name = "s"
[server]
use = "{server}"
[workload]
use = "{workload}"
[load]
threads = [1]
measure = "1s"
[design]
blocks = 1
"""
_EVENT = "\nfunction event() end\n"
_PROGRAM = """#!/bin/sh
touch {marker}
echo "mysqld  Ver 8.0.36 for Linux on x86_64 (MySQL Community Server - GPL)"
"""


@pytest.mark.parametrize(
    ("acts", "options"),
    [
        ('os.execute("touch MARKER")', []),
        ('pcall(io.open, "MARKER", "w")', []),
        ('require("ffi").C.system("touch MARKER")', []),
        ('os.execute("touch MARKER")', ["--no-code"]),
    ],
)
def test_nothing_of_a_strangers_study_runs(
    acts: str, options: list[str], shell: Shell, tmp_path: Path
) -> None:
    marker = tmp_path / "ran"
    (tmp_path / "load.lua").write_text(acts.replace("MARKER", str(marker)) + _EVENT)
    binary = tmp_path / "srv/bin/mysqld"
    binary.parent.mkdir(parents=True)
    binary.write_text(_PROGRAM.format(marker=marker))
    binary.chmod(0o755)
    study = tmp_path / "s.toml"
    study.write_text(_STUDY.format(server=f"path:{tmp_path}/srv", workload="lua:load.lua"))
    with at_most(120):
        ended = shell("plan", study, "--json", *options)
    assert ended.code == 0, ended.err
    assert not marker.exists()
    plan = json.loads(ended.out)
    assert {one["what"] for one in plan["code"]} == {
        "the script load.lua",
        f"the server path:{tmp_path}/srv",
    }
    unchecked = "\n".join(plan["unchecked"])
    assert str(binary) in unchecked
    assert "its options are not checked" in unchecked


def test_the_plan_says_in_a_line_what_runs_as_whom(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "load.lua").write_text(_EVENT)
    study = tmp_path / "s.toml"
    study.write_text(
        _STUDY.format(server="mariadb", workload="lua:load.lua").replace(
            "[workload]", '[server.variables]\ninit_file = "/tmp/x.sql"\n[workload]'
        )
    )
    with at_most(120):
        ended = shell("plan", study, "--no-code")
    (line,) = (one for one in ended.out.splitlines() if one.startswith("code "))
    assert "a run carries out as" in line
    assert "the script load.lua" in line


def test_a_binary_that_is_a_script_is_started_by_a_run_alone(tmp_path: Path) -> None:
    binary, program = tmp_path / "mysqld", Path(sys.executable).resolve()
    binary.write_text(_PROGRAM.format(marker=tmp_path / "ran"))
    binary.chmod(0o755)
    with consent("look"):
        require_consent(program)
        with pytest.raises(NotStartedError, match="only a run starts"):
            require_consent(binary)
    with consent("none"), consent("run"), pytest.raises(NotStartedError):
        require_consent(program)
    require_consent(binary)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "declares",
    [
        "while true do end",
        '("a"):rep(30):gsub(("a*"):rep(30) .. "b", "")',
    ],
)
def test_a_script_that_computes_for_ever_ends_the_command(
    declares: str, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripts, "_COMPUTES_S", 1)
    with at_most(120):
        ended = shell("plan", study_of(tmp_path, declares), "--no-start")
    assert ended.code == 2
    assert "the script has not been loaded within 1 s of processor time" in ended.err


@pytest.mark.parametrize(
    ("declares", "said"),
    [
        ("local function f() coroutine.wrap(f)() end f()", "load"),
        ('error(("x"):rep(1e7))', "characters left out"),
        (
            'local o = {} for i = 1, 2e4 do o["o" .. i] = {"d", i} end sysbench.cmdline.options = o',
            "the script declares 20,",
        ),
    ],
)
def test_what_a_script_does_to_its_reader_is_a_short_sentence(
    declares: str, said: str, shell: Shell, tmp_path: Path
) -> None:
    with at_most(120):
        ended = shell("plan", study_of(tmp_path, declares), "--no-start")
    assert ended.code == 2
    assert "workload.use" in ended.err
    assert said in ended.err
    assert len(ended.err) < 5000


def study_of(place: Path, declares: str) -> Path:
    """A study whose script has this beside its functions."""
    (place / "load.lua").write_text(declares + _EVENT)
    (place / "s.toml").write_text(_STUDY.format(server="mariadb", workload="lua:load.lua"))
    return place / "s.toml"
