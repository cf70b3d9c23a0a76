"""The catalogues say the same things."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from pathlib import Path

import pytest
from assay.design.study.measures import MEASURES
from assay.reporting.report.explain import explain_doubt
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.verdict.doubts.between import SAID
from assay.results.verdict.results import DoubtNote

ROOT = Path(__file__).parents[2]
DOUBTS = "doubt-says."


def placeholders(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_language_has_the_keys_and_the_placeholders_of_english(language: str) -> None:
    english, other = load_words("en"), load_words(language)
    assert {key for key in sorted(other.keys()) if DOUBTS not in key} == english.keys()
    for key in sorted(english.keys()):
        assert placeholders(other.get(key, "")) == placeholders(english.get(key, "")), key


def kinds_of_doubt() -> set[str]:
    """As the code writes them, in Python and in Rust."""
    found = set()
    for pattern, files in (
        (r'(?:\.note|_study|DoubtNote)\(\s*"([a-z-]+)"', "python/assay/results/verdict/doubts/*.py"),
        (r'Doubted\(\s*kind="([a-z-]+)"', "python/assay/measurement/run/**/*.py"),
        (r'\bDoubt\(\s*kind="([a-z-]+)"', "python/assay/base/doubts/*.py"),
        (r'Doubted\(\s*kind="([a-z-]+)"', "python/assay/system/host/sampler/*.py"),
        (r'\bDoubt\(\s*kind="([a-z-]+)"', "python/assay/measurement/fleet/**/*.py"),
        (r'\bdoubt\(\s*"([a-z-]+)"', "crates/engine/src/course/**/*.rs"),
        (r'\bdoubt\(\s*"([a-z-]+)"', "crates/engine/src/say/**/*.rs"),
        (r'\bdoubt\(\s*"([a-z-]+)"', "crates/engine/src/server/**/*.rs"),
        (r'\bdoubt\(\s*"([a-z-]+)"', "crates/engine/src/data/**/*.rs"),
    ):
        texts = [file.read_text(encoding="utf-8") for file in ROOT.glob(files)]
        named = {kind for text in texts for kind in re.findall(pattern, text)}
        assert named, files
        found |= named
    return found | SAID.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_doubt_has_a_name(language: str) -> None:
    assert not {kind for kind in kinds_of_doubt() if not load_words(language).get(f"doubt.{kind}", "")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_doubt_says_what_to_do(language: str) -> None:
    words = load_words(language)
    assert not {kind for kind in kinds_of_doubt() if not words.get(f"doubt-do.{kind}", "")}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_kind_of_doubt_has_a_sentence(language: str) -> None:
    said = {key.removeprefix(DOUBTS) for key in sorted(load_words(language).keys()) if key.startswith(DOUBTS)}
    assert said == kinds_of_doubt()


def test_a_doubt_is_said_with_its_figures() -> None:
    zh = load_words("zh")
    busy = DoubtNote(
        "stalled-loop", "an event loop stood still", "r", 8, "warning", {"value": 51.7, "limit": 50}
    )
    assert (
        explain_doubt(zh, busy)
        == "压测端的一个事件循环在有待处理事件时停顿了 52 ms：此刻的延迟来自压测端，而非服务器。"
    )
    assert explain_doubt(load_words("en"), busy) == "an event loop stood still"
    assert explain_doubt(zh, replace(busy, facts={})) == "an event loop stood still"
    assert explain_doubt(zh, replace(busy, kind="of-tomorrow")) == "an event loop stood still"


def test_an_unknown_measure_is_called_by_its_own_name() -> None:
    words = load_words("en")
    assert words.measure("Innodb_data_writes_per_query") == "Innodb_data_writes per query"
    assert load_words("zh").measure("Innodb_data_writes_per_query") == "每次查询的 Innodb_data_writes"
    assert words.measure("p95_ms") == "p95 latency"


def test_every_measure_of_a_claim_has_a_chinese_name() -> None:
    zh = load_words("zh")
    named = {measure: zh.measure(measure) for measure in (*MEASURES, "context_switches_per_query")}
    assert not {measure: name for measure, name in named.items() if not re.search(r"[\u4e00-\u9fff]", name)}


@pytest.mark.parametrize(
    "word", ["发生器", "生成器", "金丝雀", "不可尽信", "无差别区间", "doublewrite", "换页", "区组。 ", " %"]
)
def test_chinese_has_one_word_for_a_thing(word: str) -> None:
    zh = load_words("zh")
    said = {key: zh.get(key, "").replace("压测端（负载生成器）", "") for key in sorted(zh.keys())}
    assert not {key: phrase for key, phrase in said.items() if word in phrase}
    assert word not in (ROOT / "README.zh-CN.md").read_text(encoding="utf-8")


def test_a_treatment_is_no_processing() -> None:
    """处理 is what a server does; a treatment is a 配置组合."""
    zh = load_words("zh")
    treatment = re.compile("(?:[各每两种个本对的]|所有|全部|第一种)处理(?!器|方式|语句)")
    assert not {key: phrase for key in zh.keys() if treatment.search(phrase := zh.get(key, ""))}  # noqa: SIM118


def test_chinese_has_its_own_marks() -> None:
    """Words of pages, and titles and other texts of the studies that come with Assay."""
    half = re.compile(r"[\u4e00-\u9fff”）] ?[?:;,!](?![\w/.])|[?:;,!] ?[\u4e00-\u9fff]")
    zh = load_words("zh")
    said = [re.sub(r"\{[^}]*\}", "0", zh.get(key, "")) for key in zh.keys()]  # noqa: SIM118
    for file in (ROOT / "studies").rglob("*.toml"):
        said += re.findall(r'\bzh = "([^"]*)"', file.read_text(encoding="utf-8"))
    assert not [text for text in said if half.search(text)]


@pytest.mark.parametrize(
    ("count", "said"),
    [(1, "1 run failed"), (2, "2 runs failed")],
)
def test_one_of_a_thing_is_not_several(count: int, said: str) -> None:
    assert load_words("en")("terminal.failed", count=count) == said


def test_chinese_sentences_follow_each_other_without_a_space() -> None:
    assert load_words("zh").sentences(["甲。", "乙。"]) == "甲。乙。"
    assert load_words("en").sentences(["One.", "Two."]) == "One. Two."


def test_the_title_falls_back_to_english_then_to_the_name() -> None:
    zh = load_words("zh")
    assert zh.title({"en": "Purge", "zh": "清除"}, "purge") == "清除"
    assert zh.title({"en": "Purge"}, "purge") == "Purge"
    assert zh.title({}, "purge") == "purge"
