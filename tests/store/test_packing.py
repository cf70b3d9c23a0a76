"""Parts of many runs are packed, and nothing that is read changes by that."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from assay.design.folder import ResultsFolder, RunFolder
from assay.results.store import build, build_store, open_store, packing
from assay.results.store.parts import read_index
from assay.results.store.tables import TABLES
from assay.testing.results_folder import Truth, make_results


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run is a part at first, and three are packed."""
    monkeypatch.setattr(packing, "TOGETHER", 3)
    monkeypatch.setattr(build, "MOST_ROWS", 0)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    return make_results(
        tmp_path_factory.mktemp("packing"),
        blocks=10,
        loads=(1,),
        truth=Truth(measure_s=2, warmup_s=0),
        fail=[(2, "innodb_purge_threads=4")],
    )


@pytest.fixture
def made(original: ResultsFolder, tmp_path: Path) -> ResultsFolder:
    return ResultsFolder(Path(shutil.copytree(original.path, tmp_path / "a=b")))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs whose folders are read."""
    names: list[str] = []

    def add(rows: Any, folder: RunFolder) -> None:
        names.append(folder.path.name)
        add_run(rows, folder)

    add_run = build.add_run
    monkeypatch.setattr(build, "add_run", add)
    return names


def contents(folder: ResultsFolder) -> dict[str, list[dict[str, object]]]:
    """All rows of every table, in the order of its files, but for measures, whose order is free."""
    index = read_index(folder.store)
    found = {
        table: [
            row
            for file in index.files(table)
            for row in pq.ParquetFile(folder.store / file).read().to_pylist()
        ]
        for table in TABLES
    }
    found["measures"].sort(key=lambda row: [str(row[name]) for name in ("run_id", "rung", "measure")])
    return found


def unpacked(folder: ResultsFolder, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[dict[str, object]]]:
    """The contents of a store that is made from nothing, a part for each run."""
    with monkeypatch.context() as patched:
        patched.setattr(packing, "TOGETHER", 1000)
        shutil.rmtree(folder.store)
        build_store(folder)
    runs = sum(1 for _ in folder.finished_runs())
    assert len(read_index(folder.store).parts) == 1 + runs
    return contents(folder)


def grown(folder: ResultsFolder, aside: Path) -> Iterator[str]:
    """Has the runs come one after another, and builds the store after each."""
    runs = [run.path for run in folder.finished_runs()]
    aside.mkdir()
    for run in runs:
        run.rename(aside / run.name)
    for run in runs:
        (aside / run.name).rename(run)
        build_store(folder)
        yield run.name


@pytest.mark.long
def test_a_store_that_grows_has_few_parts_with_every_row_in_order(
    made: ResultsFolder, tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    come: list[str] = []
    packs: set[str] = set()
    for name in grown(made, tmp_path / "aside"):
        come.append(name)
        packs |= {part.folder for part in read_index(made.store).parts if len(part.runs) > 1}
    assert read == come
    assert len(packs) <= 20 / 3 + 20 / 9 + 1  # what is packed once stays while few follow
    parts = read_index(made.store).parts
    assert len(come) == 20
    assert max(len(part.runs) for part in parts) >= 9
    assert len(parts) <= 1 + 2 * 3
    assert {path.name for path in made.store.glob("part-*")} == {part.folder for part in parts}
    with open_store(made) as store:
        moved = store.execute("SELECT DISTINCT measure FROM measures ORDER BY 1").fetchall()
    assert contents(made) == unpacked(made, monkeypatch)
    with open_store(made) as store:
        assert store.execute("SELECT DISTINCT measure FROM measures ORDER BY 1").fetchall() == moved


def test_new_runs_are_one_part_with_the_same_rows(
    made: ResultsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = {path: path.with_name("renamed") for path in [next(made.finished_runs()).path]}
    for path, other in alone.items():
        path.rename(other)
    with monkeypatch.context() as patched:
        patched.setattr(build, "MOST_ROWS", 1_000_000)
        build_store(made)
    assert [len(part.runs) for part in read_index(made.store).parts] == [1, 19, 1]
    assert contents(made) == unpacked(made, monkeypatch)


def test_a_pack_has_the_measures_of_a_name_together(made: ResultsFolder) -> None:
    build_store(made)
    pack = read_index(made.store).parts[1]
    assert len(pack.runs) == 9
    rows = pq.ParquetFile(made.store / pack.folder / "measures.parquet").read()
    names = rows["measure"].to_pylist()
    assert names == sorted(names)
    runs = [run for run, name in zip(rows["run_id"].to_pylist(), names, strict=True) if name == "tps"]
    assert runs == sorted(runs)


@pytest.mark.long
def test_a_run_that_changes_is_read_alone_and_one_that_goes_takes_its_rows(
    made: ResultsFolder, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build_store(made)
    assert [len(part.runs) for part in read_index(made.store).parts] == [1, 9, 9, 2]
    read.clear()
    runs = [run.path for run in made.finished_runs()]
    (runs[4] / "server.log").write_text("one line more")
    shutil.rmtree(runs[9])
    build_store(made)
    assert read == [runs[4].name]
    found = contents(made)
    assert [row["run_id"] for row in found["runs"]] == [run.name for run in runs if run != runs[9]]
    assert found == unpacked(made, monkeypatch)


@pytest.mark.long
def test_a_folder_that_was_renamed_by_hand_is_of_no_pack(
    made: ResultsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [run.path for run in made.finished_runs()]
    other = runs[5].with_name("b03-02-other")
    runs[5].rename(other)
    build_store(made)
    assert {other.name} in [part.runs.keys() for part in read_index(made.store).parts]
    shutil.rmtree(other)
    build_store(made)
    assert contents(made) == unpacked(made, monkeypatch)


@pytest.mark.long
def test_an_open_store_keeps_its_parts_while_they_are_packed(made: ResultsFolder, tmp_path: Path) -> None:
    coming = grown(made, tmp_path / "aside")
    next(coming), next(coming)
    with open_store(made) as store:
        next(coming)
        assert store.execute("SELECT count(*) FROM runs").fetchone() == (2,)
    list(coming)
    assert len(contents(made)["runs"]) == 20
