"""Keeps datasets within their disk budget: chooses those to remove, and removes each completely or not at
all.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection

from assay.base.errors import InputError
from assay.base.locks import take
from assay.base.wording import sized
from assay.design.study import number
from assay.measurement.source.dataset.manifest import MANIFEST, Dataset, dataset_lock, datasets, datasets_dir
from assay.measurement.source.dataset.samples import sweep_samples
from assay.system.server.variables import unit_mistake

BUDGET_VARIABLE = "ASSAY_DATASET_BUDGET"
"""Environment variable: what datasets may take on disk together, such as `50G`."""

DEFAULT_BUDGET = "50G"
"""Some 200 million rows of sbtest; a study that needs more by itself still gets it."""

_SWEPT = {".part": "the unfinished dataset", ".gone": "the rest of the dataset"}
"""Endings of the names of half-built and half-removed datasets, and what each is called."""


def budget_bytes() -> int:
    """Returns `$ASSAY_DATASET_BUDGET` in bytes; its suffixes are the server's (K, M, G, T: powers of
    1024).
    """
    text = os.environ.get(BUDGET_VARIABLE, "").strip() or DEFAULT_BUDGET
    size = number(text)
    if size is None or size < 0:
        raise InputError(
            f"{BUDGET_VARIABLE}: {text!r} is not a size",
            hint=f'write "{unit_mistake(text) or DEFAULT_BUDGET}"',
        )
    return int(size)


def over_budget(coming_bytes: int, keep: Collection[str] = ()) -> list[Dataset]:
    """Returns the datasets to remove before `coming_bytes` arrive: the least recently used first, none of
    `keep` and none in use.

    Removing them may free too little: the budget limits what is kept, and no study is refused for it.
    """
    kept = datasets()
    excess = sum(dataset.manifest.bytes for dataset in kept) + coming_bytes - budget_bytes()
    going = []
    for dataset in reversed(kept):
        if excess <= 0:
            break
        if dataset.manifest.id not in keep and not dataset.in_use():
            going.append(dataset)
            excess -= dataset.manifest.bytes
    return going


def make_room(coming_bytes: int, note: Callable[[str], None]) -> None:
    """Removes datasets that exceed the budget once `coming_bytes` arrive; calls `note` with a line for
    each.
    """
    for dataset in over_budget(coming_bytes):
        if remove(dataset):
            note(
                f"removed the dataset {dataset.manifest.id} ({sized(dataset.manifest.bytes)}), the least"
                f" recently used: the new one would not fit into {sized(budget_bytes())} ({BUDGET_VARIABLE})"
            )


def remove(dataset: Dataset) -> bool:
    """Removes a dataset, by rename first. Returns False, and removes nothing, when somebody uses it."""
    name = dataset.manifest.id
    gone = datasets_dir() / f".{name}.gone"
    try:
        with dataset_lock(name, wait=False), (dataset.path / MANIFEST).open("rb") as manifest:
            if not take(manifest):
                return False
            shutil.rmtree(gone, ignore_errors=True)  # left by a remover that was killed
            dataset.path.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
    except BlockingIOError:
        return False  # it is being looked up this moment
    except FileNotFoundError:
        pass  # somebody else was quicker
    return True


def sweep_unfinished() -> list[str]:
    """Removes what killed builders and removers left; returns a line for each."""
    done = []
    for path in sorted(datasets_dir().glob(".*")):
        if path.suffix not in _SWEPT:
            continue
        name = path.stem.removeprefix(".")
        try:
            with dataset_lock(name, wait=False):
                shutil.rmtree(path, ignore_errors=True)
        except BlockingIOError:
            continue  # somebody is at it
        done.append(f"removed {_SWEPT[path.suffix]} {name}")
    return done + sweep_samples()
