"""Measurements announced on this machine: listed while their process lives, removed when it has died."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from assay.system.host import measuring, others_measuring

HOLDER = """\
import os, sys
from pathlib import Path
from assay.system.host import measuring
os.umask(0o077)
with measuring(sys.argv[2], Path(sys.argv[1])):
    print("in", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def hold(tmp_path: Path) -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    """Another process that measures."""
    started = []

    def begin(what: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(tmp_path / "place"), what],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == b"in\n"
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def test_others_are_told_as_long_as_they_measure(
    tmp_path: Path, hold: Callable[[str], subprocess.Popen[bytes]]
) -> None:
    place = tmp_path / "place"
    assert others_measuring(place) == []
    one, two = hold("assay run one"), hold("assay bench two")
    with measuring("assay run mine", place):  # oneself is no other
        assert sorted(others_measuring(place)) == [
            f"assay bench two (process {two.pid})",
            f"assay run one (process {one.pid})",
        ]
    one.communicate()
    assert others_measuring(place) == [f"assay bench two (process {two.pid})"]


def test_a_killed_one_is_forgotten_and_its_file_removed(
    tmp_path: Path, hold: Callable[[str], subprocess.Popen[bytes]]
) -> None:
    killed = hold("assay run killed")
    assert len(list((tmp_path / "place").iterdir())) == 1
    killed.kill()
    killed.wait()
    assert others_measuring(tmp_path / "place") == []
    assert not list((tmp_path / "place").iterdir())


def test_every_user_may_enter_and_read(
    tmp_path: Path, hold: Callable[[str], subprocess.Popen[bytes]]
) -> None:
    hold("assay run private")  # with a umask that shuts others out
    place = tmp_path / "place"
    assert place.stat().st_mode & 0o7777 == 0o1777
    assert [path.stat().st_mode & 0o777 for path in place.iterdir()] == [0o644]


@pytest.mark.parametrize("what", ["file", "link"])
def test_a_place_that_is_something_else_hinders_nobody(tmp_path: Path, what: str) -> None:
    place = tmp_path / "place"
    if what == "file":
        place.write_text("")
    else:
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to(tmp_path / "elsewhere")
    with measuring("assay run mine", place) as path:
        assert path is None
    assert others_measuring(place) == []


def test_what_is_no_file_of_ours_is_left_alone(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("precious")
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "1-0000000a").symlink_to(secret)
    os.mkfifo(tmp_path / "place" / "2-0000000b")  # to read it would wait for ever
    (tmp_path / "place" / "notes").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "place")
    (tmp_path / "place" / "3-0000000c").write_text("a dead one's")
    assert others_measuring(tmp_path / "link") == []
    assert (tmp_path / "place" / "3-0000000c").exists()  # through a link nothing is removed
    assert others_measuring(tmp_path / "place") == []
    assert secret.read_text() == "precious"
    left = sorted(path.name for path in (tmp_path / "place").iterdir())
    assert left == ["1-0000000a", "2-0000000b", "notes"]
