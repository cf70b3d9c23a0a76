"""Rows of the shelf, of every kind of results: what answers, the words of claims, and doubts by kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from asking import ask
from assay.experiments.lab import CountedDoubt, Headline
from assay.experiments.lab.headline import headline_of
from assay.front.web import Site, make_app
from assay.front.web.archive.rows import CatalogueRow
from assay.front.web.overview.shelf_row import answer_of, doubts_of, is_open, words_of
from assay.reporting.report import load_words
from assay.results.stats import Gate
from assay.results.verdict import Comparison, Estimate, Results
from assay.results.verdict.results import WorkloadPart

BEST = Headline("tps", "/s", 32.0, "threads", "index=off", 414.0, "index=on", 6750.0, 16.3, 15.0, 18.0)


def row(**changes: object) -> CatalogueRow:
    return CatalogueRow(**{"place": "one", "stamp": "s", "rid": "one~1", "state": "whole", **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_answer_has_both_figures_with_their_unit_and_the_ratio(language: str) -> None:
    words = load_words(language)
    found = answer_of(words, BEST)
    assert found is not None
    unit = words.unit("/s")
    assert found.ratio == "×16.30"
    assert found.figures == ((f"6,750 {unit}", "index=on"), (f"414 {unit}", "index=off"))
    assert words.load(32, "threads") in found.of
    alone = answer_of(words, Headline("iops", "/s", 1.0, "iodepth", "section=reads", 7000.0))
    assert alone is not None
    assert (alone.ratio, alone.figures) == ("", ((f"7,000 {unit}", ""),))
    two = replace(BEST, baseline="a=1, b=ON, c=x", other="a=0, b=ON, c=y")
    both = answer_of(words, two)
    assert both is not None
    assert [whose for _, whose in both.figures] == ["a=0, c=y", "a=1, c=x"]  # only what differs
    assert answer_of(words, None) is None


def results(**changes: object) -> Results:
    values = {
        ("a", 1.0): 10.0, ("b", 1.0): 20.0, ("c", 1.0): 15.0,
        ("a", 8.0): 50.0, ("b", 8.0): 40.0, ("c", 8.0): 45.0,
    }  # fmt: skip
    given = {
        "study": "s", "treatments": ("a", "b", "c"), "loads": (1.0, 8.0), "load_kind": "threads",
        "estimates": tuple(
            Estimate(name, load, measure, "/s", value, None, None, ())
            for measure in ("tps", "p95_ms") for (name, load), value in values.items()
        ),
        "comparisons": (), "hypotheses": (), "doubts": (), "blocks_planned": 6, "blocks_complete": 6,
        "gate": Gate.of(0.95), "runs_failed": (), "headlines": ("tps", "p95_ms"),
    }  # fmt: skip
    return Results(**{**given, **changes})  # type: ignore[arg-type]


def test_the_headline_is_the_best_treatment_beside_its_baseline() -> None:
    best = headline_of(results())
    assert best is not None
    assert (best.baseline, best.before, best.other, best.after, best.load) == ("a", 50.0, "c", 45.0, 8.0)
    assert best.ratio == pytest.approx(0.9)
    judged = Comparison("a", "c", 8.0, "tps", 0.91, 0.85, 0.97, None, 6, 0.02, "worse", None)
    told = headline_of(results(comparisons=(judged,)))
    assert told is not None
    assert (told.ratio, told.low, told.high) == (0.91, 0.85, 0.97)
    paced = headline_of(results(load_kind="rate"))  # a rate is stated: the finding is how long answers take
    assert paced is not None
    assert (paced.measure, paced.other, paced.after) == ("p95_ms", "c", 15.0)
    apart = headline_of(
        results(workloads=(WorkloadPart("x", {"a": ""}), WorkloadPart("y", {"b": "", "c": ""})))
    )
    assert apart is not None
    assert (apart.baseline, apart.other) == ("b", "c")  # two kinds of work are not compared
    alone = headline_of(results(treatments=("a",)))
    assert alone is not None
    assert (alone.other, alone.best) == ("", 50.0)
    assert headline_of(results(estimates=())) is None


def test_words_and_doubts_of_a_row() -> None:
    words = load_words("en")
    claims = (("x > 1", "supported"), ("y > 1", "supported"), ("z > 1", "refuted"))
    assert words_of(row(claims=claims)) == [("supported", 2), ("refuted", 1)]
    unjudged = row(claims=(("x > 1", ""),))
    assert (words_of(unjudged), is_open(unjudged), is_open(row(claims=claims))) == ([], True, False)
    assert not is_open(row(claims=(("x > 1", ""),), state="part"))
    doubts = (CountedDoubt("warning", "load-of-others", 71), CountedDoubt("warning", "late-pacing", 3))
    found = doubts_of(words, row(doubts=(*doubts, CountedDoubt("note", "few-blocks", 9))))
    assert found is not None
    assert (found.severity, found.count, found.says) == ("warning", 2, "warning")
    weighed = tuple(replace(one, word="cannot-turn") for one in doubts)
    for line, says in (
        (weighed, "harmless"),
        ((replace(doubts[0], word="could-turn"), weighed[1]), "turning"),
    ):
        told = doubts_of(words, row(doubts=line))
        assert told is not None
        assert (told.says, told.count) == (says, 2 if says == "harmless" else 1)
        assert load_words("zh")(f"web.shelf.kinds-{says}", count=1) != words(
            f"web.shelf.kinds-{says}", count=1
        )
    assert doubts_of(words, row(doubts=(CountedDoubt("note", "few-blocks", 9),))) is None


def test_the_page_has_a_row_of_each_kind(site: Site) -> None:
    """Whole, unfinished, hostile and broken results, in both languages: a figure, a word or a link to it."""
    for language, judge in (("en", "Open it, and it is judged"), ("zh", "打开即可裁决")):
        text = ask(make_app(site), f"/{language}/").text
        rows = text[text.index("<tbody>") : text.index("</tbody>")].split("<tr>")[1:]
        assert len(rows) == 7
        for place in ("quick", "deep/again"):
            (shown,) = (one for one in rows if f"<code>{place}</code>" in one)
            assert "<strong>×1." in shown
            assert "innodb_purge_threads=4" in shown
            assert ('class="badge"' in shown) or judge in shown
        assert not [one for one in rows if "<svg" in one]
    assert "unread" in ask(make_app(site), "/en/results.json").json()


def test_an_unreadable_root_has_no_answer(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "study.json").write_text("{")
    assert 'class="state state-broken"' in ask(make_app(Site(tmp_path)), "/en/").text
