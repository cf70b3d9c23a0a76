"""The first line of a program's output is waited for, within a limit."""

from __future__ import annotations

import subprocess

import pytest
from assay.system.server.process.program import first_line


@pytest.mark.parametrize(
    ("script", "limit_s", "said"),
    [
        ("echo ready; sleep 1000", 30.0, b"ready\n"),
        ("printf re; sleep 0.1; echo ady; sleep 1000", 30.0, b"ready\n"),
        ("exit 1", 30.0, b""),
        ("printf half; exit 1", 30.0, b""),
        ("sleep 1000", 0.2, b""),
        ("printf half; sleep 1000", 0.2, b""),
    ],
)
def test_a_line_or_nothing(script: str, limit_s: float, said: bytes) -> None:
    program = subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, process_group=0)
    try:
        assert first_line(program, limit_s) == said
    finally:
        program.kill()
        assert program.stdout is not None
        program.stdout.close()
        program.wait()
