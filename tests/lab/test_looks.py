"""Looks at verdicts: planned ones share a level, others add up, and between looks there are no words."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from assay.base.errors import ConflictError, InputError
from assay.design.folder import Look, Looks, ResultsFolder, change_looks, read_looks
from assay.design.study import Study, load_measured
from assay.experiments.gate import write_pages
from assay.experiments.lab import judged, open_study
from assay.experiments.lab.looking import gate_at, planned_looks
from assay.experiments.lab.until_decided import Limits, Open, undecided, until_decided
from assay.front.terminal import PlainProgress, console
from assay.results.stats import fewest_blocks
from assay.results.store import build_store
from assay.results.verdict import Results
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from mounts import mounted

pytestmark = pytest.mark.usefixtures("undrawn")

TOML = STUDY_TOML.replace("[1, 8, 64]", "[8]").replace("threads=1] < 20", "threads=8] < 20")


def results_of(path: Path, blocks: int, effect: float = 1.3) -> ResultsFolder:
    return make_results(
        path,
        study_toml=TOML.replace("blocks = 6", f"blocks = {blocks}"),
        blocks=blocks,
        loads=(8,),
        effect=effect,
        truth=Truth(measure_s=3, warmup_s=1),
    )


def grown(folder: ResultsFolder, blocks: int) -> ResultsFolder:
    """The folder with so many blocks; the record of the looks stays."""
    looks = folder.looks.read_bytes()
    folder = results_of(folder.path, blocks)
    folder.looks.write_bytes(looks)
    return folder


def study_of(folder: ResultsFolder) -> Study:
    return load_measured(folder.study_file)


def looked(folder: ResultsFolder) -> Results:
    with judged(folder) as found:
        return found.results


def words(results: Results) -> set[str]:
    return {one.word for one in results.comparisons}


@pytest.mark.long
def test_the_same_blocks_are_one_look_and_more_blocks_another(tmp_path: Path) -> None:
    folder = results_of(tmp_path / "r", 6)
    for _ in range(2):
        first = looked(folder)
    assert first.looks is not None
    assert (first.looks.seen, first.looks.error) == ((6,), pytest.approx(0.05))
    second = looked(grown(folder, 8))
    assert second.looks is not None
    assert (second.looks.seen, second.looks.error) == ((6, 8), pytest.approx(0.1))
    with judged(folder) as found:
        page = write_pages(found, languages=("en",)).read_text(encoding="utf-8")
    page = page.replace("\N{NO-BREAK SPACE}", " ")
    assert "Verdicts have been given at 6, 8 blocks. For one comparison, with this many looks" in page


def test_too_few_blocks_are_no_look(tmp_path: Path) -> None:
    folder = results_of(tmp_path / "r", 5)
    assert looked(folder).looks is None
    assert read_looks(folder) is None


def test_planned_looks_share_the_study_s_level_and_between_them_nothing_is_judged(tmp_path: Path) -> None:
    folder = results_of(tmp_path / "r", 6)
    planned_looks(folder, study_of(folder), 40)
    at_six = looked(folder)
    assert at_six.gate.fewest == fewest_blocks(0.95)
    assert at_six.gate.confidence == pytest.approx(0.9886, abs=0.0005)
    assert words(at_six) == {"better"}
    at_seven = looked(grown(folder, 7))
    assert at_seven.gate.fewest == 8
    assert words(at_seven) == {"estimate-only"}
    assert {one.outcome for one in at_seven.hypotheses} == {"undecided"}
    at_eight = looked(grown(folder, 8))
    assert at_eight.looks is not None
    assert (at_eight.looks.seen, at_eight.looks.error) == ((6, 8), pytest.approx(0.05))
    with judged(folder) as found:
        page = write_pages(found, languages=("en",)).read_text(encoding="utf-8")
    page = page.replace("\N{NO-BREAK SPACE}", " ")
    assert "up to 7 looks are all correct in 95 of 100" in page
    assert "98.8" in page


@pytest.mark.long
def test_a_plan_made_after_a_look_has_the_error_of_both(tmp_path: Path) -> None:
    folder = results_of(tmp_path / "r", 6)
    looked(folder)
    planned_looks(folder, study_of(folder), 40)
    later = looked(grown(folder, 8))
    assert later.looks is not None
    assert later.looks.error == pytest.approx(0.1)


def test_looks_that_were_planned_cannot_be_changed(tmp_path: Path) -> None:
    folder = results_of(tmp_path / "r", 6)
    study = study_of(folder)
    with pytest.raises(InputError, match="--most 5: needs at least 6"):
        planned_looks(folder, study, 5)
    planned = planned_looks(folder, study, 20)
    assert planned_looks(folder, study, 20) == planned
    with pytest.raises(ConflictError, match="looks at 6, 8, 11, 15, 20 blocks"):
        planned_looks(folder, study, 40)


def test_beyond_the_last_look_nothing_is_judged(tmp_path: Path) -> None:
    folder = results_of(tmp_path / "r", 6)
    looks = planned_looks(folder, study_of(folder), 8)
    assert gate_at(looks, 0.95, 9).fewest == 10


def test_what_is_open_and_whether_there_is_hope(tmp_path: Path) -> None:
    assert not undecided(looked(results_of(tmp_path / "r", 6))).needed
    assert Open(2, (3, None)).hopeless(2)
    assert not Open(2, (3, None)).hopeless(3)


def test_a_folder_that_cannot_be_written_is_judged_without_a_record(tmp_path: Path) -> None:
    folder = results_of(tmp_path / "r", 6)
    build_store(folder)
    with mounted(tmp_path / "seen", "-o", "bind,ro", folder.path) as seen:
        found = looked(ResultsFolder(seen))
    assert found.looks is not None
    assert found.looks.seen == (6,)
    assert not folder.looks.exists()


def test_looks_of_processes_at_once_are_all_kept(tmp_path: Path) -> None:
    folder = ResultsFolder(tmp_path / "r")

    def add(blocks: int) -> None:
        look = Look(blocks=blocks, level=0.05, at_wall_ns=0, outcomes={})
        change_looks(
            folder, lambda looks: Looks(confidence=0.95, seen=(*(looks.seen if looks else ()), look))
        )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(40)))
    looks = read_looks(folder)
    assert looks is not None
    assert sorted(look.blocks for look in looks.seen) == list(range(40))


def test_a_study_with_nothing_to_decide_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(TOML.partition("[[factor]]")[0], encoding="utf-8")
    with pytest.raises(InputError, match="needs something to decide"):
        until_decided(
            lambda _: open_study(file), ResultsFolder(tmp_path / "r"), PlainProgress(console()), Limits()
        )
    assert not (tmp_path / "r").exists()
