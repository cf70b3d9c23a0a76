"""Every command on the README and the site's first page is run by a test: here, or by the one named here."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.front.cli import exit_code_of
from assay.system.server import Instance
from pages import ROOT, Command, blocks, commands

FRONT = [ROOT / name for name in ("README.md", "README.zh-CN.md", "docs/index.md", "docs/index.zh-CN.md")]
SHORTER = {
    'warmup = "1s"': 'warmup = "0s"',
    'measure = "3s"': 'measure = "0.1s"',
    "threads = [1, 8, 32]": "threads = [1]",
    "blocks = 6": "blocks = 1",
    "table_size = 25_000": "table_size = 200",
}
"""What is changed in the shipped study for a running server, so that a test can wait for it."""
HERE = {
    "export ASSAY_PASSWORD=…",
    "assay plan running-server",
    "assay run running-server",
    "assay plan index.toml",
    "assay audit table.csv",
    "assay import run.txt",
}
ELSEWHERE = {
    "sudo apt-get install mariadb-server-core": "scripts/machine::mariadb-server-core",
    "pipx install": 'scripts/wheels/checking.py::"install"',
    "assay demo": "scripts/wheels/checking.py::assay demo",
    "make demo": "Makefile::$(BIN)/assay demo",
    "make engine": "scripts/profile-guided::install",
    "assay doctor": "tests/cli/test_machine_verbs.py::test_doctor_finds_a_machine_healthy",
    "assay run index.toml": "tests/live/test_study_run.py::test_a_study_runs_once",
    "assay serve results": "tests/cli/test_serve_verb.py::test_pages_are_served_until_a_signal",
    "assay bench oltp_read_write": "tests/live/test_foreign_load.py::test_",
    "assay sysbench oltp_read_write": "tests/live/test_sysbench_scripts.py::test_",
    "assay disk .": "tests/cli/test_disk_verb.py::test_a_disk_has_its_page_and_its_figures",
    "assay server get": "tests/server/test_get_together.py::test_",
    "assay published run": "tests/cli/test_published_verb.py::test_a_report_is_run_study_by_study",
}
"""Beginnings of commands that take minutes, a network, or root's rights; what runs such a one."""


def _known(command: Command) -> list[str]:
    said = " ".join(command.words)
    return [beginning for beginning in [*HERE, *ELSEWHERE] if said.startswith(beginning)]


def test_every_command_of_a_front_page_has_its_test() -> None:
    shown = [command for page in FRONT for command in commands(page)]
    assert not [str(command) for command in shown if len(_known(command)) != 1]
    assert {one for command in shown for one in _known(command)} == {*HERE, *ELSEWHERE}
    for named in ELSEWHERE.values():
        path, _, test = named.partition("::")
        assert test in (ROOT / path).read_text(encoding="utf-8"), named


def test_both_languages_show_the_same_commands_and_studies() -> None:
    for english, chinese in (FRONT[:2], FRONT[2:]):
        assert [one.words for one in commands(english)] == [one.words for one in commands(chinese)]
        for language in ("sql", "toml"):
            code = [
                [re.sub(r"\s*#.*|(?<=source = ).*", "", block) for block in blocks(page, language)]
                for page in (english, chinese)
            ]
            assert code[0] == code[1]


@pytest.fixture
def password(monkeypatch: pytest.MonkeyPatch) -> str:
    """The password of the page's user, in the environment as the page says."""
    monkeypatch.setenv("ASSAY_PASSWORD", "…")
    return "…"


@pytest.fixture
def prepared(mariadb: Instance) -> Iterator[None]:
    """What the first page tells the server."""
    (statements,) = blocks(ROOT / "docs/index.md", "sql")
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        for statement in filter(str.strip, statements.split(";")):
            cursor.execute(statement)
        yield
        cursor.execute("DROP DATABASE bench")
        cursor.execute("DROP USER bench@127.0.0.1")


def test_the_front_pages_commands_work_on_a_server_that_runs(
    mariadb: Instance,
    prepared: None,
    password: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (study,) = blocks(ROOT / "README.md", "toml")
    Path("index.toml").write_text(study, encoding="utf-8")
    Path("table.csv").write_text("threads,tps,qps\n1,10.0,180.0\n2,20.0,360.0\n", encoding="utf-8")
    shutil.copy(ROOT / "tests/adopt/outputs/sysbench-oltp-read-write.txt", "run.txt")
    shown = [command for page in (FRONT[0], FRONT[2]) for command in commands(page)]
    here = dict.fromkeys(
        tuple(word.replace("127.0.0.1:3306", f"127.0.0.1:{mariadb.port}") for word in command.words[1:])
        for command in shown
        if HERE.intersection(_known(command)) and command.words[0] == "assay"
    )
    assert len(here) == len(HERE) - 1
    for words in sorted(here):  # what is planned before what is run
        if words[:2] == ("run", "running-server"):
            text = (ROOT / "studies/running-server.toml").read_text(encoding="utf-8")
            for long, short in SHORTER.items():
                assert long in text
                text = text.replace(long, short)
            Path("running-server").write_text(text, encoding="utf-8")
            words = (*words, "--no-report")  # its pictures would be half of the test's cost
        capsys.readouterr()
        assert exit_code_of(list(words)) == 0, (words, capsys.readouterr().err)
    assert len(list(ResultsFolder(Path("results/running-server")).finished_runs())) == 2
