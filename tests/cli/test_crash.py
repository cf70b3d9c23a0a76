"""Nothing ends in a traceback: an unexpected error is a sentence and a file."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.front.cli.crash import Crash, as_ours, without_secrets, write_report
from assay.front.cli.group import assay
from assay.front.cli.threads import speak_for_threads
from shell import Shell, start


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def main(*arguments: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(assay, "main", main)


def test_a_bug_is_a_sentence_and_a_file(
    shell: Shell, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, ZeroDivisionError("by \x1b[2J nothing"))
    ended = shell("plan", "x.toml")
    (file,) = private_home.glob("assay-crash-*.txt")
    assert ended.code == 70
    what = "ZeroDivisionError: by \\x1b[2J nothing"
    assert ended.err.splitlines()[0] == (
        f"error: assay failed unexpectedly ({what}); the details are in {file}"
    )
    assert "Traceback" not in ended.err
    text = file.read_text(encoding="utf-8")
    assert "Traceback (most recent call last)" in text
    assert "command line: assay plan x.toml" in text
    assert file.stat().st_mode & 0o077 == 0


def test_the_file_lies_with_the_results_where_they_are_told(
    shell: Shell, private_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, KeyError("x"))
    shell("run", "x.toml", "--results", tmp_path)
    assert len(list(tmp_path.glob("assay-crash-*.txt"))) == 1
    assert not list(private_home.iterdir())


def test_a_home_that_cannot_be_used_is_no_obstacle(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", "/dev/null")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    failing(monkeypatch, KeyError("x"))
    assert shell("plan", "x.toml").code == 70
    assert len(list(tmp_path.glob("assay-crash-*.txt"))) == 1


def test_no_secret_is_written(shell: Shell, private_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, KeyError("mysql://root:canary1@host/db and password=canary2"))
    arguments = [
        "--mysql-password",
        "canary3",
        "--mysql-password=canary4",
        "--server=dsn:mysql://u:canary5@h",
    ]
    ended = shell("bench", *arguments)
    (file,) = private_home.glob("assay-crash-*.txt")
    assert "canary" not in file.read_text(encoding="utf-8") + ended.err
    assert "--mysql-password ***" in file.read_text(encoding="utf-8")


def test_addresses_without_a_password_stay_whole() -> None:
    assert without_secrets("mysql://root@host:3306/db") == "mysql://root@host:3306/db"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a file of another user")
def test_a_file_that_somebody_else_has_made_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a place of everybody its name can be guessed, and its maker could read it."""
    monkeypatch.setattr(time, "strftime", lambda *_: "20260101-000000")
    theirs = tmp_path / f"assay-crash-20260101-000000-{os.getpid()}.txt"
    theirs.touch()
    os.chown(theirs, 65533, 65533)
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "none"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert write_report(KeyError("x"), []) is None
    assert theirs.read_text() == ""


@pytest.mark.parametrize(
    "error",
    [OSError(28, "No space left on device"), PermissionError(13, "Permission denied", "/nope/x")],
)
def test_what_the_machine_refuses_is_no_crash(error: OSError) -> None:
    told = as_ours(error, [])
    assert isinstance(told, HostError)
    assert (error.strerror or "").lower() in told.message
    assert str(error.filename or "") in told.message


def test_an_unknown_error_of_the_system_is_a_crash(private_home: Path) -> None:
    assert isinstance(as_ours(OSError("something else"), []), Crash)


def test_an_error_in_a_thread_is_told_once(
    private_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    speak_for_threads(["run"])
    for _ in range(3):
        thread = threading.Thread(target=lambda: [][0])
        thread.start()
        thread.join()
    err = capsys.readouterr().err
    assert err.count("error: assay failed unexpectedly (IndexError") == 1
    assert "Traceback" not in err


def test_a_whole_process_ends_so(private_home: Path, tmp_path: Path) -> None:
    broken = tmp_path / "sitecustomize.py"
    broken.write_text(
        "import assay.front.cli.verbs as v\nv.VERBS = (*v.VERBS, v.Verb('broken', ''))\n"
        "import sys, types\nm = types.ModuleType('assay.front.cli.broken')\n"
        "sys.modules['assay.front.cli.broken'] = m\n",
        encoding="utf-8",
    )
    root = Path(__file__).parents[2]
    process = start("broken", PYTHONPATH=f"{tmp_path}:{root / 'python'}")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (70, "")
    assert err.startswith("error: assay failed unexpectedly (AttributeError")
    assert "Traceback" not in err
