"""Lines of a my.cnf mean here what they mean to a server, and a value written is the value that it reads."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from assay.design.study.option_lines import Option, option_line, written_value

_PROGRAM = "my_print_defaults"  # the servers' own reader of options files
needs_reader = pytest.mark.skipif(shutil.which(_PROGRAM) is None, reason=f"{_PROGRAM} is not installed")
_CHARACTERS = "ab#'\"\\ \t=;sntré\x0b"


def _read_by_servers(folder: Path, lines: list[str]) -> list[str]:
    """Returns the options as a server gets them, `--name=value`; each line has an option."""
    path = folder / "o.cnf"
    path.write_text("\n".join(["[mysqld]", *lines, ""]), encoding="utf-8")
    command = [_PROGRAM, f"--defaults-file={path}", "mysqld"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()
    return output.removesuffix("\n").split("\n--") if output else []


def _texts(characters: str, longest: int, count: int) -> list[str]:
    draw = random.Random(7)
    return ["".join(draw.choices(characters, k=draw.randrange(longest))) for _ in range(count)]


@needs_reader
def test_lines_are_read_as_servers_read_them(tmp_path: Path) -> None:
    lines = [f"x{text}" for text in _texts(f"{_CHARACTERS}==", 14, 2000)]
    ours = []
    for line in lines:
        said = option_line(line)
        assert isinstance(said, Option)
        ours.append(said.name if said.value is None else f"{said.name}={said.value}")
    theirs = _read_by_servers(tmp_path, lines)
    assert "\n--".join(["", *ours]) == "\n--".join(["", theirs[0].removeprefix("--"), *theirs[1:]])


@needs_reader
def test_a_written_value_is_the_value_that_servers_read(tmp_path: Path) -> None:
    values = ["", "#", "'", "a\nplugin_load=x", "'a' # \"b\"", *_texts(f"{_CHARACTERS}\n\r\b", 10, 2000)]
    theirs = _read_by_servers(tmp_path, [f"x={written_value(value)}" for value in values])
    assert theirs[1:] == [f"x={value}" for value in values[1:]]


@pytest.mark.parametrize("value", ["", "#", " a", "a ", "'", "\"a' # ", "a\nuser=root", "C:\\temp", "\\'#"])
def test_what_is_written_is_read_again(value: str) -> None:
    assert "\n" not in written_value(value)
    assert option_line(f"x={written_value(value)}") == Option("x", value)
