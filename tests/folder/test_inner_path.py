"""Nothing beneath a folder leads out of it, waits, or takes more memory than a file may."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.base.inner_path import InnerPath, NotOpened
from assay.base.locks import locked

SECRET = "somebody else's\n"


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    place = tmp_path / "elsewhere"
    place.mkdir()
    (place / "file").write_text(SECRET)
    return place


@pytest.fixture
def root(tmp_path: Path, victim: Path) -> Path:
    place = tmp_path / "results"
    place.mkdir()
    (place / "real").mkdir()
    (place / "plain").write_text("own\n")
    (place / "link").symlink_to(victim / "file")
    (place / "dangling").symlink_to(victim / "new")
    (place / "folder").symlink_to(victim)
    (place / "real/up").symlink_to("..")
    os.mkfifo(place / "pipe")
    (place / "zero").symlink_to("/dev/zero")
    (place / "huge").touch()
    os.truncate(place / "huge", 1 << 40)
    return place


WAYS: dict[str, Callable[[InnerPath], object]] = {
    "read": lambda path: path.read_bytes(),
    "text": lambda path: path.read_text(),
    "lines": lambda path: list(path.lines()),
    "append": lambda path: path.open("ab").close(),
    "change": lambda path: path.open("r+b").close(),
    "touch": lambda path: path.touch(),
    "new": lambda path: path.open("wb").close(),
    "list": lambda path: list(path.iterdir()),
    "walk": lambda path: list(path.files()),
    "folder": lambda path: path.mkdir(exist_ok=True),
    "folders": lambda path: (path / "a").mkdir(parents=True, exist_ok=True),
    "below": lambda path: (path / "file").read_bytes(),
    "write below": lambda path: (path / "file").write_bytes(b"x"),
    "remove below": lambda path: (path / "file").unlink(),
}
PLACES = [
    "link",
    "dangling",
    "folder",
    "real/up/link",
    "real/up/../link",
    "../elsewhere/file",
    "pipe",
    "zero",
    "huge",
    "a\0b",
]
FINE = {("huge", "append"), ("huge", "change"), ("huge", "touch"), ("huge", "new")}


@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_plain_file_beneath_the_folder_is_not_opened(root: Path, victim: Path, place: str) -> None:
    path = InnerPath(root, root / place)
    for name, way in WAYS.items():
        if (place, name) in FINE:
            way(path)
        else:
            with pytest.raises(OSError, match=r"\w"):
                way(path)
        assert [one.name for one in victim.iterdir()] == ["file"], name
        assert (victim / "file").read_text() == SECRET, name


def test_a_refusal_is_one_sentence_with_the_path(root: Path) -> None:
    with pytest.raises(InputError) as refused:
        InnerPath(root, root / "folder/file").read_bytes()
    assert (
        refused.value.message
        == f"{root}/folder/file lies in 'folder', which is a symbolic link, and none is followed here"
    )
    with pytest.raises(NotOpened, match="has more than 1 KiB"):
        InnerPath(root, root / "huge").read_bytes(1 << 10)


def test_removing_and_replacing_touch_the_link_and_never_what_it_leads_to(root: Path, victim: Path) -> None:
    InnerPath(root, root / "folder").remove()
    InnerPath(root, root / "link").write_bytes(b"new")
    InnerPath(root, root / "dangling").unlink()
    assert not (root / "folder").exists()
    assert (root / "link").read_bytes() == b"new"
    assert not (root / "link").is_symlink()
    assert [one.name for one in victim.iterdir()] == ["file"]


@pytest.mark.parametrize("mode", ["wb", "ab", "r+b", "a+b"])
def test_a_file_with_another_name_elsewhere_is_written_as_a_copy(root: Path, victim: Path, mode: str) -> None:
    os.link(victim / "file", root / "twin")
    with InnerPath(root, root / "twin").open(mode) as out:
        out.write(b"changed")
    assert (victim / "file").read_text() == SECRET
    assert b"changed" in (root / "twin").read_bytes()


def test_the_folder_itself_may_be_reached_by_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(root)
    assert InnerPath(tmp_path / "latest", tmp_path / "latest/plain").read_text() == "own\n"


@pytest.mark.parametrize("what", ["link", "pipe", "folder"])
def test_a_lock_is_a_plain_file(root: Path, victim: Path, what: str) -> None:
    with pytest.raises(OSError, match=r"\w"), locked(root / what):
        pass
    with pytest.raises(OSError, match=r"\w"), locked(root / "dangling"):
        pass
    assert [one.name for one in victim.iterdir()] == ["file"]


def _write(path: Path, letter: str, times: int, failed: multiprocessing.Queue[str]) -> None:
    for _ in range(times):
        try:
            write_whole(path, letter.encode() * 20_000)
        except Exception as error:
            failed.put(repr(error))
    failed.put("")


def test_an_error_of_the_system_names_the_whole_path(tmp_path: Path) -> None:
    """Work in an open folder fails by a bare name, and writing by that of a part: neither says where."""
    (tmp_path / "folder/full").mkdir(parents=True)
    root = InnerPath(tmp_path, tmp_path)
    attempts: list[tuple[Path, Callable[[], object]]] = [
        (tmp_path / "folder", lambda: write_whole(tmp_path / "folder", b"x")),
        (tmp_path / "folder", lambda: (root / "folder").write_whole(b"x")),
        (tmp_path / "folder", lambda: (root / "folder").mkdir()),
        (tmp_path / "folder", lambda: (root / "folder").unlink()),
        (tmp_path / "gone", lambda: (root / "gone").unlink()),
        (tmp_path / "gone", lambda: (root / "gone").stat()),
        (tmp_path / "gone", lambda: (root / "gone").rename(root / "other")),
    ]
    for path, attempt in attempts:
        with pytest.raises(OSError, match=r"Errno") as caught:
            attempt()
        assert caught.value.filename == str(path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["folder"]


def test_two_processes_write_one_file_whole(tmp_path: Path) -> None:
    path, failed = tmp_path / "kept.json", multiprocessing.get_context("fork").Queue()
    write_whole(path, b"0" * 20_000)
    writers = [
        multiprocessing.get_context("fork").Process(target=_write, args=(path, letter, 40, failed))
        for letter in "12"
    ]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        found = path.read_bytes()
        assert len(found) == 20_000
        assert len(set(found)) == 1
    for writer in writers:
        writer.join()
    assert [failed.get(), failed.get()] == ["", ""]
    assert [one.name for one in tmp_path.iterdir()] == ["kept.json"]


def test_a_part_is_never_written_through_a_link_and_old_ones_are_swept(tmp_path: Path, victim: Path) -> None:
    (tmp_path / ".kept.json.part").symlink_to(victim / "file")
    left = tmp_path / ".kept.json.0123456789abcdef.part"
    left.write_text("of a killed process")
    os.utime(left, (1, 1))
    write_whole(tmp_path / "kept.json", b"{}")
    assert (victim / "file").read_text() == SECRET
    assert not left.exists()
    assert (tmp_path / "kept.json").read_bytes() == b"{}"
