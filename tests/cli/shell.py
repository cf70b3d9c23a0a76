"""Runs `assay` as a shell would, in this process or in one of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from assay.front.cli import exit_code_of

ROOT = Path(__file__).parents[2]
STUDIES = ROOT / "studies"
QUICKSTART = STUDIES / "quickstart.toml"
COMMIT_COST = STUDIES / "commit-cost.toml"
PATIENCE_S = 180.0
BETWEEN = b"\0next\n"
"""Stands between the outputs of commands that share a process."""
_ONE_BY_ONE = """
import json, sys
from assay.front.cli import main
for number, words in enumerate(map(json.loads, sys.argv[1:])):
    if number:
        sys.stdout.write("\\0next\\n")
    try:
        main(words)
    except SystemExit as end:
        if end.code:
            raise
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended. Widths are those of a pipe, so long lines stay whole."""

    code: int
    out: str
    err: str


class Shell:
    """`shell("plan", file)`"""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Ended:
        self._capsys.readouterr()
        code = exit_code_of([str(argument) for argument in arguments])
        out, err = self._capsys.readouterr()
        return Ended(code, out, err)


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """A process of its own, with pipes. It hears Ctrl-C, even where what started the tests does not."""
    return subprocess.Popen(
        [sys.executable, "-m", "assay.front.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "python")} | environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def in_one_process(
    *commands: list[str], cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Does commands one after another, up to the first that fails, in a new Python.

    A Python takes longer to import the lab than most commands take: its environment is tested once, with all.
    """
    return subprocess.run(
        [sys.executable, "-c", _ONE_BY_ONE, *map(json.dumps, commands)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT / "python")} | environment,
        capture_output=True,
        timeout=PATIENCE_S * 3,
        check=False,
    )
