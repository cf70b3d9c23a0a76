"""`assay import`: what it writes, what it refuses, and that it writes all or nothing."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from assay.base.errors import ConflictError, InputError
from assay.design.folder import ResultsFolder, read_manifest
from assay.design.study import load_measured, load_study
from assay.experiments.adopt import bring_in
from assay.experiments.gate import write_pages
from assay.experiments.lab import figures_of, judged
from assay.results.store import build_store, open_store
from printed_texts import MADE_HERE, OUTPUTS, V05

pytestmark = pytest.mark.usefixtures("undrawn")

LADDER = (1, 8)
OPEN_LOOP = V05.replace("threads: 16\n", "threads: 8\nTarget transaction rate: 50/sec\n")


def text(threads: int, tps: float, seed: int = 0) -> str:
    """A text of sysbench 0.5 with these threads and this rate; `seed` makes repeats differ in a byte."""
    return (
        V05.replace("Number of threads: 16", f"Number of threads: {threads}")
        .replace("(304.12 per sec.)", f"({tps:.2f} per sec.)")
        .replace("0.5:  multi", f"0.5:  {' ' * seed}multi")
    )


def written(folder: Path, runs: dict[str, str]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in runs.items():
        (folder / name).write_text(content)
    return [folder / name for name in runs]


def store_of(results: Path) -> duckdb.DuckDBPyConnection:
    folder = ResultsFolder(results)
    build_store(folder)
    return open_store(folder)


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_levels_with_repeats_become_treatments_and_blocks(tmp_path: Path) -> None:
    results = tmp_path / "results"
    for level, tps in (("ext4", 100.0), ("xfs", 120.0)):
        files = written(
            tmp_path / level,
            {
                f"{threads}-{seed}.txt": text(threads, tps * threads + seed, seed)
                for threads in LADDER
                for seed in range(3)
            },
        )
        added = bring_in(files, results, [f"filesystem={level}"]).runs
        assert [one.block for one in added] == [1, 2, 3, 1, 2, 3]
    study = load_measured(results / "study.toml")
    assert study.is_imported
    assert (study.load.threads, study.design.blocks) == (LADDER, 3)
    ((name, levels),) = ((one.name, one.levels) for one in study.factors)
    assert (name, levels) == ("imported.filesystem", ("ext4", "xfs"))
    with figures_of(ResultsFolder(results)) as found:
        seen = {(e.treatment, e.load): e.blocks for e in found.results.estimates if e.measure == "tps"}
        assert seen["filesystem=xfs", 8.0] == ((1, 960.0), (2, 961.0), (3, 962.0))
        assert {e.low is None for e in found.results.estimates} == {False}


def test_one_result_has_no_interval(tmp_path: Path) -> None:
    bring_in(written(tmp_path, {"a.txt": text(8, 500.0)}), tmp_path / "results")
    with figures_of(ResultsFolder(tmp_path / "results")) as found:
        assert {(e.low, e.high) for e in found.results.estimates} == {(None, None)}


def test_what_no_file_says_is_null(tmp_path: Path) -> None:
    bring_in(written(tmp_path, {"a.txt": text(8, 500.0)}), tmp_path / "results")
    with store_of(tmp_path / "results") as store:
        columns = "seed, started_ns, ended_ns, server_version, host, kernel, dataset, engine"
        assert store.execute(f"SELECT {columns} FROM runs").fetchall() == [(None,) * 8]
        assert store.execute("SELECT count(*) FROM histograms").fetchall() == [(0,)]
        assert store.execute("SELECT imported FROM runs").fetchall() == [("sysbench 0.5",)]
        assert store.execute("SELECT start_ns, engine_user_us FROM rungs").fetchall() == [(None, None)]
        unknown = {what for (what,) in store.execute("SELECT what FROM unknown").fetchall()}
        assert {"server", "host", "start", "histogram"} <= unknown


def test_the_store_has_each_text_with_its_file_and_line(tmp_path: Path) -> None:
    (file,) = written(tmp_path, {"a.txt": text(8, 512.5)})
    bring_in([file], tmp_path / "results")
    with store_of(tmp_path / "results") as store:
        rows = store.execute(
            "SELECT value, text, file, place, how FROM printed WHERE measure = 'tps'"
        ).fetchall()
        assert rows == [(512.5, "512.50", str(file), "line 19", None)]
        assert store.execute("SELECT value FROM measures WHERE measure = 'tps'").fetchall() == [(512.5,)]
        assert store.execute("SELECT elapsed_s, transactions, queries, errors FROM rungs").fetchall() == [
            (20.025, 6090, 121800, 1)
        ]
        found = store.execute("SELECT t_s, seconds, tps, p95_ms FROM intervals ORDER BY index").fetchall()
        assert found == [(0.0, 10.0, 310.25, 71.21), (10.0, 10.0, 298.75, 75.02)]
        ((copied, digest),) = store.execute("SELECT file, sha256 FROM sources").fetchall()
        assert (tmp_path / "results" / copied).read_bytes() == file.read_bytes()
        assert len(digest) == 64


def test_a_level_without_a_value_is_the_tools(tmp_path: Path) -> None:
    files = written(
        tmp_path, {"a.txt": text(8, 500.0), "b.txt": text(8, 400.0).replace("every 10", "every 5")}
    )
    with pytest.raises(InputError, match="its report_interval_s is 5, not 10") as raised:
        bring_in(files, tmp_path / "results")
    assert raised.value.hint == "take it as a factor: --factor report_interval_s"
    added = bring_in(files, tmp_path / "results", ["report_interval_s"])
    assert [one.treatment for one in added.runs] == ["report_interval_s=10", "report_interval_s=5"]


def test_nothing_is_written_when_one_file_of_several_is_damaged(tmp_path: Path) -> None:
    results = tmp_path / "results"
    good, bad = written(tmp_path, {"a.txt": text(8, 500.0), "b.txt": text(8, 400.0)[:900]})
    with pytest.raises(InputError, match=r"b\.txt"):
        bring_in([good, bad], results)
    assert not results.exists()
    bring_in([good], results)
    before = everything_in(results)
    with pytest.raises(InputError, match=r"b\.txt"):
        bring_in([bad], results)
    assert everything_in(results) == before


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("runs", "factors", "kind", "says"),
    [
        ({"a.txt": text(8, 500.0)}, [], ConflictError, "has the content of"),
        ({"b.txt": text(8, 400.0)}, ["disk=fast"], InputError, "its factors are imported.disk"),
        ({"b.txt": OPEN_LOOP}, [], InputError, "its load is rate, and that of"),
        ({"b.txt": text(8, 400.0)}, ["threads=16"], InputError, "contradicts the file, which says threads 8"),
        ({"b.txt": text(8, 400.0)}, ["threads=x"], InputError, "expected a number above 0"),
        ({"b.txt": text(8, 400.0)}, ["disk="], InputError, "needs a level after ="),
        ({"b.txt": text(8, 400.0)}, ["disk"], InputError, "does not say disk; of its settings it says"),
        ({"b.txt": text(8, 400.0)}, ["a b=1"], InputError, "--factor a b"),
        ({"b.txt": text(8, 400.0)}, ["x=1", "x=2"], InputError, "is given twice"),
        ({"b.txt": "hello\n"}, [], InputError, "expected the output of a tool"),
        ({"b.txt": "sysbench \udcff"}, [], InputError, "expected UTF-8 text, found the byte 0xff"),
    ],
)  # fmt: skip
def test_what_cannot_join_is_refused(
    tmp_path: Path, runs: dict[str, str], factors: list[str], kind: type[Exception], says: str
) -> None:
    results = tmp_path / "results"
    bring_in(written(tmp_path / "first", {"a.txt": text(8, 500.0)}), results)
    before = everything_in(results)
    folder = tmp_path / "second"
    folder.mkdir()
    for name, content in runs.items():
        (folder / name).write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(kind) as raised:
        bring_in([folder / name for name in runs], results, factors)
    assert says in str(raised.value)
    assert everything_in(results) == before


def test_a_folder_of_other_things_is_refused(tmp_path: Path) -> None:
    (file,) = written(tmp_path, {"a.txt": text(8, 500.0)})
    with pytest.raises(ConflictError, match="holds other files"):
        bring_in([file], tmp_path)
    with pytest.raises(InputError, match="is a file"):
        bring_in([file], file)


def test_imported_results_cannot_be_run(tmp_path: Path) -> None:
    bring_in(written(tmp_path, {"a.txt": text(8, 500.0)}), tmp_path / "results")
    with pytest.raises(InputError, match="nothing can run it"):
        load_study(tmp_path / "results" / "study.toml")


@pytest.mark.long
def test_hypotheses_in_the_folder_are_judged_and_stay(tmp_path: Path) -> None:
    results = tmp_path / "results"
    for level, tps in (("a", 100.0), ("b", 150.0)):
        files = {f"{seed}.txt": text(8, tps + seed * 7 % 5 / 10, seed) for seed in range(6)}
        bring_in(written(tmp_path / level, files), results, [f"disk={level}"])
    study = results / "study.toml"
    study.write_text(study.read_text() + '\n[[hypothesis]]\nclaim = "tps[disk=b] > tps[disk=a]"\n')
    with judged(ResultsFolder(results)) as found:
        (verdict,) = found.results.hypotheses
        assert verdict.outcome == "supported"
        assert [one.kind for one in found.results.doubts if one.severity == "warning"] == ["imported"]
    bring_in(written(tmp_path / "c", {"c.txt": text(8, 90.0)}), results, ["disk=c"])
    assert [one.text for one in load_measured(study).hypotheses] == ["tps[disk=b] > tps[disk=a]"]


def test_a_lost_file_of_an_imported_run_is_named(tmp_path: Path) -> None:
    results = tmp_path / "results"
    bring_in(written(tmp_path, {"a.txt": text(8, 500.0)}), results)
    (run,) = ResultsFolder(results).finished_runs()
    (run.path / read_manifest(run).rungs[0].dir / "printed.json").unlink()
    with pytest.raises(InputError, match=r"printed\.json is missing") as raised:
        build_store(ResultsFolder(results))
    assert "again" in str(raised.value.hint)


def test_the_report_says_at_the_top_what_it_is(tmp_path: Path) -> None:
    results = tmp_path / "results"
    bring_in(written(tmp_path, {"a.txt": text(8, 500.0)}), results)
    with judged(ResultsFolder(results)) as found:
        write_pages(found)
    for name, origin in (
        ("report.html", "Assay measured none of them"),
        ("report.zh.html", "Assay 没有测量其中任何一项"),
    ):
        page = (results / name).read_text()
        summary = page[page.index('id="summary"') : page.index("</section>")]
        assert "sysbench 0.5" in summary
        assert origin in summary
        assert 'id="again"' not in page
        for claim in ("same settings", "No errors", "histograms merged", "were equal in all"):
            assert claim not in page


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", MADE_HERE, ids=lambda path: path.stem)
def test_real_outputs_are_reported(tmp_path: Path, path: Path) -> None:
    bring_in([path], tmp_path / "results")
    with judged(ResultsFolder(tmp_path / "results")) as found:
        write_pages(found, languages=("en",))
    rows = (tmp_path / "results" / "tables" / "imported-figures.csv").read_text().splitlines()
    assert len(rows) > 15


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", sorted(OUTPUTS.glob("fio-*.*")), ids=lambda path: path.name)
def test_real_outputs_of_fio_are_judged(tmp_path: Path, path: Path) -> None:
    added = bring_in([path], tmp_path / "results", ["job"])
    with figures_of(ResultsFolder(tmp_path / "results")) as found:
        rates = {(e.treatment, e.load): e.value for e in found.results.estimates if e.measure == "iops"}
        assert len(rates) == len(added.runs)
        assert found.study.subject.kind == "storage"


def test_plan_json_lists_the_runs(tmp_path: Path) -> None:
    results = tmp_path / "results"
    bring_in(written(tmp_path, {"a.txt": text(8, 500.0), "b.txt": text(1, 90.0)}), results)
    listed = json.loads((results / "plan.json").read_text())["runs"]
    assert sorted(listed) == sorted(run.path.name for run in ResultsFolder(results).finished_runs())
