"""The catalogue: every results folder below a root, read once and kept until its files change.

`ROOT/.catalogue/results` has a row a folder, `measures` a row an estimate. Only folders whose files moved are
read again, in the background, so that a page never waits for a thousand results. What lies below a root may
come from anybody: a catalogue that this account has not sealed is written anew.
"""

from __future__ import annotations

import hmac
import os
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from assay.base.inner_path import InnerPath
from assay.base.seal import seal_of
from assay.design.folder import ResultsFolder
from assay.experiments.lab import CountedDoubt, Headline
from assay.front.web.archive.rows import (
    CatalogueRow,
    MeasureRow,
    read_rows,
    unread_row,
)
from assay.front.web.not_found import NotFound, NotYet

FOLDER = ".catalogue"
VERSION = "7"
_MOST_BYTES = 256 << 20
_FILES = ("results", "measures")
_SEAL = "seal"
_LEVEL = 1
"""The quickest compression."""
#: How long a page waits for folders that changed, in seconds: one takes a few tenths.
PATIENCE_S = 0.15
#: How long a list of what lies below the root is good enough for a page.
FRESH_S = 1.0

_DEPTH = 8
_FOREIGN = "foreign"
_MARKS = frozenset({"study.json", "plan.json", "runs", "store"})
"""Names of which a results folder has one at least, also where others were lost."""
_STAMPED = ("study.json", "study.toml", "plan.json", "looks.json", "runs")


@dataclass(frozen=True)
class _Seen:
    """A folder as it lies there: its path below the root, and the state of its files."""

    place: str
    stamp: str
    is_ours: bool = True


