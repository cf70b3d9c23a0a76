"""What verdicts of every kind say: figures with units and without exponents, Chinese that is Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from assay.reporting.report import explained, load_words
from assay.results.verdict import Amount, Explanation, Phrase
from assay.results.verdict.claims.weigh import JudgedPart
from assay.results.verdict.decision import whole
from assay.results.verdict.summing_up import most_needed, summary
from test_forms import FORMS, Value, by_a, weighed
from test_what_people_ask import FORMS as ASKED

ENGLISH, CHINESE = load_words("en"), load_words("zh")
NAMES = {"ms", "server", "cpus", "tps", "qps", "mean_ms", "cpu", "disk", "lock", "log", "client"}
NAMES |= {"cpu_busy_pct"}
OF_ALL_SIZES = [
    ("tps[a=2] >= 11430", by_a(1, 12345.678, 1, 1)),
    ("tps[a=2]/tps[a=1] < 1 %", by_a(1e9, 5540.0, 1, 1)),
    ("mean_ms[a=2] ~ 0.00002", by_a(1, 2e-5, 1, 1)),
    ("tps[a=2] - tps[a=1] > 15", by_a(3, 2, 1, 1)),
    ("bottleneck[a=1] = cpu", by_a(95, 95, 95, 95)),
]


def said(parts: tuple[JudgedPart, ...]) -> Iterator[Explanation]:
    """What is said of each of the first parts, and of the whole."""
    for one in parts[:2]:
        yield one.part.explanation
    found = [one.part for one in parts]
    outcome = whole([one.outcome for one in found])
    needed = most_needed(found) if outcome == "undecided" else (None, False)
    yield summary(outcome, found, [one.said for one in parts], *needed)


def amounts(phrases: tuple[Phrase, ...]) -> Iterator[Amount]:
    for one in phrases:
        yield from one.amounts.values()
        for parts in one.parts.values():
            yield from amounts(parts)


def cases() -> Iterator[tuple[str, Value, float, int]]:
    """Every form of a claim: true, false, open and after one block by turns."""
    for number, (claim, true, false) in enumerate([*FORMS, *ASKED]):
        yield claim, (true if number % 2 else false), (1.0 if number % 3 == 0 else 0.002), 6
    for claim, value in OF_ALL_SIZES:
        yield claim, value, 0.002, 6
    yield "tps[a=2] > tps[a=1]", by_a(100, 120, 1, 1), 0.002, 1


@pytest.mark.sampled(20)
@pytest.mark.parametrize(("claim", "value", "noise", "count"), list(cases()))
def test_a_verdict_speaks_both_languages(claim: str, value: Value, noise: float, count: int) -> None:
    parts = weighed(claim, value, noise=noise, count=count)
    assert parts
    named = {*NAMES, *re.findall("[a-z_]+", claim)}
    for explanation in said(parts):
        english, chinese = explained(ENGLISH, explanation), explained(CHINESE, explanation)
        for text in (english, chinese):
            assert not re.search(r"\de[+−-]?\d|nan|None|\{", text), text
        assert {word.lower() for word in re.findall("[A-Za-z_]{2,}", chinese)} <= named, chinese
        assert "?" not in chinese
        assert len(chinese) <= len(english), (english, chinese)
        for clauses in explanation:
            for one in amounts(clauses):
                assert one.kind != "level" or one.unit, one
                assert not one.unit or ENGLISH.unit(one.unit)[-1:] in english
