"""Room on disk that is taken and given back."""

from __future__ import annotations

import os
from pathlib import Path

from assay.measurement.run.experiments.peak_space import Peak, space_taken, watched

_MB = 1 << 20


def _write(path: Path) -> None:
    with path.open("wb") as file:
        file.write(bytes(_MB))
        file.flush()
        os.fdatasync(file.fileno())  # until then it has no blocks


def test_temporary_is_what_is_neither_before_nor_after() -> None:
    assert Peak(before=100, highest=205, after=105).temporary(later=110) == 100
    assert Peak(before=100, highest=205, after=205).temporary(later=105) == 100
    assert Peak(before=100, highest=150, after=50).temporary(later=50) == 50
    assert Peak(before=100, highest=120, after=130).temporary(later=130) == 0


def test_a_file_that_comes_and_goes_is_seen(tmp_path: Path) -> None:
    with watched([tmp_path], os.getpid()) as peak:
        _write(tmp_path / "sorted")
        while peak.highest < peak.before + _MB:
            pass
        (tmp_path / "sorted").unlink()
    assert peak.temporary(space_taken([tmp_path], os.getpid())) >= _MB


def test_a_file_without_a_name_takes_room_as_long_as_it_is_open(tmp_path: Path) -> None:
    before = space_taken([tmp_path], os.getpid())
    _write(tmp_path / "sorted")
    with (tmp_path / "sorted").open("rb"):
        (tmp_path / "sorted").unlink()
        assert space_taken([tmp_path], os.getpid()) >= before + _MB
    assert space_taken([tmp_path], os.getpid()) < before + _MB
