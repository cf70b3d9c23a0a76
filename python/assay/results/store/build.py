"""Keeps the store of a results folder up to date: a part for new runs, and packs of the parts of many."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import groupby

from assay.base.decoding import UNREADABLE, reading
from assay.base.inner_path import InnerPath
from assay.base.locks import locked, take
from assay.design.folder import Damaged, ResultsFolder, again, read_manifest
from assay.results.store.packing import TOGETHER, packed
from assay.results.store.parts import (
    INDEX,
    STUDY,
    SUMMARY,
    VERSION,
    Index,
    Part,
    boot,
    new_folder,
    part_of,
    read_index,
    stamps,
    whole_parts,
    write_index,
)
from assay.results.store.place import lock_of, place_of
from assay.results.store.run_rows import add_run
from assay.results.store.study_rows import add_study
from assay.results.store.tables import Rows

MOST_ROWS = 200_000
"""Rows that may be in memory before another run is added to them."""


def build_store(folder: ResultsFolder) -> None:
    """Writes the run folders as Parquet files to `folder.store`.

    A run is read only when it is new or one of its files has changed; runs that are gone leave the store.
    Several processes may do this at once: one builds, the others wait, and an open store keeps the contents
    it had when it was opened. Raises `InputError`, which names a file that cannot be read, and then leaves
    the store unchanged.
    """
    store = place_of(folder)
    wanted, index = stamps(folder), read_index(store)
    whole = whole_parts(store, index)
    is_current = whole == index.parts and _states(whole) == list(wanted.items())
    is_noted = index.boot == boot()  # that its files have been read since the machine started
    if is_current and is_noted and not any(_unlisted(store, index)):
        return
    try:
        with locked(lock_of(store)):  # one builds, the others wait for it
            _build(folder, store)
    except OSError:
        if not is_current:
            raise


def _states(parts: Sequence[Part]) -> list[tuple[str, str]]:
    return [state for part in parts for state in part.runs.items()]


def _build(folder: ResultsFolder, store: InnerPath) -> None:
    store.mkdir(exist_ok=True)
    wanted, index = stamps(folder), read_index(store)
    whole = whole_parts(store, index)
    there = set(_states(whole))
    try:
        made = list(_made(folder, store, wanted, there))
        found = Index(VERSION, packed(store, [*whole, *made], wanted), boot())
        if (found.parts, found.boot) != (index.parts, index.boot):
            index = found
            write_index(store, index)
    finally:
        _sweep(store, index)


def _made(
    folder: ResultsFolder, store: InnerPath, wanted: Mapping[str, str], there: Container[tuple[str, str]]
) -> Iterator[Part]:
    """Writes the parts that are not `there`; new runs that follow each other become one, as far as it is not
    large.
    """

    def alone(state: tuple[str, str]) -> str | None:
        """Returns what a part has only one of, "" for a run among others, None for what is there."""
        name, _ = state
        return None if state in there else "" if _is_named(folder, name) else name

    for what, states in groupby(wanted.items(), key=alone):
        waiting = [] if what is None else list(states)
        while waiting:
            place, runs = new_folder(store), dict[str, str]()
            rows = Rows(place)
            while waiting and len(runs) < TOGETHER and (not runs or rows.held <= MOST_ROWS):
                name, stamp = waiting.pop(0)
                _add(rows, folder, name)
                runs[name] = stamp
            _close(rows, folder, store, list(runs))
            yield part_of(runs, place)


def _add(rows: Rows, folder: ResultsFolder, name: str) -> None:
    if name == STUDY:
        add_study(rows, folder)
        return
    run = folder.run(name)
    with reading(f"{run.path}: a file of this run", hint=again(run.path), kind=Damaged):
        add_run(rows, run)


def _close(rows: Rows, folder: ResultsFolder, store: InnerPath, names: Sequence[str]) -> None:
    """Writes the rows of these runs. Raises `Damaged` for the run of which a value fits no column."""
    if len(names) > 1:
        try:
            rows.close()
        except UNREADABLE:
            for name in names:  # one of them, which is found by writing each alone
                alone = Rows(new_folder(store))
                _add(alone, folder, name)
                _close(alone, folder, store, [name])
            raise
        return
    run = folder.run(names[0])
    with reading(f"{run.path}: a value in a file of this run", hint=again(run.path), kind=Damaged):
        rows.close()


def _is_named(folder: ResultsFolder, name: str) -> bool:
    """Returns whether a run can be told from others of its part by its name: the study cannot, nor can one
    whose folder was renamed by hand.
    """
    return name != STUDY and read_manifest(folder.run(name)).run_id == name


def _unlisted(store: InnerPath, index: Index) -> Iterator[InnerPath]:
    """Yields parts that the index no longer lists, unfinished ones, and files of earlier versions of
    Assay.
    """
    listed = {INDEX, SUMMARY, *(part.folder for part in index.parts)}
    return (path for path in store.iterdir() if path.name not in listed)


def _sweep(store: InnerPath, index: Index) -> None:
    """Removes files that the index does not list, unless a process has the store open: then a later build
    does it.
    """
    handle = store.folder_descriptor()
    try:
        for path in _unlisted(store, index) if take(handle) else ():
            path.remove()
    finally:
        os.close(handle)