class Catalogue:
    """Every folder below a root. Several threads may ask at once; one reads."""

    for_one_s: float | None = 10.0
    """How long the page of results that were not read yet waits for them, in seconds; None: to the end."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._rows: dict[str, CatalogueRow] = {}
        self._measures: dict[str, list[MeasureRow]] = {}
        self._starting = threading.Lock()
        self._reader: threading.Thread | None = None
        self._closing = threading.Event()
        self._place = InnerPath(root, root / FOLDER)
        self._looked: tuple[float, list[_Seen]] | None = None
        self._load()

    def rows(self, *, wait_s: float | None = PATIENCE_S) -> tuple[list[CatalogueRow], int]:
        """Returns a row a folder, the newest results first, and how many folders are still to be read.

        Waits for these at most `wait_s`; None: until all are read.
        """
        seen = self._seen(wait_s)
        for _ in range(1 if wait_s is not None else 3):  # a reader that was under way had another list
            if self._stale(seen):
                self._started(seen).join(wait_s)
        places = {one.place for one in seen}
        known = [row for place, row in list(self._rows.items()) if place in places]
        waiting = len(self._stale(seen))
        return sorted(_distinct(known), key=lambda row: (-row.created_ns, row.place)), waiting

    def row(self, rid: str) -> CatalogueRow:
        """Returns the row with this name. Raises NotFound for a name that no folder has: addresses lead to
        folders through this list only. Raises NotYet where folders are still being read.
        """
        found = next((row for row in _distinct(list(self._rows.values())) if row.rid == rid), None)
        if found is None:
            rows, waiting = self.rows(wait_s=self.for_one_s)
            found = next((row for row in rows if row.rid == rid), None)
            if found is None and waiting:
                raise NotYet("web.missing.unread", count=waiting, rid=rid)
        if found is None:
            raise NotFound("web.missing.results", rid=rid)
        path = self.folder_of(found).path
        if found.is_readable and (stamp := _stamp(str(path))) != found.stamp:
            row, measures = read_rows(path, found.place, stamp)
            self._rows[row.place], self._measures[row.place] = row, measures
            self._looked = None
            found = replace(row, rid=found.rid)
        return found

    def folder(self, rid: str) -> ResultsFolder:
        """Returns the results folder of a row. Raises NotFound and NotYet, as `row` does."""
        return self.folder_of(self.row(rid))

    def folder_of(self, row: CatalogueRow) -> ResultsFolder:
        return ResultsFolder(self.root if row.place == "." else self.root / row.place)

    def measures(self) -> list[MeasureRow]:
        """Returns the estimates of all results."""
        return [one for found in list(self._measures.values()) for one in found]

    def state(self) -> str:
        """Returns a text that changes when any row does."""
        return str(hash(tuple(sorted((row.place, row.stamp) for row in list(self._rows.values())))))

    def _seen(self, wait_s: float | None) -> list[_Seen]:
        """Returns what lies below the root; for a page that does not wait, at most a second old."""
        now = time.monotonic()
        if wait_s is None or self._looked is None or now - self._looked[0] > FRESH_S:
            self._looked = (now, list(seen_below(self.root)))
        return self._looked[1]

    def _stale(self, seen: Sequence[_Seen]) -> list[_Seen]:
        known = {place: row.stamp for place, row in list(self._rows.items())}
        return [one for one in seen if known.get(one.place) != one.stamp]

    def _started(self, seen: Sequence[_Seen]) -> threading.Thread:
        """Returns the reader that is under way, or a new one."""
        with self._starting:
            if self._reader is None or not self._reader.is_alive():
                self._reader = threading.Thread(target=self._read, args=(seen,), daemon=True)
                self._reader.start()
            return self._reader

    def _read(self, seen: Sequence[_Seen]) -> None:
        """Reads folders that changed, one after the other, and writes the catalogue at the end."""
        for one in self._stale(seen):
            if self._closing.is_set():
                return
            if one.is_ours:
                path = self.root if one.place == "." else self.root / one.place
                row, measures = read_rows(path, one.place, one.stamp)
            else:
                reason = "" if one.stamp == _FOREIGN else one.stamp
                row, measures = unread_row(one.place, one.stamp, "foreign", reason), []
            self._rows[one.place], self._measures[one.place] = row, measures
        for gone in self._rows.keys() - {one.place for one in seen}:
            self._rows.pop(gone)
            self._measures.pop(gone, None)
        self._keep()

    @property
    def is_reading(self) -> bool:
        """Whether folders are being read."""
        return self._reader is not None and self._reader.is_alive()

    def close(self, patience_s: float) -> bool:
        """Ends the reading of folders after the one under way, and returns whether it has ended in time."""
        self._closing.set()
        if self._reader is not None:
            self._reader.join(patience_s)
        return self._reader is None or not self._reader.is_alive()

    def _keep(self) -> None:
        """Writes the catalogue; without a place to write, it lives in memory."""
        try:
            self._place.mkdir(exist_ok=True)
            rows = [asdict(row) for row in self._rows.values() if _is_text(row.place)]
            measures = [asdict(one) for one in self.measures()]
            made = [_packed(rows), _packed(measures)]
            for name, content in zip(_FILES, made, strict=True):
                (self._place / name).write_whole(content)
            (self._place / _SEAL).write_whole(self._seal(made).encode())
        except (OSError, UnicodeError, OverflowError):
            return

    def _load(self) -> None:
        try:
            found = [(self._place / name).read_bytes(_MOST_BYTES) for name in _FILES]
            seal = (self._place / _SEAL).read_text(errors="replace")
        except OSError:
            return  # the folders are read again
        if not hmac.compare_digest(seal.encode(), self._seal(found).encode()):
            return
        rows, measures = map(_unpacked, found)
        self._rows = {row["place"]: _row_of(row) for row in rows}
        for one in measures:
            self._measures.setdefault(one["place"], []).append(MeasureRow(**one))

    def _seal(self, contents: Sequence[bytes]) -> str:
        return seal_of(VERSION.encode(), os.fsencode(self.root.resolve()), *contents)


def seen_below(root: Path) -> Iterator[_Seen]:
    """Yields every results folder at and below a root, and the folders in which there is none at all."""
    found = list(_seen(str(root), ".", 0))
    yield from found if any(one.is_ours for one in found) or len(found) != 1 else []


def _seen(path: str, place: str, depth: int) -> Iterator[_Seen]:
    names, folders = set(), []
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                names.add(entry.name)
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
    except OSError as error:
        yield _Seen(place, f"cannot be read: {error.strerror}", is_ours=False)
        return
    if names & _MARKS:
        yield _Seen(place, _stamp(path))
        return
    below = [
        one
        for name in (sorted(folders) if depth < _DEPTH else ())
        for one in _seen(f"{path}/{name}", name if place == "." else f"{place}/{name}", depth + 1)
    ]
    if any(one.is_ours for one in below) or (place == "." and below):
        yield from below
    else:
        yield _Seen(place, _FOREIGN, is_ours=False)


def _stamp(path: str) -> str:
    """Returns the state of a results folder: when its files and its list of runs changed last."""
    found = []
    for name in _STAMPED:
        try:
            one = os.stat(f"{path}/{name}")  # noqa: PTH116 (of thousands: a Path is slower)
        except OSError:
            continue
        found.append(f"{name} {one.st_mtime_ns} {one.st_size if name != 'runs' else ''}")
    return "\n".join(found)


def _distinct(rows: Sequence[CatalogueRow]) -> list[CatalogueRow]:
    """Returns the rows with a name each: copies of the same results have numbers."""
    counts: dict[str, int] = {}
    found = []
    for row in sorted(rows, key=lambda one: one.place):
        counts[row.rid] = counts.get(row.rid, 0) + 1
        found.append(row if counts[row.rid] == 1 else replace(row, rid=f"{row.rid}.{counts[row.rid]}"))
    return found


def _is_text(place: str) -> bool:
    """Returns whether a path is valid text; files of text cannot hold others, and they are read again."""
    return place.isprintable() or not any("\ud800" <= letter <= "\udfff" for letter in place)


def _packed(rows: list[dict[str, Any]]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(rows, enc_hook=_plain_number), _LEVEL)


def _plain_number(value: Any) -> Any:
    """Returns a number of numpy's as one of Python's."""
    return value.item()


def _unpacked(content: bytes) -> list[dict[str, Any]]:
    """Returns the rows of a file that this account has written."""
    rows: list[dict[str, Any]] = msgspec.msgpack.decode(zlib.decompress(content))
    return rows


def _row_of(row: dict[str, Any]) -> CatalogueRow:
    headline = row.pop("headline")
    pairs = {name: tuple(tuple(pair) for pair in row.pop(name)) for name in ("titles", "claims")}
    doubts = tuple(CountedDoubt(**one) for one in row.pop("doubts"))
    lists = {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
    return CatalogueRow(
        **{**row, **lists, **pairs},
        doubts=doubts,
        headline=None if headline is None else Headline(**headline),
    )
