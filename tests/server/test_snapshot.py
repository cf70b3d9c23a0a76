"""Copies are whole or absent, keep holes, owners and modes, and ask for space first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.system.server import disk_use, require_space, snapshot_copy
from assay.system.server.data import snapshot as snapshot_module


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    src = tmp_path / "src"
    (src / "db").mkdir(parents=True)
    (src / "db" / "t.ibd").write_bytes(b"page" * 4096)
    (src / "empty").touch(mode=0o640)
    (src / "link").symlink_to("db/t.ibd")
    with (src / "sparse").open("wb") as file:
        file.write(b"head")
        file.seek(8 << 20)
        file.write(b"middle")
        file.truncate(64 << 20)
    (src / "db" / "t.ibd").chmod(0o660)
    if os.geteuid() == 0:
        os.chown(src / "db" / "t.ibd", 65534, 65534)
    return src


def test_the_copy_is_the_same(tree: Path, tmp_path: Path) -> None:
    dst = tmp_path / "deep" / "dst"
    assert snapshot_copy(tree, dst) in ("reflink", "copy")
    for name in ("db/t.ibd", "empty", "sparse"):
        assert (dst / name).read_bytes() == (tree / name).read_bytes()
        left, right = (dst / name).stat(), (tree / name).stat()
        assert (left.st_uid, left.st_gid, left.st_mode) == (right.st_uid, right.st_gid, right.st_mode)
        assert left.st_mtime_ns == right.st_mtime_ns
    assert (dst / "link").readlink() == Path("db/t.ibd")
    assert disk_use(dst / "sparse") < 1 << 20
    assert sorted(path.name for path in dst.parent.iterdir()) == ["dst"]


def test_it_does_not_mix_with_what_is_there(tree: Path, tmp_path: Path) -> None:
    with pytest.raises(HostError, match="exists already"):
        snapshot_copy(tree, tmp_path)


def test_a_failure_leaves_nothing(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(snapshot_module, "_copy_extents", full)
    monkeypatch.setattr(snapshot_module, "_clone", lambda *_: False)
    with pytest.raises(OSError, match="No space left"):
        snapshot_copy(tree, tmp_path / "dst")
    assert [path.name for path in tmp_path.iterdir()] == ["src"]


def test_space_is_asked_for_before_anything_is_written(tmp_path: Path) -> None:
    require_space(tmp_path / "not" / "there", 1, "a dataset")
    with pytest.raises(HostError) as caught:
        require_space(tmp_path / "not" / "there", 1 << 60, "dataset oltp-4x1000")
    assert caught.value.message.startswith(
        f"no room for dataset oltp-4x1000 at {tmp_path}/not/there: 1,048,576.00 TiB needed, "
    )
    assert caught.value.message.endswith(" free")
    assert not (tmp_path / "not").exists()
