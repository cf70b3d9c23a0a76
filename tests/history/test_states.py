"""The state of a change: the study that confirms it, its verdict, and a person's explanation."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import Looks, ResultsFolder, change_looks
from assay.design.study import load_study
from assay.experiments.history import History, HistoryRequest, history
from assay.testing.results_folder import Truth, make_results

WANTED = HistoryRequest(canary="mariadb@10.6")
PAIR = ("11.4.5", "11.4.6")


@pytest.fixture
def own(root: Path, tmp_path: Path) -> Path:
    """The results, to write into."""
    shutil.copytree(root, tmp_path / "own")
    return tmp_path / "own"


def only(found: History) -> tuple[str, str]:
    (shift,) = found.shifts
    return shift.id, found.states[shift.id].state


def measure_both(own: Path, shift_id: str, effect: float, versions: tuple[str, str] = PAIR) -> ResultsFolder:
    """As `assay run --until-decided` of the study that confirms the change would have left it."""
    uses = [f"use=mariadb@{version}" for version in PAIR]
    return make_results(
        own / "confirmations" / shift_id,
        study_toml=(own / "confirmations" / f"{shift_id}.toml").read_text(encoding="utf-8"),
        blocks=8,
        loads=(8,),
        treatments={use: {"server.use": use.removeprefix("use=")} for use in uses},
        effect=effect,
        truth=Truth(measure_s=4, warmup_s=1, samples=False, run_sd=0.002),
        versions=dict(zip(uses, versions, strict=True)),
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("effect", "state"), [(1 / 1.1, "confirmed"), (1.0, "refuted"), (0.954, "new")])
def test_a_change_is_confirmed_by_a_paired_study_that_is_decided_under_planned_looks(
    own: Path, effect: float, state: str
) -> None:
    found = history([own], WANTED)
    shift_id, before = only(found)
    assert before == "new"
    file = found.confirm(shift_id[:4])
    study = load_study(file)
    assert study.servers == ("mariadb@11.4.5", "mariadb@11.4.6")
    assert study.hypotheses[0].margin == pytest.approx(1.1**0.5 - 1, abs=0.01)  # half of the change

    folder = measure_both(own, shift_id, effect)
    assert only(history([own], WANTED)) == (shift_id, "new")  # looks were not planned: it proves nothing
    (folder.path / "looks.json").unlink()
    change_looks(folder, lambda _: Looks(confidence=0.95, schedule=(6, 8), level=0.03))
    found = history([own], WANTED)
    assert only(found) == (shift_id, state)
    assert "in 8 blocks" in found.states[shift_id].paired
    assert found.folders == 1  # what confirms a change is no part of a series


@pytest.mark.long
def test_a_paired_study_of_other_builds_confirms_nothing(own: Path) -> None:
    found = history([own], WANTED)
    shift_id, _ = only(found)
    found.confirm(shift_id)
    folder = measure_both(own, shift_id, 1 / 1.1, versions=("11.4.5", "11.4.7"))
    change_looks(folder, lambda _: Looks(confidence=0.95, schedule=(6, 8), level=0.03))
    found = history([own], WANTED)
    assert only(found) == (shift_id, "new")
    assert "other builds" in found.states[shift_id].paired


def test_a_change_is_explained_by_a_note_that_can_be_taken_away(own: Path) -> None:
    found = history([own], WANTED)
    shift_id, _ = only(found)
    notes = own / "history.toml"
    notes.write_text("# ours\n", encoding="utf-8")
    found.explain(shift_id, 'a "new" allocator')
    found = history([own], WANTED)
    assert only(found) == (shift_id, "explained")
    assert found.states[shift_id].reason == 'a "new" allocator'
    assert notes.read_text(encoding="utf-8").startswith("# ours\n")
    found.explain(shift_id, "")
    assert only(history([own], WANTED)) == (shift_id, "new")


@pytest.mark.parametrize("wanted", ["", "zz"])
def test_an_id_that_is_no_change_is_refused(root: Path, wanted: str) -> None:
    with pytest.raises(InputError, match="not a change"):
        history([root], WANTED).shift(wanted)


def test_notes_that_cannot_be_read_are_named(own: Path) -> None:
    (own / "history.toml").write_text("[", encoding="utf-8")
    with pytest.raises(InputError, match=r"history\.toml"):
        history([own], WANTED)


def test_a_change_is_closed_with_one_of_five_reasons(own: Path) -> None:
    found = history([own], WANTED)
    shift_id, _ = only(found)
    with pytest.raises(InputError, match="fixed-elsewhere"):
        found.explain(shift_id, "a backup", "fixed-elsewere")
    with pytest.raises(InputError, match="needs a reason"):
        found.explain(shift_id, " ", "later")
    assert only(found.restated()) == (shift_id, "new")
    found.explain(shift_id, "issue 4711", "later")
    state = found.restated().states[shift_id]
    assert (state.state, state.closing, state.reason) == ("closed", "later", "issue 4711")
    found.explain(shift_id, "a slower lock")
    assert only(found.restated()) == (shift_id, "explained")
