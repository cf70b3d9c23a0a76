"""Help teaches, and is quick because it loads no verb."""

from __future__ import annotations

import subprocess
import sys

import pytest
from assay import __version__
from assay.design.study import SHIPPED
from assay.front.cli.verbs import GROUPS, VERBS
from assay.system.engine import engine_build
from shell import ROOT, Shell, start

HEAVY = {"pydantic", "duckdb", "numpy", "altair", "pymysql", "rich"}


def test_help_names_every_verb_and_an_example(shell: Shell) -> None:
    ended = shell("--help")
    assert ended.code == 0
    for verb in VERBS:
        assert f"  {verb.name} " in ended.out
    assert "assay run quickstart" in ended.out
    assert len(ended.out.splitlines()) <= 63


def test_help_begins_with_what_a_newcomer_needs_and_groups_the_rest() -> None:
    first, *others = GROUPS.values()
    names = ["demo", "doctor", "init", "list", "plan", "run", "show", "report"]
    assert [verb.name for verb in first] == names
    assert all(2 <= len(group) <= 7 for group in others)


@pytest.mark.parametrize(
    "verb", [verb.name for verb in VERBS if verb.name != "bench"]
)  # bench asks the engine
def test_every_verb_has_a_summary_and_an_example(shell: Shell, verb: str) -> None:
    ended = shell(verb, "--help")
    assert ended.code == 0
    assert "Example:" in ended.out
    assert f"assay {verb}" in ended.out.partition("Example:")[2]
    assert f"Manual: assay manual {verb}" in ended.out


@pytest.mark.parametrize("command", ["list", "start", "sweep"])
def test_every_command_of_server_has_an_example(shell: Shell, command: str) -> None:
    assert f"assay server {command}" in shell("server", command, "--help").out.partition("Example:")[2]


def test_help_loads_nothing_heavy() -> None:
    told = "import sys, assay.front.cli as cli; cli.exit_code_of(['--help'])"
    code = f"{told}; print(*{HEAVY} & sys.modules.keys())"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "python")},
    )
    assert ended.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize("asked", ["--version", "-V", "-v", "version"])
def test_version(shell: Shell, asked: str) -> None:
    assert shell(asked).out == f"assay {__version__}\n"


@pytest.mark.parametrize("words", [("--version", "--verbose"), ("--verbose", "-V"), ("version", "--verbose")])
def test_every_part_has_its_place(shell: Shell, words: tuple[str, ...]) -> None:
    first, *parts = shell(*words).out.splitlines()
    assert first == f"assay {__version__}"
    told = {line.split()[0]: line for line in parts}
    assert told.keys() == {"engine", "python", "studies", "system"}
    assert f"{engine_build().version}: {engine_build().path}" in told["engine"]
    assert str(SHIPPED) in told["studies"]


@pytest.mark.parametrize("words", [(), ("run",), ("server", "get"), ("calc", "redo")])
def test_help_as_a_verb_shows_what_the_option_shows(shell: Shell, words: tuple[str, ...]) -> None:
    assert shell("help", *words).out == shell(*words, "--help").out


def test_without_a_verb_help_is_shown() -> None:
    process = start()
    out, err = process.communicate(timeout=60)
    assert "assay run quickstart" in out + err
