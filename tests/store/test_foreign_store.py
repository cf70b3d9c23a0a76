"""A store that somebody else made or changed is built again from the runs, and can do nothing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from assay.design.folder import ResultsFolder
from assay.results.store import build_store, keep_summary, kept_summary, open_store
from assay.results.store.parts import INDEX
from assay.testing.results_folder import Truth, make_results


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    truth = Truth(measure_s=2, warmup_s=1, samples=False)
    made = make_results(
        tmp_path_factory.mktemp("foreign") / "made",
        blocks=1,
        loads=(1,),
        truth=truth,
        treatments={"default": {}},
    )
    build_store(made)
    return made


@pytest.fixture
def folder(built: ResultsFolder, tmp_path: Path) -> ResultsFolder:
    """A copy whose store is this account's own."""
    copy = shutil.copytree(built.path, tmp_path / "results", ignore=shutil.ignore_patterns("store"))
    for file in copy.rglob("*"):
        os.utime(file, (1_700_000_000, 1_700_000_000))
    build_store(ResultsFolder(copy))
    return ResultsFolder(copy)


def tps(folder: ResultsFolder) -> list[tuple[object, ...]]:
    build_store(folder)
    with open_store(folder) as store:
        return store.execute(
            "SELECT run_id, value FROM measures WHERE measure = 'tps' ORDER BY ALL"
        ).fetchall()


def _part(folder: ResultsFolder, table: str = "measures") -> Path:
    return next(one.path for one in folder.store.glob(f"part-*/{table}.parquet") if one.stat().st_size > 2000)


def other_figures(folder: ResultsFolder, elsewhere: Path) -> None:
    """Changes a figure; the file has its size and its times again."""
    file = _part(folder)
    was = file.stat()
    rows = pq.read_table(file)
    place = rows.column_names.index("value")
    changed = rows.set_column(place, "value", pa.array([9.5] * rows.num_rows))
    pq.write_table(changed, file, compression="zstd")
    with file.open("r+b") as out:
        content = out.read()
        out.seek(0)
        out.truncate()
        out.write(content.ljust(was.st_size, b"\0")[: was.st_size - 4] + b"PAR1")
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))


def statements(folder: ResultsFolder, elsewhere: Path) -> None:
    """Names a file of the store so that a text made of it would hold statements."""
    index = json.loads((folder.store / INDEX).read_bytes())
    part = index["parts"][-1]
    evil = f"{part['folder']}/x.parquet']); COPY (SELECT 1) TO '{elsewhere}/pwned' (HEADER false); --"
    place = folder.store.path / evil
    place.mkdir(parents=True)
    shutil.copy(_part(folder, "runs"), place / "study.parquet")
    index["parts"].append({**part, "runs": {}, "folder": evil, "files": {"study": [9, 9, 9]}})
    (folder.store / INDEX).write_bytes(json.dumps(index).encode())


def other_index(folder: ResultsFolder, elsewhere: Path) -> None:
    index = json.loads((folder.store / INDEX).read_bytes())
    index["parts"] = index["parts"][:1]
    (folder.store / INDEX).write_bytes(json.dumps(index).encode())


def deep_index(folder: ResultsFolder, elsewhere: Path) -> None:
    (folder.store / INDEX).write_bytes(b"[" * 200_000)


def copied(folder: ResultsFolder, elsewhere: Path) -> None:
    """The store has been copied with its times, as by tar and rsync."""
    shutil.copytree(folder.store, elsewhere / "store", copy_function=shutil.copy2)
    shutil.rmtree(folder.store)
    shutil.move(elsewhere / "store", folder.store)
    other_figures(folder, elsewhere)


def store_is_a_link(folder: ResultsFolder, elsewhere: Path) -> None:
    shutil.rmtree(folder.store)
    folder.store.path.symlink_to(elsewhere)


def store_is_a_pipe(folder: ResultsFolder, elsewhere: Path) -> None:
    shutil.rmtree(folder.store)
    os.mkfifo(folder.store)


def index_is_a_link(folder: ResultsFolder, elsewhere: Path) -> None:
    (folder.store / INDEX).unlink()
    (folder.store / INDEX).path.symlink_to(elsewhere / "thesis.txt")


def parts_are_links(folder: ResultsFolder, elsewhere: Path) -> None:
    for part in folder.store.glob("part-*"):
        part.remove()
        part.path.symlink_to(elsewhere)
    (folder.store / "more").path.symlink_to(elsewhere)


ATTACKS: list[Callable[[ResultsFolder, Path], None]] = [
    other_figures, statements, other_index, deep_index, copied, store_is_a_link, store_is_a_pipe,
    index_is_a_link, parts_are_links,
]  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_figures_come_from_the_runs_and_nothing_else_is_touched(
    folder: ResultsFolder, tmp_path: Path, attack: Callable[[ResultsFolder, Path], None]
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "thesis.txt").write_text("ten years")
    expected = tps(folder)
    attack(folder, elsewhere)
    assert tps(folder) == expected
    assert [one.name for one in elsewhere.iterdir()] == ["thesis.txt"]
    assert (elsewhere / "thesis.txt").read_text() == "ten years"


def test_a_summary_that_somebody_else_wrote_is_none(folder: ResultsFolder) -> None:
    with open_store(folder) as store:
        keep_summary(folder, store, b'{"runs":2}')
    assert kept_summary(folder) == b'{"runs":2}'
    file = folder.store / "summary.json"
    file.write_bytes(file.read_bytes().replace(b'"runs":2', b'"runs":9'))
    assert kept_summary(folder) is None


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM glob('/etc/*')",
        "COPY (SELECT 1) TO '{place}/out.csv'",
        "ATTACH '{place}/other.db'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SET allowed_directories = ['/']",
        "RESET lock_configuration",
    ],
)
def test_an_open_store_reads_nothing_but_itself(built: ResultsFolder, tmp_path: Path, statement: str) -> None:
    with open_store(built) as store, pytest.raises(duckdb.Error):
        store.execute(statement.format(place=tmp_path))
    assert not list(tmp_path.iterdir())
