"""An installation is as large as its packages, which are counted one by one."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from scripts.wheels import sizes


def _plant(folder: Path, name: str, unpacked: int) -> None:
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}/a", b"\0" * (unpacked // 2))
        archive.writestr(f"{name}/b", b"\0" * (unpacked - unpacked // 2))


def test_sums_are_of_files_and_of_what_is_in_them(tmp_path: Path) -> None:
    for number in range(10):
        _plant(tmp_path, f"part{number}", 1_000_000 * number)
    parts = sizes.parts_in(tmp_path)
    assert [one.name for one in parts[:2]] == ["part9", "part8"]
    packed = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert sizes.sums(parts) == (packed, 45_000_000)
    lines = sizes.rows(parts, largest=9)
    assert len(lines) == 12
    assert lines[-2].split()[:2] == ["1", "others"]
    assert lines[-1].split()[-2:] == ["45.0", "MB"]
    assert sizes.too_much(parts) == []


@pytest.mark.parametrize(
    ("packed", "unpacked", "wrong"),
    [
        (sizes.MOST_DOWNLOADED_MB, sizes.MOST_INSTALLED_MB, []),
        (sizes.MOST_DOWNLOADED_MB + 1, 1, ["download"]),
        (1, sizes.MOST_INSTALLED_MB + 1, ["on disk"]),
    ],
)
def test_bars(packed: float, unpacked: float, wrong: list[str]) -> None:
    found = sizes.too_much([sizes.Part("x", int(packed * sizes.MB), int(unpacked * sizes.MB))])
    assert [one.partition(":")[0] for one in found] == wrong


def test_a_wheel_of_another_machine_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="machine"):
        sizes.download(tmp_path / "assay-0.1.0-py3-none-any.whl", tmp_path)
