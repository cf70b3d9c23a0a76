"""Adds up the disk space that a study needs on each file system, for a check before anything is loaded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assay.measurement.source.dataset import datasets_dir, over_budget


@dataclass(frozen=True)
class Need:
    """A number of bytes that must be free at one place, and what they are for; `missing_datasets` of them are
    to be loaded first.
    """

    place: Path
    bytes: int
    what: str
    missing_datasets: int = 0


class DiskBudget:
    """Adds up the disk space of a study. Datasets add up; of runs the largest counts, since one follows the
    other.
    """

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._coming: dict[str, int] = {}
        self._run: dict[int, tuple[Path, int]] = {}

    def dataset(self, name: str, coming_bytes: int) -> None:
        """Adds a dataset that the study uses, with the bytes it will take; 0 when it exists already."""
        self._used.add(name)
        self._coming[name] = coming_bytes

    def run(self, parts: Iterable[tuple[Path, int]]) -> None:
        """Adds one run, with the bytes that it puts at each place."""
        sums: dict[int, tuple[Path, int]] = {}
        for place, size in parts:
            first, so_far = sums.get(device := _device(place), (place, 0))
            sums[device] = (first, so_far + size)
        for device, (place, size) in sums.items():
            if size > self._run.get(device, (place, 0))[1]:
                self._run[device] = (place, size)

    def needs(self) -> list[Need]:
        """Returns the bytes that must be free on each file system."""
        needs = self._with_datasets() if self._used else self._run
        missing = {_device(datasets_dir()): sum(size > 0 for size in self._coming.values())}
        return [
            Need(place, size, self._what, missing.get(device, 0)) for device, (place, size) in needs.items()
        ]

    @property
    def _what(self) -> str:
        return "the datasets of this study and the copies of a run" if self._used else "the files of a run"

    def _with_datasets(self) -> dict[int, tuple[Path, int]]:
        home = datasets_dir()
        coming = sum(self._coming.values())
        going = over_budget(coming, keep=self._used) if coming else []
        needs = dict(self._run)
        _, copies = needs.get(_device(home), (home, 0))
        needs[_device(home)] = (home, copies + coming - sum(dataset.manifest.bytes for dataset in going))
        return needs


def _device(path: Path) -> int:
    """Returns the device number of the file system under `path`, whether or not `path` exists."""
    path = path.absolute()
    while not path.exists():
        path = path.parent
    return path.stat().st_dev
