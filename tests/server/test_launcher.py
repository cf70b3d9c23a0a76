"""The launcher and signals: one that is sent while a program starts is never lost."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from assay.system.server.process import program, start

ENDING = (signal.SIGINT, signal.SIGTERM)


def blocked_in_a_program() -> set[int]:
    """Returns the signals that a program finds blocked when it starts."""
    with start(["/bin/grep", "-F", "SigBlk:", "/proc/self/status"], stdout=subprocess.PIPE) as started:
        line, _ = started.communicate()
    mask = int(line.split()[1], 16)
    return {number for number in signal.valid_signals() if mask >> (number - 1) & 1}


def test_no_signal_reaches_the_launcher_before_it_can_take_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    early = tmp_path / "launch.py"
    early.write_text("import os, sys\nrest = sys.argv[sys.argv.index('--') + 1:]\nos.execv(rest[0], rest)\n")
    monkeypatch.setattr(program, "_LAUNCH", early)
    assert blocked_in_a_program() >= set(ENDING)
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == ours


def test_a_program_blocks_none_of_them() -> None:
    assert not blocked_in_a_program() & set(ENDING)


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_at_once_ends_it(number: signal.Signals) -> None:
    with start(["/bin/sleep", "1000"]) as started:
        started.send_signal(number)
        assert started.wait(60) == -number


def test_nothing_is_left_of_a_start_that_a_signal_breaks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    popen, made = subprocess.Popen, []

    def interrupted(*arguments: Any, **settings: Any) -> subprocess.Popen[bytes]:
        made.append(popen(*arguments, **settings))
        signal.raise_signal(signal.SIGINT)
        return made[0]

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            start(["/bin/sleep", "1000"])
    finally:
        signal.signal(signal.SIGINT, before)
    assert made[0].returncode == -signal.SIGKILL
