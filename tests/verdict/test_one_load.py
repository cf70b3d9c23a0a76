"""Treatments with data of their own, each loaded once, are doubted where they are compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.reporting.report.explain import explain_doubt
from assay.reporting.report.words import load_words
from assay.results.store import build_store, open_store
from assay.results.verdict import Results, judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from spoken import english

A, B = "innodb_purge_threads=1", "innodb_purge_threads=4"
Dataset = Callable[[str, int], str | None]  # of a treatment in a block


def judged(path: Path, dataset: Dataset) -> Results:
    truth = Truth(measure_s=2, warmup_s=1, samples=False)
    study = STUDY_TOML.replace("[1, 8, 64]", "[1]")
    folder = make_results(path, truth=truth, loads=(1,), study_toml=study)
    rename_datasets(folder, dataset)
    build_store(folder)
    return judge(load_study(folder.study_file), open_store(folder))


def rename_datasets(folder: ResultsFolder, dataset: Dataset) -> None:
    for manifest in folder.path.glob("runs/*/run.json"):
        content = json.loads(manifest.read_text(encoding="utf-8"))
        found = dataset(content["treatment"], content["block"])
        content["dataset"] = {} if found is None else {"id": found, "data": found}
        manifest.write_text(json.dumps(content), encoding="utf-8")


def doubted(found: Results) -> tuple[set[bool], set[bool], bool]:
    """Whether comparisons have the doubt, whether parts with two treatments have it, and the study."""
    return (
        {"one-load" in one.doubts for one in found.comparisons},
        {"one-load" in part.doubts for one in found.hypotheses for part in one.parts if len(part.where) > 1},
        any(note.kind == "one-load" for note in found.doubts),
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("dataset", "is_doubted"),
    [
        (lambda treatment, _: treatment, True),
        (lambda treatment, block: f"{treatment}-{block % 3}" if treatment == A else treatment, True),
        (lambda treatment, block: f"{treatment}-{block % 3}", False),
        (lambda treatment, block: f"shared-{block % 3}", False),
        (lambda *_: "shared", False),
        (lambda treatment, _: f"empty-{treatment}", False),
        (lambda *_: None, False),
    ],
    ids=["own", "one-side", "loads", "shared-loads", "shared", "no-tables", "unknown"],
)
def test_data_of_their_own_that_were_loaded_once_are_doubted(
    tmp_path: Path, dataset: Dataset, is_doubted: bool
) -> None:
    assert doubted(judged(tmp_path, dataset)) == ({is_doubted}, {is_doubted}, is_doubted)


def test_the_sentence_names_treatments_in_both_languages(tmp_path: Path) -> None:
    doubts = judged(tmp_path, lambda treatment, _: treatment).doubts
    (note,) = [one for one in doubts if one.kind == "one-load"]
    assert note.severity == "warning"
    for language in ("en", "zh"):
        said = explain_doubt(load_words(language), note)
        assert A in said
        assert B in said


SERVERS = {A: "10.11.14", B: "11.4.2"}
CLAIM = f'\n[[hypothesis]]\nclaim = "crashes[{B}] = 0 in every run"\n'


def of_two_builds(
    path: Path, *, loads: int, blocks: int = 6, luck: float = 0.06, own: bool = True
) -> Results:
    """The results of two builds whose ratio is 1 but for the luck of each load: up, and down, and up."""
    folder = make_results(
        path,
        truth=Truth(measure_s=2, warmup_s=1, samples=False, run_sd=0.001, second_sd=0.002),
        loads=(1,),
        study_toml=STUDY_TOML.replace("[1, 8, 64]", "[1]").replace("blocks = 6", f"blocks = {blocks}")
        + CLAIM,
        blocks=blocks,
        versions=SERVERS if own else None,
        luck=lambda treatment, block: 1 + luck * (treatment == B) * ((block - 1) % loads != 1),
        data_loads=loads,
    )
    build_store(folder)
    return judge(load_study(folder.study_file), open_store(folder))


def test_loads_of_the_data_are_the_units_where_each_side_has_its_own(tmp_path: Path) -> None:
    once, thrice = of_two_builds(tmp_path, loads=1), of_two_builds(tmp_path, loads=3)
    (one,), (three,) = ([c for c in found.comparisons if c.measure == "tps"] for found in (once, thrice))
    assert (one.word, one.loads, one.blocks) == ("better", None, 6)
    assert (three.word, three.loads, three.blocks) == ("undecided", 3, 6)
    assert "one-load" in one.doubts
    assert not {"one-load", "ratio-drifts", "two-modes"} & {*three.doubts}
    assert (once.hypotheses[0].outcome, thrice.hypotheses[0].outcome) == ("supported", "undecided")
    assert "mean of one of 3 loads of the data, of 6 blocks in all" in english(
        thrice.hypotheses[0].explanation
    )
    assert thrice.hypotheses[-1].parts[0].blocks == 6  # runs are counted one by one


def test_three_loads_are_the_fewest_that_give_a_word(tmp_path: Path) -> None:
    words = {}
    for loads in (2, 3):
        found = of_two_builds(tmp_path, loads=loads, luck=0.0)
        words[loads] = {one.word for one in found.comparisons if one.measure == "tps"}
    assert words == {2: {"estimate-only"}, 3: {"same"}}


def test_treatments_that_share_each_load_are_compared_by_block(tmp_path: Path) -> None:
    found = of_two_builds(tmp_path, loads=3, own=False, luck=0.0)
    (tps,) = [one for one in found.comparisons if one.measure == "tps"]
    assert (tps.word, tps.loads, tps.blocks) == ("same", None, 6)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("luck", [0.0, 0.05])
def test_copies_on_loads_of_their_own_show_the_luck_of_loads(tmp_path: Path, luck: float) -> None:
    def load_of(treatment: str, block: int) -> int:
        return (block + int(treatment.removeprefix("copy="))) % 3

    toml = STUDY_TOML.partition("[[hypothesis]]")[0].replace("[1, 8, 64]", "[1]")
    toml = toml.replace("server.variables.innodb_purge_threads", "copy").replace("[1, 4]", "[1, 2, 3]")
    folder = make_results(
        tmp_path,
        treatments={f"copy={number}": {"copy": number} for number in (1, 2, 3)},
        truth=Truth(measure_s=2, warmup_s=1, samples=False, run_sd=0.004, second_sd=0.004),
        loads=(1,),
        study_toml=toml,
        luck=lambda treatment, block: 1 + luck * (load_of(treatment, block) - 1),
    )
    rename_datasets(folder, lambda treatment, block: f"oltp-{load_of(treatment, block)}")
    build_store(folder)
    found = judge(load_study(folder.study_file), open_store(folder))
    (tps,) = [one for one in found.copies if one.measure == "tps"]
    assert tps.loads == 3
    assert tps.load_sd == pytest.approx(luck, abs=0.01)
    assert tps.log_sd < 0.02
    assert tps.load_p is not None
    assert (tps.load_p < 0.01) == (luck > 0)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("own", "old", "new", "is_noted"),
    [(True, 1, 1, True), (True, 3, 1, True), (True, 3, 3, False), (False, 1, 1, False)],
)
def test_builds_of_one_binary_have_a_note(
    tmp_path: Path, own: bool, old: int, new: int, is_noted: bool
) -> None:
    toml = STUDY_TOML.partition("[[hypothesis]]")[0].replace("[1, 8, 64]", "[1]")
    toml = toml.replace('use = "mariadb@10.11"\n', "")
    toml = toml.replace("server.variables.innodb_purge_threads", "server.use")
    names = {"use=a": old, "use=b": new}
    folder = make_results(
        tmp_path,
        treatments={name: {"server.use": name[-1]} for name in names},
        truth=Truth(measure_s=2, warmup_s=1, samples=False),
        loads=(1,),
        study_toml=toml.replace("[1, 4]", '["a", "b"]') if own else STUDY_TOML.replace("[1, 8, 64]", "[1]"),
    )
    for manifest in folder.path.glob("runs/*/run.json"):
        content = json.loads(manifest.read_text(encoding="utf-8"))
        of = content["block"] % names[content["treatment"]]
        content["server"] |= {"binary_sha256": f"{content['treatment']}-{of}" if own else "shared"}
        manifest.write_text(json.dumps(content), encoding="utf-8")
    build_store(folder)
    found = judge(load_study(folder.study_file), open_store(folder))
    noted = [note.severity for note in found.doubts if note.kind == "one-binary"]
    assert noted == (["note"] if is_noted else [])
