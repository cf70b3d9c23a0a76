"""The first screen of every kind of result has the question, the answer with its figure and word, how sure it
is and where it holds; and no sentence on it claims more than its verdict.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from typing import get_args

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_measured
from assay.experiments.adopt import bring_in
from assay.reporting.report.charts import answer
from assay.reporting.report.headline import told
from assay.reporting.report.labels import labels
from assay.reporting.report.material import Material
from assay.reporting.report.page import render_page
from assay.reporting.report.words import LANGUAGES
from assay.reporting.report.write import material_in
from assay.results.store import build_store, open_store
from assay.results.verdict import judge
from assay.results.verdict.answers import OutcomeWord
from assay.testing.results_folder import FACTOR, STUDY_TOML, Truth, make_results
from recorded_results import unpack

HEAD = STUDY_TOML.split("[[hypothesis]]")[0].replace("[1, 8, 64]", "[1, 8]")
LABELS = (
    'labels = { 1 = { en = "one thread", zh = "一个线程" }, 4 = { en = "four threads", zh = "四个线程" } }'
)
LABELLED = HEAD.replace("levels = [1, 4]", f"levels = [1, 4]\n{LABELS}")
SAYS = {"en": "More purge threads are faster", "zh": "更多 purge 线程更快"}
IN_TOML = f'says = {{ en = "{SAYS["en"]}", zh = "{SAYS["zh"]}" }}'
CLAIMS = {
    "supported": "tps[innodb_purge_threads=4] > tps[innodb_purge_threads=1]",
    "refuted": "tps[innodb_purge_threads=4] < tps[innodb_purge_threads=1]",
    "undecided": "tps[innodb_purge_threads=4]/tps[innodb_purge_threads=1] > 1.2",
}
SHORT = Truth(measure_s=4, warmup_s=1)


@dataclass(frozen=True)
class Case:
    """One kind of result: a figure that its first screen has, and where it was measured."""

    folder: Callable[[Path], ResultsFolder]
    figure: Mapping[str, str]  # language -> a pattern
    place: str


ALL_CLAIMS = "".join(
    f'\n[[hypothesis]]\nclaim = "{claim}"\n{says}\n' for claim in CLAIMS.values() for says in (IN_TOML, "")
)


def two(path: Path) -> ResultsFolder:
    return make_results(path, study_toml=HEAD, loads=(1, 8), effect=1.2, truth=SHORT)


def one(path: Path) -> ResultsFolder:
    toml = HEAD.split("[[factor]]")[0] + "[design]\nblocks = 2\n"
    return make_results(
        path, study_toml=toml, treatments={"default": {}}, loads=(1, 8), blocks=2, truth=SHORT
    )


def factorial(path: Path) -> ResultsFolder:
    other = "server.variables.innodb_io_capacity"
    levels = [(a, b) for a in (1, 2, 4, 8) for b in (200, 2000, 4000)]
    toml = HEAD.replace("levels = [1, 4]", "levels = [1, 2, 4, 8]").replace("[1, 8]", "[8]")
    toml = toml.replace("[design]", f'[[factor]]\nname = "{other}"\nlevels = [200, 2000, 4000]\n\n[design]')
    treatments = {
        f"innodb_purge_threads={a}, innodb_io_capacity={b}": {FACTOR: a, other: b} for a, b in levels
    }
    effect = {name: 1 + place / 20 for place, name in enumerate(treatments) if place}
    return make_results(
        path, study_toml=toml, treatments=treatments, loads=(8,), blocks=1, effect=effect, truth=SHORT
    )


def imported(path: Path) -> ResultsFolder:
    text = Path(__file__).parents[1] / "adopt" / "forms" / "sysbench-0.5.txt"
    for level, tps in (("ext4", "304.12"), ("xfs", "364.12")):
        files = []
        for repeat in range(2):
            file = path / f"{level}-{repeat}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            printed = text.read_text().replace("(304.12 per sec.)", f"({tps} per sec.)")
            file.write_text(printed.replace("0.5:  multi", f"0.5:  {' ' * repeat}multi"))
            files.append(file)
        bring_in(files, path / "results", [f"filesystem={level}"])
    return ResultsFolder(path / "results")


TIMES = {"en": r"1\.\d+ times", "zh": r"1\.\d+ 倍"}
RATE = {"en": r"\d per second", "zh": r"\d 次/秒"}
CASES = {
    "one": Case(one, RATE, "MariaDB 10.11"),
    "factorial": Case(factorial, RATE, "MariaDB 10.11"),
    "storage": Case(lambda path: unpack("files", path), {"en": r"\d", "zh": r"\d"}, "fio"),
    "tpcc": Case(lambda path: unpack("terminals", path), {"en": r"\d+ ms", "zh": r"\d+ ms"}, "tpcc"),
    "imported": Case(imported, TIMES, "sysbench"),
}


def read(folder: ResultsFolder, toml: str | None = None) -> Iterator[Material]:
    if toml is not None:
        folder.study_file.write_text(toml, encoding="utf-8")
    study = load_measured(folder.study_file)
    store = open_store(folder)
    results = judge(study, store)
    for language in LANGUAGES:
        yield material_in(language, study, results, store)


def screen(material: Material) -> tuple[str, str]:
    """Returns the title and the text of the first screen."""
    drawn = answer.draw(material)
    assert drawn is not None
    page = render_page(material, [], [(drawn, "<svg></svg>")])
    assert "<script" not in page
    heading = page.partition("<h1>")[2].partition("</h1>")[0]
    section = page.partition('<section id="summary"')[2].partition("</section>")[0]
    assert 'id="chart-answer"' in section
    text = re.sub(r"<[^>]+>", " ", re.sub(r"</?abbr[^>]*>", "", section.partition(">")[2]))
    return heading, " ".join(unescape(text).split())


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Material, ...]:
    """Two treatments with labels, and claims of every outcome, with and without a sentence of their own."""
    folder = two(tmp_path_factory.mktemp("planted"))
    build_store(folder)
    return tuple(read(folder, LABELLED + ALL_CLAIMS))


def with_claims(material: Material, *numbers: int) -> Material:
    """Returns the material as that of a study with these of its hypotheses alone."""
    study, results = material.study, material.results
    kept = tuple(study.hypotheses[number] for number in numbers)
    verdicts = tuple(results.hypotheses[number] for number in numbers)
    return replace(
        material,
        study=study.model_copy(update={"hypotheses": kept}),
        results=replace(results, hypotheses=verdicts),
    )


def test_the_answer_says_what_its_verdict_does(planted: tuple[Material, ...]) -> None:
    for made in planted:
        language, words = made.words.language, made.words
        threads = ["one thread", "four threads"] if language == "en" else ["一个线程", "四个线程"]
        assert list(labels(made).values()) == threads
        for number, verdict in enumerate(made.results.hypotheses):
            word = list(CLAIMS)[number // 2]
            assert verdict.outcome == word
            material = with_claims(made, number)
            heading, text = screen(material)
            assert heading == made.study.title[language]
            assert words(f"word.{word}") in text
            assert re.search(TIMES[language], text)
            assert "MariaDB 10.11.14" in text
            assert words("answer.blocks-agree", agree=6, blocks=6) in text
            claimed = SAYS[language] if number % 2 == 0 else threads[1]
            assert claimed.lower() in text.lower()
            # What is not supported stands in quotes, after the word that denies it.
            assert (f"“{SAYS[language]}”" in text) == (word != "supported" and number % 2 == 0)
            assert ("“" in text) == (word != "supported")


@pytest.mark.parametrize("word", get_args(OutcomeWord))
def test_only_a_supported_claim_stands_without_quotes(planted: tuple[Material, ...], word: str) -> None:
    for material in planted:
        for hypothesis, found in zip(material.study.hypotheses, material.results.hypotheses, strict=True):
            outcome = "undecided" if word == "worth-a-study" else word
            changed = replace(found, outcome=outcome, worth_a_study=word == "worth-a-study")
            assert ("“" in told(material, hypothesis, changed)) == (word != "supported")


def test_without_claims_the_comparison_answers(planted: tuple[Material, ...]) -> None:
    for made in planted:
        material = with_claims(made)
        _, text = screen(material)
        assert re.search(TIMES[material.words.language], text)
        assert material.words("word.better") in text
        assert material.words("summary.no-hypotheses") in text


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CASES)
def test_every_kind_of_result_has_an_answer(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    folder = case.folder(tmp_path)
    build_store(folder)
    for material in read(folder):
        heading, text = screen(material)
        assert heading
        assert re.search(case.figure[material.words.language], text), text
        assert case.place in text
        assert ("block" if material.words.language == "en" else "区组") in text
        assert ("tpmC" in str(answer.draw(material))) == (name == "tpcc")
