"""Each verdict says whether its claim was named before the first block, on the terms of now."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from assay.design.folder import Naming, ResultsFolder, live, read_entry, read_looks
from assay.design.study import load_measured, named_claims, verdict_terms
from assay.experiments.lab import judged
from assay.experiments.lab.naming import removed_runs
from assay.reporting.report.headline import claims
from assay.reporting.report.material import Material
from assay.reporting.report.summary import warnings
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.verdict import Results
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

TOML = STUDY_TOML.replace("[1, 8, 64]", "[8]").replace("threads=1] < 20", "threads=8] < 20")
LATER = '[[hypothesis]]\nclaim = "tps[innodb_purge_threads=4] > 10"\n'


@pytest.fixture
def folder(tmp_path: Path) -> ResultsFolder:
    """Results of which the claims were recorded before the first block, and all runs have their ranks."""
    truth = Truth(measure_s=3, warmup_s=1, samples=False)
    made = make_results(tmp_path / "r", study_toml=TOML, loads=(8,), effect=1.3, truth=truth)
    study = load_measured(made.study_file)
    named = [Naming(blocks=0, claims=named_claims(study), terms=verdict_terms(study))]
    made.entry.write_bytes(msgspec.json.encode(msgspec.structs.replace(read_entry(made), named=named)))
    for rank, run in enumerate(made.finished_runs()):
        run.manifest.write_bytes(json.dumps(json.loads(run.manifest.read_text()) | {"rank": rank}).encode())
    return made


def results_of(folder: ResultsFolder, toml: str = TOML) -> Results:
    folder.study_file.write_text(toml, encoding="utf-8")
    with judged(folder) as found:
        return found.results


def test_claims_of_the_first_block_were_named_before(folder: ResultsFolder) -> None:
    found = results_of(folder)
    assert {one.named for one in found.hypotheses} == {"before"}
    assert found.named is not None
    assert (found.named.dropped, found.named.changed, found.named.removed) == ((), (), 0)


def test_an_old_folder_is_unknown(folder: ResultsFolder) -> None:
    folder.entry.write_bytes(msgspec.json.encode(msgspec.structs.replace(read_entry(folder), named=[])))
    found = results_of(folder)
    assert found.named is None
    assert {one.named for one in found.hypotheses} == {"unknown"}


def test_claims_written_after_the_tables_are_marked_and_dropped_ones_listed(folder: ResultsFolder) -> None:
    results_of(folder)
    found = results_of(folder, TOML.split("[[hypothesis]]")[0] + LATER)
    assert [(one.named, one.named_after) for one in found.hypotheses] == [("after", 6)]
    assert found.named is not None
    assert len(found.named.dropped) == 2


@pytest.mark.sampled(1)
@pytest.mark.parametrize("term", ["confidence = 0.8", "margin = 0.001"])
def test_other_terms_are_named_afterwards_and_a_look(folder: ResultsFolder, term: str) -> None:
    results_of(folder)
    found = results_of(folder, f"{TOML}\n[verdict]\n{term}\n")
    assert {one.named for one in found.hypotheses} == {"after"}
    assert found.named is not None
    assert [key for key, _, _ in found.named.changed] == [term.split()[0]]
    looks = read_looks(folder)
    assert looks is not None
    assert [one.blocks for one in looks.seen] == [6, 6]
    assert found.looks is not None
    assert found.looks.error > 0.05
    assert {one.named for one in results_of(folder).hypotheses} == {"before"}


def test_a_margin_of_its_own_that_changes_makes_another_claim(folder: ResultsFolder) -> None:
    found = results_of(folder, TOML.replace('source = "release notes"', "margin = 0.1"))
    assert [one.named for one in found.hypotheses] == ["after", "before"]


def test_a_run_that_was_removed_is_a_doubt(folder: ResultsFolder) -> None:
    for run in list(folder.finished_runs())[2:4]:
        shutil.rmtree(run.path)
    found = results_of(folder)
    (doubt,) = [one for one in found.doubts if one.kind == "removed-runs"]
    assert doubt.facts == {"count": 2}
    assert doubt.severity == "warning"


def course_of(folder: ResultsFolder) -> None:
    """Writes the course of a study that was carried out without an interruption."""
    lines = [
        live.encode_line(live.RunOver(at_wall_ns=number, run=run.path.name, headline=""))
        for number, run in enumerate(folder.finished_runs())
    ]
    folder.live.write_bytes(b"".join(lines))


@pytest.mark.parametrize(("places", "count"), [((-1,), 1), ((-2, -1), 2), ((0, 3, -1), 3), ((), 0)])
def test_any_run_that_ended_and_is_gone_is_a_doubt(
    folder: ResultsFolder, places: tuple[int, ...], count: int
) -> None:
    course_of(folder)
    runs = list(folder.finished_runs())
    for place in places:
        shutil.rmtree(runs[place].path)
    assert removed_runs(folder) == count


def test_runs_of_other_hosts_leave_their_lines(folder: ResultsFolder) -> None:
    for run in folder.finished_runs():
        manifest = json.loads(run.manifest.read_text())
        run.manifest.write_bytes(json.dumps(manifest | {"fleet_host": "h1", "rank": None}).encode())
    course_of(folder)
    shutil.rmtree(next(iter(folder.finished_runs())).path)
    assert removed_runs(folder) == 1


def test_a_run_that_was_set_aside_and_done_again_is_not_gone(folder: ResultsFolder) -> None:
    (first, *_) = folder.finished_runs()
    shutil.copytree(first.path, first.path.with_name(f".{first.path.name}.failed-1"))
    course_of(folder)
    folder.live.write_bytes(folder.live.read_bytes() + folder.live.read_bytes().splitlines(True)[0])
    assert removed_runs(folder) == 0
    shutil.rmtree(first.path.with_name(f".{first.path.name}.failed-1"))
    assert removed_runs(folder) == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_it(folder: ResultsFolder, language: str) -> None:
    folder.study_file.write_text(f"{TOML}\n{LATER}[verdict]\nconfidence = 0.9\n", encoding="utf-8")
    with judged(folder) as found:
        material = Material(found.study, found.results, found.store, load_words(language))
        said = [one.sentence for one in claims(material)]
        assert all(("Named after 6 blocks" if language == "en" else "6 个区组") in one for one in said)
        assert any("confidence" in one for one in warnings(material))
