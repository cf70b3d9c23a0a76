"""From a study file to its pages, a call a step, as every front end goes."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import ConflictError, InputError
from assay.design.folder import ResultsFolder, read_entry
from assay.design.plan import choose_seed, make_plan
from assay.design.study import load_study, study_hash
from assay.experiments.gate import write_pages
from assay.experiments.lab import (
    disk_advice,
    folder_of,
    judged,
    open_results,
    open_study,
    progress_of,
    results_folder,
    results_in,
    standing,
)
from assay.experiments.lab.carrying_out import planned
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

pytestmark = pytest.mark.usefixtures("undrawn")

TOML = STUDY_TOML.replace("[1, 8, 64]", "[8]").replace("blocks = 6", "blocks = 2")
TOML = TOML.replace("threads=1] < 20", "threads=8] < 20")


@pytest.fixture
def results(tmp_path: Path) -> ResultsFolder:
    """Two blocks at one load point, under the name and the hash of their study."""
    folder = make_results(
        tmp_path / "results" / "purge-threads",
        study_toml=TOML,
        blocks=2,
        loads=(8,),
        truth=Truth(measure_s=3, warmup_s=1),
    )
    entry = msgspec.structs.replace(read_entry(folder), hash=study_hash(load_study(folder.study_file)))
    folder.entry.write_bytes(msgspec.json.encode(entry))
    return folder


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    file = tmp_path / "purge.toml"
    file.write_text(TOML, encoding="utf-8")
    return file


def test_an_override_reaches_the_study_and_the_copy_that_the_folder_keeps(study_file: Path) -> None:
    opened = open_study(study_file, {("server", "use"): "mysql@8.4", ("design", "blocks"): 3})
    assert (opened.study.server.use, opened.study.design.blocks) == ("mysql@8.4", 3)
    study_file.write_text(opened.text.kept, encoding="utf-8")
    assert open_study(study_file).study == opened.study


def test_an_override_of_what_is_varied_is_refused(study_file: Path) -> None:
    factor = '\n[[factor]]\nname = "server.use"\nlevels = ["mariadb", "mysql"]\n'
    text = study_file.read_text(encoding="utf-8").replace('use = "mariadb@10.11"\n', "") + factor
    study_file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="is a factor of this study"):
        open_study(study_file, {("server", "use"): "mysql@8.4"})


def test_results_are_found_by_their_folder_and_by_their_study(
    results: ResultsFolder, study_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    by_folder, _ = open_results(results.path)
    by_file, folder = open_results(study_file)
    assert study_hash(by_folder) == study_hash(by_file)
    assert folder == folder_of(by_file)
    assert [one.path.name for one in results_in(Path("results"))] == ["purge-threads"]


def test_results_of_another_study_are_refused(results: ResultsFolder, study_file: Path) -> None:
    study_file.write_text(study_file.read_text().replace("table_size = 250_000", "table_size = 9"))
    with pytest.raises(ConflictError):
        open_results(study_file, results.path)


@pytest.mark.parametrize("call", [results_folder, open_results])
def test_a_folder_without_results(call: object, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains no results of a study"):
        call(tmp_path)  # type: ignore[operator]


def test_judged_and_written(results: ResultsFolder) -> None:
    with judged(results) as found:
        assert found.results.treatments == ("innodb_purge_threads=1", "innodb_purge_threads=4")
        assert found.store.execute("SELECT count(*) FROM runs").fetchone() == (4,)
        assert write_pages(found, languages=("en",)) == results.report.path
    assert "Purge threads" in results.report.read_text(encoding="utf-8")
    assert standing(results).sentence == "4 of 4 runs done"


def test_what_is_begun_goes_on_by_its_own_seed(results: ResultsFolder, tmp_path: Path) -> None:
    study, _ = open_results(results.path)
    progress = progress_of(results, study_hash(study))
    assert planned(study, results).seed == progress.seed
    assert len(progress.done) == len(progress.observed_s) == 4
    assert progress_of(ResultsFolder(tmp_path / "new"), study_hash(study)).seed is None


def test_a_folder_goes_on_in_the_order_that_it_was_begun_with(results: ResultsFolder, tmp_path: Path) -> None:
    """One without a word of its rules was begun when treatments were shuffled."""
    study = load_study(results.study_file)
    entry = json.loads(results.entry.read_bytes())
    del entry["ordering"]
    results.entry.write_text(json.dumps(entry), encoding="utf-8")
    assert planned(study, results) == make_plan(study, seed=entry["seed"], ordering=1)
    new = ResultsFolder(tmp_path / "new")
    assert planned(study, new) == make_plan(study, seed=choose_seed(study), ordering=3)
    assert planned(study, results, 7).seed == 7


def test_a_study_of_servers_advises_nothing_of_disks(results: ResultsFolder) -> None:
    with pytest.raises(InputError, match="no finished run of a load on files"):
        disk_advice(results, 16384)
