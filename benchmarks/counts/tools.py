"""Assay and sysbench as commands that carry out a script, and what their reports say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).parents[2]

TOOLS = {
    "assay": (sys.executable, "-m", "assay.front.cli", "sysbench"),
    "engine": (str(_ROOT / "target/release/assay-engine"), "bench"),
    "sysbench": ("sysbench",),
}
"""The words that each command line begins with; `engine` is the engine alone."""


@dataclass(frozen=True)
class Ended:
    """A command that has ended; `events` and `errors` are what its report says, where it has one."""

    code: int
    output: str
    events: int | None = None
    errors: int = 0

    @property
    def complaint(self) -> str:
        """The last line about a failure, or how the command ended."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        told = [line for line in lines if re.match(r"(FATAL|ALERT|error|PANIC)", line)]
        return (told or lines or [f"exit code {self.code}"])[-1]


def carry_out(tool: str, words: list[str], folder: str, limit_s: float) -> Ended:
    """Runs a command to its end in a folder; one that is not over after `limit_s` is killed."""
    paths = f"{_ROOT / 'python'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    try:
        done = subprocess.run(
            [*TOOLS[tool], *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired as expired:
        return Ended(-1, f"{(expired.stdout or b'').decode(errors='replace')}\nnot over after {limit_s:g} s")
    text = done.stdout.decode(errors="replace")
    return Ended(
        done.returncode,
        text,
        _number(text, r"total number of events:\s+(\d+)"),
        _number(text, r"ignored errors:\s+(\d+)") or 0,
    )


def _number(text: str, pattern: str) -> int | None:
    found = re.search(pattern, text)
    return int(found.group(1)) if found else None
