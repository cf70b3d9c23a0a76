"""A dataset that a script made is used again only while everything that the script read is the same."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest
from assay.design.plan import Script
from assay.measurement.source.dataset.inputs import (
    changed_since,
    content_of,
    contents,
    digest,
    first_changed,
    not_files,
)
from assay.measurement.source.dataset.key import DatasetKey
from assay.measurement.source.dataset.manifest import MANIFEST, DatasetManifest, find_dataset
from make_datasets import make_dataset

KEY = DatasetKey("b", "lua:own.lua", {}, {}, script=cast(Script, SimpleNamespace(threads=1)), identity="x")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dump.sql").write_text("INSERT 1")
    (tmp_path / "sub").mkdir()
    return tmp_path


def kept(read: dict[str, str], others: list[str]) -> None:
    """A dataset that was made from these files."""
    path = make_dataset(f"{KEY.id}-{digest(read)}")
    manifest = msgspec.json.decode((path / MANIFEST).read_bytes(), type=DatasetManifest)
    manifest = msgspec.structs.replace(manifest, files_read=read, other_inputs=others)
    (path / MANIFEST).write_bytes(msgspec.json.encode(manifest))


def same_size_and_time(folder: Path) -> None:
    before = (folder / "dump.sql").stat()
    (folder / "dump.sql").write_text("INSERT 2")
    os.utime(folder / "dump.sql", ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize(
    ("change", "others", "is_used"),
    [
        (lambda folder: None, [], True),
        (lambda folder: (folder / "dump.sql").touch(), [], True),
        (lambda folder: (folder / "unread").write_text("x"), [], True),
        (lambda folder: (folder / "dump.sql").write_text("INSERT 12"), [], False),
        (same_size_and_time, [], False),
        (lambda folder: (folder / "dump.sql").unlink(), [], False),
        (lambda folder: (folder / "late").write_text("x"), [], False),  # it was looked for
        (lambda folder: os.chdir(folder / "sub"), [], False),  # the name is of another file there
        (lambda folder: None, ["io.popen()"], False),
    ],
)
def test_it_is_used_again_while_its_inputs_are_the_same(
    files: Path, change: Callable[[Path], object], others: list[str], is_used: bool
) -> None:
    kept(contents(["dump.sql", "late"]), others)
    change(files)
    assert (find_dataset(KEY) is not None) == is_used


def test_one_of_several_states_is_found_again(files: Path) -> None:
    states = ("INSERT 1", "INSERT 2")
    for text in states:
        (files / "dump.sql").write_text(text)
        kept(contents(["dump.sql"]), [])
    found = []
    for text in states:
        (files / "dump.sql").write_text(text)
        dataset = find_dataset(KEY)
        assert dataset is not None
        found.append(dataset.data_id(KEY))
    assert len(set(found)) == 2


def test_a_file_that_changed_while_it_was_read_is_named(files: Path) -> None:
    names = ["absent", "dump.sql", str(files / "sub" / "rows.csv")]
    (files / "sub" / "rows.csv").write_text("1")
    time.sleep(0.05)
    began = time.time_ns()
    assert changed_since(names, began) == []
    time.sleep(0.05)
    same_size_and_time(files)
    assert changed_since(names, began) == ["dump.sql"]


def test_what_is_no_file_cannot_be_told_again(files: Path) -> None:
    os.mkfifo(files / "pipe")
    read = contents(["pipe", "/dev/urandom", "dump.sql", "absent"])
    assert not_files(read) == ["/dev/urandom", "pipe"]
    assert content_of("absent") == read["absent"]
    assert first_changed(read) is None
