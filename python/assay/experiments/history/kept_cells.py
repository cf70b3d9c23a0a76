"""Keeps what a history reads from each results folder, until a file of it changes: a page of many results is
opened often, and between two openings hardly one of them changes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec

from assay.base.file_cache import FileCache, code_of, name_of
from assay.design.study import Conditions
from assay.experiments.history.reading import Build, Cell, read_cells
from assay.experiments.lab import results_folder
from assay.measurement.calibration import Noise, noise_state
from assay.results.store import folder_state
from assay.system.server import home

MOST_BYTES = 64 << 20
"""How much the folder may hold."""

_MAKERS = ("base", "design", "results", "experiments")
_LEFT_OUT = frozenset({"work", "stated", "variables"})
"""Parts of conditions that no history looks at, and that make most of their bytes."""


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """A cell as it is kept."""

    folder: str
    where: dict[str, Any]
    build: Build
    use: str
    started_ns: int
    measure: str
    unit: str
    blocks: dict[int, float]
    noise: tuple[Noise, ...]


_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(list[_Kept])


def cells_of(path: Path, measures: Collection[str]) -> list[Cell]:
    """Returns the cells of one results folder, as `read_cells` yields them. Raises what it raises."""
    folder = results_folder(path)
    files = FileCache(home() / "histories", MOST_BYTES)
    state = folder_state(folder)  # before the files are read: what changes meanwhile is read again
    where = str(folder.path.resolve())
    name = name_of(code_of(*_MAKERS), where, state, noise_state(), *sorted(measures))
    kept = files.read(name)
    if kept is not None and (found := _decoded(kept, path)) is not None:
        return found
    made = list(read_cells(path, measures))
    files.write(name, _ENCODER.encode([_kept(one) for one in made]))
    return made


def _kept(cell: Cell) -> _Kept:
    where = {
        one.name: getattr(cell.where, one.name) for one in fields(Conditions) if one.name not in _LEFT_OUT
    }
    return _Kept(
        cell.folder, where, cell.build, cell.use, cell.started_ns, cell.measure, cell.unit, dict(cell.blocks),
        cell.noise,
    )  # fmt: skip


def _decoded(content: bytes, path: Path) -> list[Cell] | None:
    try:
        kept = _DECODER.decode(content)
    except msgspec.DecodeError:
        return None
    return [
        Cell(
            folder=str(path),
            where=Conditions(**{**one.where, "levels": tuple(map(tuple, one.where["levels"]))}),
            build=one.build,
            use=one.use,
            started_ns=one.started_ns,
            measure=one.measure,
            unit=one.unit,
            blocks=one.blocks,
            noise=one.noise,
        )
        for one in kept
    ]
