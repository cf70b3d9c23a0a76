"""What is printed: visible text in any encoding, quiet ends, one way to print."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import forked
import pytest
from assay.base.errors import InputError
from assay.base.printable import MOST, line
from assay.front.cli.complaint import complain
from assay.front.terminal import say, say_json
from assay.front.terminal.plain_text import lookalike
from assay.front.terminal.safe_console import AssayConsole
from rich.table import Table
from shell import BETWEEN, PATIENCE_S, QUICKSTART, ROOT, in_one_process

HOSTILE = "a\x1b]0;title\x07b\x1b[2Jc\x9b31md\x7f\u202ee\r\x00"
ROOM = ROOT / "python" / "assay"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def test_nothing_prints_but_the_terminal() -> None:
    """So that nobody can forget to make text visible."""
    prints = re.compile(r"click\.echo\(|(?<![\w.])(?<!def )print\(|(?<!\w)Console\(|sys\.std(out|err)\.write")
    alone = {ROOM / "measurement" / "run" / "experiments" / "delay_relay.py"}
    found = [
        f"{path.relative_to(ROOM)}: {text.strip()}"
        for path in sorted(ROOM.rglob("*.py"))
        if path not in alone
        for text in path.read_text(encoding="utf-8").splitlines()
        if prints.search(text)
    ]
    assert found == []


def test_a_console_shows_control_characters() -> None:
    out = io.StringIO()
    table = Table(title=HOSTILE, box=None)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE)
    console = AssayConsole(file=out)
    console.print(table)
    console.print(HOSTILE, markup=False)
    console.print(f"[bold]{HOSTILE}[/]")
    assert not RAW.search(out.getvalue())
    assert "\\x1b[2J" in out.getvalue()
    assert "\\u202e" in out.getvalue()


def test_colours_stay_the_consoles_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = io.StringIO()
    AssayConsole(file=out).print(f"[red]{'x' * 3}[/]")
    assert out.getvalue().startswith("\x1b[31m")


def test_a_pipe_has_whole_lines_without_trailing_blanks() -> None:
    out = io.StringIO()
    table = Table(box=None)
    table.add_column("name")
    table.add_column("text")
    table.add_row("x", "word " * 60)
    table.add_row("x", "short")
    AssayConsole(file=out).print(table)
    lines = out.getvalue().splitlines()
    assert len(lines) == 3
    assert all(line == line.rstrip() for line in lines)


def test_complaints_are_visible_and_short(capsys: pytest.CaptureFixture[str]) -> None:
    complain(InputError(HOSTILE + "\nforged: line", hint=HOSTILE, detail=HOSTILE + "x" * 100_000))
    err = capsys.readouterr().err
    assert not RAW.search(err.replace("\n", ""))
    assert "\\x0aforged" in err
    assert len(err) < 4 * MOST


def test_a_line_of_elsewhere_is_one_line() -> None:
    assert line("a\n\tb\x07") == "a\\x0a\\x09b\\x07"
    assert len(line("x" * 15_000_000)) < MOST + 100


def test_plain_text_and_json_are_visible(capsys: pytest.CaptureFixture[str]) -> None:
    say(HOSTILE)
    assert not RAW.search(capsys.readouterr().out)
    say_json({HOSTILE: HOSTILE})
    out = capsys.readouterr().out
    assert not RAW.search(out)
    assert json.loads(out) == {HOSTILE: HOSTILE}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "gbk"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C"},
        {"LC_ALL": "", "LANG": "C"},
    ],
)
def test_any_encoding_takes_the_output(environment: dict[str, str], tmp_path: Path) -> None:
    study = tmp_path / "wide.toml"
    text = QUICKSTART.read_text(encoding="utf-8")
    study.write_text(text.replace("What is", "thin\u202fspace ü 试"), encoding="utf-8")
    plan = ["plan", str(study), "--no-start"]
    ended = in_one_process(plan, [*plan, "--json"], **environment)
    assert (ended.returncode, ended.stderr) == (0, b"")
    for out in ended.stdout.split(BETWEEN):
        assert b"study" in out
        if "PYTHONIOENCODING" not in environment:  # signs are ASCII, titles stay
            assert {one for one in out.decode() if not one.isascii() and lookalike(one) is not None} == set()


def test_a_reader_that_goes_away_is_met_with_silence() -> None:
    for arguments in (
        ["plan", str(QUICKSTART), "--no-start", "--json"],
        ["plan", "--help"],
        ["plan", str(QUICKSTART), "--no-start"],
    ):
        process = forked.Command(arguments)
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=PATIENCE_S) == 141


STOPPED = """
import sys, time
from assay.front.cli import main
from assay.front.cli.group import assay
from assay.system.engine.interrupts import Interrupts
def work(*a, **o):
    with Interrupts():
        print("ready", flush=True)
        time.sleep(60)
assay.main = work
main(["run"])
"""


def test_a_terminal_that_goes_away_ends_the_work() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "python")},
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGHUP)
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 129
    assert "the terminal went away (SIGHUP)" in err


def test_nohup_is_heeded() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPED.replace("60", "1.5")],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "python")},
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=PATIENCE_S) == 0
