"""Packs the parts of many runs together, so that a large store has few files.

Neighbours of about one size are packed: a run is copied twice in all, however many follow it. Rows stay in
the order of the runs, but measures are sorted by their names: who reads them wants few of hundreds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import duckdb

from assay.base.inner_path import InnerPath
from assay.results.store import parquet
from assay.results.store.parts import MEASURES, Part, new_folder, part_of
from assay.results.store.tables import TABLES, file_name, row_group

TOGETHER = 64
"""Neighbours that are packed as soon as there are so many: single runs, and then packs."""
_MOST_BYTES = 1 << 27
"""Size that a part of the store may have: its measures are in memory while they are sorted."""


@dataclass(frozen=True)
class _Piece:
    """Neighbouring runs of a part."""

    part: Part
    names: Sequence[str]

    @property
    def is_whole(self) -> bool:
        return len(self.names) == len(self.part.runs)

    @property
    def bytes(self) -> float:
        return sum(one.bytes for one in self.part.files.values()) * len(self.names) / len(self.part.runs)


_Group = list[_Piece]
"""What becomes one part."""


def packed(store: InnerPath, parts: Sequence[Part], wanted: Mapping[str, str]) -> list[Part]:
    """Returns the parts of a store whose runs are `wanted` in this state and order; all of these are among
    the runs of `parts`. New parts are written, old ones stay as they are.
    """
    of = {name: part for part in parts for name, stamp in part.runs.items() if wanted.get(name) == stamp}
    groups = [
        [_Piece(of[names[0]], names)]
        for _, found in groupby(wanted, key=lambda name: of[name].folder)
        for names in [list(found)]
    ]
    if len(groups) >= TOGETHER:
        fixed = {group[0].part.folder for group in groups if not _is_named(store, group[0].part)}
        for most in (TOGETHER, TOGETHER**2):
            groups = list(_joined(groups, most, fixed))
    return [_written(store, group, wanted) for group in groups]


def _is_named(store: InnerPath, part: Part) -> bool:
    """Returns whether the rows of each run can be told by its name; those of the study, and of a run whose
    folder was renamed by hand, cannot.
    """
    if len(part.runs) > 1:
        return True
    if not part.of("runs"):
        return False
    with parquet.database() as connection, parquet.Sources() as sources:
        runs = sources.table(*_files(store, part, "runs"))
        found = connection.execute(f"SELECT run_id FROM {runs}").fetchall()
    return [name for (name,) in found] == list(part.runs)


def _joined(groups: Sequence[_Group], most: int, fixed: set[str]) -> Iterator[_Group]:
    """Joins neighbours of fewer than `most` runs each, where there are enough of them, to groups of about so
    many.
    """

    def is_small(group: _Group) -> bool:
        return _runs(group) < most and _bytes(group) < _MOST_BYTES / 2 and group[0].part.folder not in fixed

    for small, found in groupby(groups, key=is_small):
        stretch = list(found)
        if not small or len(stretch) < TOGETHER:
            yield from stretch
            continue
        into: _Group = []
        for group in stretch:
            if _runs(into) >= most or _bytes(into) + _bytes(group) > _MOST_BYTES:
                yield into
                into = []
            into = [*into, *group]
        yield into


def _runs(group: _Group) -> int:
    return sum(len(piece.names) for piece in group)


def _bytes(group: _Group) -> float:
    return sum(piece.bytes for piece in group)


def _written(store: InnerPath, group: _Group, wanted: Mapping[str, str]) -> Part:
    if len(group) == 1 and group[0].is_whole:
        return group[0].part
    place = new_folder(store)
    with parquet.database() as connection:
        for table in TABLES:
            pieces = [piece for piece in group if piece.part.of(table)]
            if pieces:
                _copy(connection, store, table, pieces, place / file_name(table, 0))
    return part_of({name: wanted[name] for piece in group for name in piece.names}, place)


def _copy(
    connection: duckdb.DuckDBPyConnection,
    store: InnerPath,
    table: str,
    pieces: Sequence[_Piece],
    path: InnerPath,
) -> None:
    with parquet.Sources() as sources:
        rows = " UNION ALL ".join(
            f"SELECT * FROM {sources.table(*_files(store, piece.part, table))}{_condition(piece)}"
            for piece in pieces
        )
        if table == MEASURES:  # of one name in the order of the runs
            numbered = f"SELECT *, row_number() OVER () AS place FROM ({rows})"
            rows = f"SELECT * EXCLUDE place FROM ({numbered}) ORDER BY measure, place"
        parquet.write_query(connection, rows, path, row_group(table))


def _files(store: InnerPath, part: Part, table: str) -> list[InnerPath]:
    return [store / part.folder / name for name in part.of(table)]


def _condition(piece: _Piece) -> str:
    if piece.is_whole:
        return ""
    return f" WHERE run_id IN ({', '.join(map(parquet.quoted, piece.names))})"
