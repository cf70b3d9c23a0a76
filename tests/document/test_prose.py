"""What people write beside tables is held against the outcomes in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.experiments.document import fill, overstated
from assay.testing.results_folder import Truth, make_results

PAGES = sorted((Path(__file__).parents[2] / "docs" / "published").glob("*.md"))
PAGE = """# Page

{head}

## Threads

<!-- assay: table io tps -->

| threads | 1 | 2 | 2 / 1 | 4 / 1 |
| --: | --: | --: | --: | --: |
| 16 | 370.0 ± 9.3 | 372.5 ± 13.1 | 1.007 [0.973, 1.042] ? undecided | 0.901 [0.880, 0.920] ▼ worse |

<!-- /assay -->

<!-- assay: table io hypotheses columns=claim,outcome,explanation -->

| Hypothesis | Verdict | In words |
| :-- | :-- | :-- |
| tps[a=2] &gt; tps[a=1] | ✗ refuted | 0.988 times (90 % interval 0.974 to 1.004, 5 blocks). |
| tps[a=3] &gt; tps[a=1] | ✗ refuted | 0.5 times (90 % interval 0.48 to 0.52, 5 blocks). |
{more}

<!-- /assay -->

{said}

## Elsewhere

Two threads serve as well as one here, where no table stands.
"""
SAME = "| tps[a=5] ~ tps[a=1] | ✓ supported | 1.001 times (90 % interval 0.99 to 1.01, 5 blocks). |"


def found(tmp_path: Path, said: str, head: str = "", more: str = "") -> list[str]:
    path = tmp_path / "page.md"
    path.write_text(PAGE.format(said=said, head=head, more=more), encoding="utf-8")
    return [one.sentence for one in overstated(path)]


@pytest.mark.parametrize(
    "said",
    [
        "Two threads serve a flash device as well as one.",
        "More threads bring nothing.",
        "A second thread makes no difference (1.007, 0.973 to 1.042).",
        "A second thread changes nothing, and a fourth perhaps costs something.",
        "That two are faster is refuted (0.988, 0.974 to 1.004).",
        "Two threads are faster than one (1.007, 0.973 to 1.042).",
    ],
)
def test_a_sentence_that_says_more_than_its_tables_is_named(tmp_path: Path, said: str) -> None:
    assert found(tmp_path, said) == [said]
    assert found(tmp_path, f"First.\n{said} Last.") == [said]


@pytest.mark.parametrize(
    "said",
    [
        "Whether two threads serve as well as one is undecided.",
        "The report says that more threads bring nothing.",
        "Two threads make 1.007 times as many operations as one (0.973 to 1.042).",
        "Four threads are slower than one (0.880 to 0.920).",
        "Four threads cost a tenth (0.880 to 0.920).",
        "That two are faster by more than 2 % is refuted (0.988, 0.974 to 1.004).",
        "That three are faster is refuted (0.5, 0.48 to 0.52).",
    ],
)
def test_a_sentence_that_its_tables_bear_out_is_not(tmp_path: Path, said: str) -> None:
    assert found(tmp_path, said) == []


def test_sameness_that_was_found_may_be_said_where_it_stands(tmp_path: Path) -> None:
    assert found(tmp_path, "Five threads serve as well as one.", more=SAME) == []
    own = "Two make no difference (1.007, 0.973 to 1.042)."
    assert found(tmp_path, own, more=SAME) == [own]


def test_a_sentence_far_from_its_table_is_held_against_it_by_its_figures(tmp_path: Path) -> None:
    head = "A second thread makes no difference (1.007, 0.973 to 1.042)."
    assert found(tmp_path, "", head=head) == [head]
    assert found(tmp_path, "", head="A second thread makes no difference.") == []


@pytest.mark.parametrize(
    ("said", "named"), [("两个线程与一个一样好。", True), ("两者是否一样好未定。", False)]
)
def test_chinese_pages_are_read_too(tmp_path: Path, said: str, named: bool) -> None:
    path = tmp_path / "page.zh-CN.md"
    table = (
        PAGE.replace("? undecided", "? 未定").replace("▼ worse", "▼ 更差").replace("✗ refuted", "✗ 不成立")
    )
    path.write_text(table.format(said=said, head="", more=""), encoding="utf-8")
    assert bool(overstated(path)) == named


@pytest.mark.long
def test_filling_names_them(tmp_path: Path) -> None:
    make_results(tmp_path / "results" / "purge-threads", effect=1.25, truth=Truth(measure_s=4, warmup_s=1))
    path = tmp_path / "page.md"
    mark = "<!-- assay: table purge-threads hypotheses columns=claim,outcome -->\n<!-- /assay -->\n"
    path.write_text(f"# Ours\n\n{mark}\nFour purge threads serve as well as one.\n", encoding="utf-8")
    (one,) = fill(path, [tmp_path / "results"]).overstated
    assert one.sentence == "Four purge threads serve as well as one."


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "<!-- assay:" in page.read_text(encoding="utf-8")]
)
def test_the_pages_of_this_project_say_no_more_than_their_tables(page: Path) -> None:
    assert [f"{one.sentence} ({one.why})" for one in overstated(page)] == []
