"""Several reports of one folder at once, and after one another: whole files, of one state, none left over."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.reporting.report import write_report
from assay.reporting.report.write import _put
from assay.results.store import build_store, open_store
from assay.results.store.parts import INDEX, read_index
from assay.results.verdict import judge
from assay.testing.results_folder import Truth, make_results

pytestmark = pytest.mark.usefixtures("undrawn")

BUILD = """\
import shutil, sys
from pathlib import Path
from assay.design.folder import ResultsFolder
from assay.results.store import build_store, open_store
folder = ResultsFolder(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    run = sorted(folder.runs.iterdir())[0] / "server.log"
    run.write_text(f"{sys.argv[3]} {number}")  # another state: built anew
    build_store(folder)
    store = open_store(folder)
    seen = store.execute("SELECT count(*) FROM runs").fetchone()
    rungs = store.execute("SELECT count(*) FROM rungs").fetchone()
    assert (seen, rungs) == ((4,), (4,)), (seen, rungs)
    store.close()
    del store
"""


def small(path: Path) -> ResultsFolder:
    return make_results(path, blocks=2, loads=(8,), truth=Truth(measure_s=2, warmup_s=0, samples=False))


@pytest.mark.long
def test_two_builds_of_one_store_disturb_neither(tmp_path: Path) -> None:
    folder = small(tmp_path / "a [strange] * 'name'?")
    work = [
        subprocess.Popen(
            [sys.executable, "-c", BUILD, str(folder.path), "12", who], stderr=subprocess.PIPE, text=True
        )
        for who in ("one", "two", "three")
    ]
    ends = [process.communicate()[1] for process in work]
    assert [process.returncode for process in work] == [0, 0, 0], "\n".join(ends)
    build_store(folder)
    index = read_index(folder.store)
    assert sum(len(part.runs) for part in index.parts) == 5  # the study and four runs
    assert {path.name for path in folder.store.iterdir()} == {INDEX, *(part.folder for part in index.parts)}


def test_who_has_a_store_open_keeps_it_when_another_is_built(tmp_path: Path) -> None:
    folder = small(tmp_path / "results")
    build_store(folder)
    store = open_store(folder)
    run = next(folder.finished_runs())
    shutil.rmtree(run.path)
    build_store(folder)
    build_store(folder)
    assert store.execute("SELECT count(*) FROM runs").fetchone() == (4,)
    assert open_store(folder).execute("SELECT count(*) FROM runs").fetchone() == (3,)


def report(folder: ResultsFolder, *, png: bool = False) -> dict[str, bytes]:
    build_store(folder)
    study, store = load_study(folder.study_file), open_store(folder)
    write_report(study, judge(study, store), store, folder.path, png=png)
    store.close()
    places = (folder.path, folder.path / "tables", folder.path / "charts")
    return {
        str(path.relative_to(folder.path)): path.read_bytes()
        for place in places
        for path in place.iterdir()
        if path.is_file() and path.suffix in (".html", ".md", ".csv", ".svg", ".png")
    }


def test_what_an_earlier_report_had_alone_is_removed(tmp_path: Path) -> None:
    folder = small(tmp_path / "results")
    first = report(folder)
    mine = folder.path / "charts" / "my-notes.md"
    mine.write_text("of a person")
    with_png = report(folder, png=True)
    assert len(with_png) > len(first) + 1
    again = report(folder)
    assert again.keys() == first.keys() | {"charts/my-notes.md"}
    assert again["tables/doubts.csv"] == first["tables/doubts.csv"]
    assert not list(folder.path.rglob("*.part"))


def test_only_names_of_a_report_are_removed(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    for name in ("precious", "results/study.toml"):
        (tmp_path / name).write_text("kept")
    (tmp_path / "results" / ".report.files").write_text("../precious\nstudy.toml\ncharts/../../precious\n")
    _put(tmp_path / "results", {"report.html": b"new"})
    assert (tmp_path / "precious").read_text() == "kept"
    assert (tmp_path / "results/study.toml").read_text() == "kept"
