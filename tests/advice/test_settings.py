"""Which settings are advised, by the words of comparisons, and how my.cnf has them."""

from __future__ import annotations

import pytest
from assay.advice import Effect, TriedFactor, TriedLevel, choose, fragment


def level(value: str, *words: str, ratio: float = 1.2, tails: str = "", name: str = "a") -> TriedLevel:
    """A level with one word for each load point, and one for the tail of latency at each."""
    effects = [
        Effect("tps", f"at {8 * at} threads", ratio, ratio - 0.1, ratio + 0.1, word)
        for at, word in enumerate(words, start=1)
    ]
    tail = [Effect("p95_ms", "at 8 threads", 0.9, None, None, tails)] if tails else []
    return TriedLevel({name: value}, (*effects, *tail))


def outcome(*others: TriedLevel) -> tuple[str, str]:
    found = choose(TriedFactor("a", (TriedLevel({"a": "1"}), *others)))
    return found.outcome, found.level.settings["a"]


@pytest.mark.parametrize(
    ("others", "wanted"),
    [
        ([level("2", "better", "same")], ("take", "2")),
        ([level("2", "better", "better", tails="undecided")], ("take", "2")),
        ([level("2", "better", "better", tails="worse")], ("depends", "2")),
        ([level("2", "better"), level("3", "better", ratio=1.5)], ("take", "3")),
        ([level("2", "better"), level("3", "worse", ratio=0.5)], ("take", "2")),
        ([level("2", "better", "undecided")], ("undecided", "2")),
        ([level("2", "better", "more")], ("undecided", "2")),
        ([level("2", "better", "worse")], ("depends", "2")),
        ([level("2", "worse", "same", ratio=0.8)], ("keep", "1")),
        ([level("2", "worse", ratio=0.8), level("3", "undecided")], ("undecided", "2")),
        ([level("2", "same", "same")], ("no-difference", "1")),
        ([level("2", "same"), level("3", "undecided")], ("undecided", "2")),
        ([level("2", "same", tails="better")], ("undecided", "2")),
        ([level("2")], ("undecided", "2")),
    ],
)
def test_words_decide(others: list[TriedLevel], wanted: tuple[str, str]) -> None:
    assert outcome(*others) == wanted


def flush(baseline: str, value: str) -> str:
    name = "innodb_flush_log_at_trx_commit"
    tried = TriedFactor(name, (TriedLevel({name: baseline}), level(value, "better", ratio=1.85, name=name)))
    return fragment("mysqld", ["mysql 8.0.15; study s, 6 blocks"], [choose(tried)])


def test_a_level_that_gives_up_durability_is_a_comment() -> None:
    assert flush("1", "2").splitlines() == [
        "# mysql 8.0.15; study s, 6 blocks",
        "[mysqld]",
        "# tps ×1.85 (1.75 to 1.95) at 8 threads",
        "# RISK: about a second of commits may be lost when the machine goes down",
        "# not taken for you: it gives up durability that the baseline has",
        "# innodb_flush_log_at_trx_commit = 2",
    ]


def test_a_level_that_risks_no_more_than_the_baseline_is_a_setting() -> None:
    assert flush("2", "1").splitlines()[-1] == "innodb_flush_log_at_trx_commit = 1"
    assert "RISK" not in flush("2", "1")


def test_what_decides_nothing_is_listed() -> None:
    def factor(name: str, *words: str) -> TriedFactor:
        return TriedFactor(name, (TriedLevel({name: "1"}), level("2", *words, name=name)))

    choices = [
        choose(factor(name, *words))
        for name, words in {"a": ["same"], "b": ["better", "worse"], "c": ["more"], "d": ["worse"]}.items()
    ]
    text = fragment("mariadbd", [], choices)
    assert [line for line in text.splitlines() if not line.startswith("#")] == [
        "[mariadbd]",
        "d = 1",
        "",
        "",
        "",
    ]
    assert "# Made no difference:\n#   a = 1 (the baseline)\n#   a = 2: tps ×1.2" in text
    assert "# Better at some loads and worse at others:\n#   b = 2: tps ×1.2" in text
    assert "# Undecided: more blocks are needed:\n#   c = 2: tps ×1.2" in text
