"""Treatments with data of their own, each loaded once, are doubted where they are compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.report.explain import explain_doubt
from assay.report.words import load_words
from assay.store import build_store, open_store
from assay.study import load_study
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from assay.verdict import Results, judge

A, B = "innodb_purge_threads=1", "innodb_purge_threads=4"
Dataset = Callable[[str, int], str | None]  # of a treatment in a block


def judged(path: Path, dataset: Dataset) -> Results:
    truth = Truth(measure_s=4, warmup_s=1, samples=False)
    study = STUDY_TOML.replace("[1, 8, 64]", "[1]")
    folder = make_results(path, truth=truth, loads=(1,), study_toml=study)
    for manifest in folder.path.glob("runs/*/run.json"):
        content = json.loads(manifest.read_text(encoding="utf-8"))
        found = dataset(content["treatment"], content["block"])
        content["dataset"] = {} if found is None else {"id": found, "data": found}
        manifest.write_text(json.dumps(content), encoding="utf-8")
    build_store(folder)
    return judge(load_study(folder.study_file), open_store(folder))


def doubted(found: Results) -> tuple[set[bool], set[bool], bool]:
    """Whether comparisons have the doubt, whether parts with two treatments have it, and the study."""
    return (
        {"one-load" in one.doubts for one in found.comparisons},
        {"one-load" in part.doubts for one in found.hypotheses for part in one.parts if len(part.where) > 1},
        any(note.kind == "one-load" for note in found.doubts),
    )


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
