"""Prints the output of `assay dataset list` and `rm`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from assay.base.errors import HostError, InputError
from assay.base.wording import sized
from assay.front.terminal import say, say_json
from assay.measurement.source.dataset import (
    BUDGET_VARIABLE,
    Dataset,
    budget_bytes,
    datasets,
    find_named,
    remove,
)

_HEAD = ("id", "server", "workload", "rows", "tables", "size", "age", "last used")
_TO_THE_RIGHT = {"rows", "tables", "size"}


def as_text() -> str:
    """Returns a line for each dataset, and their sum beside the budget."""
    kept = datasets()
    if not kept:
        return "no dataset is kept here"
    now_ns = time.time_ns()
    total = sized(sum(dataset.manifest.bytes for dataset in kept))
    count = "1 dataset takes" if len(kept) == 1 else f"{len(kept)} datasets take"
    lines = _aligned([_HEAD, *(_cells(dataset, now_ns) for dataset in kept)])
    return "\n".join([*lines, f"\n{count} {total} of {sized(budget_bytes())} ({BUDGET_VARIABLE})"])


def as_records() -> list[dict[str, Any]]:
    """Returns datasets for `--json`: their manifests without the lists of files."""
    return [
        {
            **msgspec.to_builtins(dataset.manifest),
            "fingerprint": _tables(dataset),
            "path": str(dataset.path),
            "last_used_wall_ns": dataset.last_used_wall_ns,
            "in_use": dataset.in_use(),
        }
        for dataset in datasets()
    ]


def remove_and_say(words: Sequence[str], *, every: bool, as_json: bool = False) -> None:
    """Removes datasets and prints which. Raises InputError before anything is removed when a word names none,
    and HostError at the end for those in use.
    """
    if every == bool(words):
        raise InputError(
            "dataset rm needs the ids of datasets, or --all", hint="list them: assay dataset list"
        )  # both, or neither
    going = {one.manifest.id: one for one in (datasets() if every else map(find_named, words))}
    if not going:
        say("no dataset is kept here", err=as_json)
    used, removed = [], []
    for name, dataset in going.items():
        if remove(dataset):
            removed.append(name)
            say(f"removed {name} ({sized(dataset.manifest.bytes)})", err=as_json)
        else:
            used.append(name)
    if as_json and (removed or not used):
        say_json({"removed": removed, "in_use": used})
    if used:
        raise HostError(
            f"cannot remove what a running study uses: {', '.join(used)}",
            hint="remove it when that study has ended",
        )


def ago(seconds: float) -> str:
    """Returns a length of time in one unit, rounded down: `45 s`, `12 min`, `5 h`, `3 days`."""
    for unit, length_s in (("day", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= length_s:
            count = int(seconds // length_s)
            return f"{count} {unit}{'s' if unit == 'day' and count > 1 else ''}"
    return f"{max(int(seconds), 0)} s"


def _cells(dataset: Dataset, now_ns: int) -> tuple[str, ...]:
    manifest = dataset.manifest
    used = f"{ago((now_ns - dataset.last_used_wall_ns) / 1e9)} ago"
    return (
        manifest.id,
        manifest.build,
        manifest.workload,
        f"{manifest.rows:,}",
        str(manifest.tables),
        sized(manifest.bytes),
        ago((now_ns - manifest.created_wall_ns) / 1e9),
        "in use" if dataset.in_use() else used,
    )


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if name in _TO_THE_RIGHT else cell.ljust(width)
            for name, cell, width in zip(_HEAD, row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def _tables(dataset: Dataset) -> dict[str, Any] | None:
    prints = dataset.manifest.fingerprint
    return None if prints is None else msgspec.to_builtins(prints.tables)
