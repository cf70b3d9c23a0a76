"""The catalogues say the same things."""

from __future__ import annotations

import string

import pytest
from assay.report.words import LANGUAGES, load_words


def placeholders(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_language_has_the_keys_and_the_placeholders_of_english(language: str) -> None:
    english, other = load_words("en"), load_words(language)
    assert other.keys() == english.keys()
    for key in sorted(english.keys()):
        assert placeholders(other.get(key, "")) == placeholders(english.get(key, "")), key


def test_an_unknown_measure_is_called_by_its_own_name() -> None:
    words = load_words("en")
    assert words.measure("Innodb_data_writes_per_query") == "Innodb_data_writes per query"
    assert words.measure("p95_ms") == "p95 latency"


def test_the_title_falls_back_to_english_then_to_the_name() -> None:
    zh = load_words("zh")
    assert zh.title({"en": "Purge", "zh": "清除"}, "purge") == "清除"
    assert zh.title({"en": "Purge"}, "purge") == "Purge"
    assert zh.title({}, "purge") == "purge"
