"""What a program needs of a system is read from it, and never guessed where it cannot be read."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path

import pytest

from scripts.wheels.elf import main, read_program


def _header(machine: int = 62) -> bytes:
    """A program for Linux without segments: nothing is loaded by it."""
    return b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 2, machine, 1, 0, 64, 0, 0, 64, 56, 0, 64, 0, 0
    )


def test_a_program_of_this_machine_names_its_glibc(capsys: pytest.CaptureFixture[str]) -> None:
    python = Path(sys.executable).resolve()
    program = read_program(python)
    assert "libc.so.6" in program.libraries
    assert main([str(python)]) == 0
    assert re.search(
        rf"{program.machine}, \d+ bytes, glibc 2\.\d+ or newer$", capsys.readouterr().out.strip()
    )


def test_a_static_program_runs_on_any_linux(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, machine in (("x86_64", 62), ("aarch64", 183)):
        (tmp_path / name).write_bytes(_header(machine))
        assert main([str(tmp_path / name)]) == 0
        assert f"{name}, 64 bytes, static, runs on any Linux" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not a 64-bit Linux program"),
        (b"#!/bin/sh\n", "not a 64-bit Linux program"),
        (_header()[:40], "cannot be told"),
        (_header(3), "machine 3"),
        (None, "No such file"),
    ],
)
def test_what_cannot_be_read_is_not_called_static(
    content: bytes | None, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program"
    if content is not None:
        path.write_bytes(content)
    assert main([str(path)]) == 2
    printed = capsys.readouterr()
    assert "static" not in printed.out + printed.err
    assert "cannot be told" in printed.err
    assert why in printed.err
