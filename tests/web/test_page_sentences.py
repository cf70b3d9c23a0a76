"""The charts of pages have a sentence that agrees with their records."""

from __future__ import annotations

import re
from statistics import median
from typing import Any

import pytest
from asking import ask
from assay.base.numbers import number
from assay.front.web import Site
from assay.front.web.sentences import NamedInterval, history_sentence, ratios_sentence, seconds_sentence
from assay.reporting.report import load_words
from starlette.applications import Starlette

VALUES = [
    NamedInterval("near", 1.1, 1.0, 1.2),
    NamedInterval("far", 0.5, 0.45, 0.55),
    NamedInterval("late", 1.9, None, None),
]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_sentence_names_its_records(language: str) -> None:
    words = load_words(language)
    assert "0.50 [0.45, 0.55]" in (said := ratios_sentence(VALUES, words))
    assert "far" in said
    assert "3" in said
    said = seconds_sentence([(0.0, 900.0), (7.0, 120.0), (9.0, 1500.0)], words)
    found = [float(one.replace(",", "")) for one in re.findall(r"[\d,]*\d", said)]
    assert found == [7, 120, 9, 1500, 900]
    said = history_sentence(VALUES, "ms", 2, words)
    assert all(part in said for part in ("near", "late", "1.10 ± 0.10 ms", "1.900 ms", "2"))
    assert "far" not in said


def test_pages_have_them(app: Starlette, site: Site, rids: dict[str, str], run: str) -> None:
    rid = rids["quick"]
    rows: list[Any] = (
        site.opened(rid)
        .judged.store.cursor()
        .execute(
            "SELECT t_s, tps FROM intervals WHERE run_id = ? AND rung = 1 AND phase = 'measure'",
            [run],
        )
        .fetchall()
    )
    page = ask(app, f"/en/r/{rid}/run/{run}/1").text
    said = f"the median is {number(median(rate for _, rate in rows))}."
    assert page.count(said) == 2  # for those who see the picture, and in its label
    assert number(min(rate for _, rate in rows)) in page
    sides = f"base={rid}:innodb_purge_threads%3D1&new={rid}:innodb_purge_threads%3D4"
    assert "is farthest from 1:" in ask(app, f"/en/compare?{sides}").text
