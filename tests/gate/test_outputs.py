"""The outcome as JUnit, annotations, Markdown and OpenMetrics: complete, within limits, and never markup of
others.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest
from assay.base.errors import HostError
from assay.experiments.gate import (
    Check,
    Gated,
    annotation_lines,
    as_junit,
    as_markdown,
    as_object,
    as_openmetrics,
    complaint,
    write_summary,
)
from assay.experiments.gate.github import MOST_SHOWN, SUMMARY_BYTES
from assay.experiments.gate.in_english import in_english
from assay.experiments.gate.markdown import COMMENT_CHARACTERS, bar
from assay.results.verdict import Figure, LedgerShift, LineShift, Part, Place
from two_builds import RATIO, Judge, check, gated

NASTY = 'a|b `c` <script> %0A::error::x\n::error::forged\x1b[2J\ufffe "q"'


def with_figure(one: Check, value: float, low: float, high: float) -> Check:
    where = (Place("build=new", one.load), Place("build=base", one.load))
    part = Part(where, "undecided", Figure("ratio", value, low, high), 6, 4, one.why)
    return replace(one, part=part, parts=1)


def test_a_check_that_failed_says_what_it_is_made_of_in_every_form() -> None:
    moved = LineShift("row-locks", "", "us", 6.0, 9.1, 3.1, 2.8, 3.4, "moved", 3.5, 0.4, 0.001, 0.9)
    cpu = LedgerShift(
        "build=base", "build=new", 64, "cpu", 6, (moved,), 44.0, 47.4, 3.4, 3.0, 3.8, moved=True
    )
    failed = replace(with_figure(check("failed"), 0.9, 0.88, 0.92), outcome="failed", ledgers=(cpu,))
    (one,) = in_english([failed])
    found = gated(one)
    said = "row locks +3.1 µs"
    assert said in str(complaint(found))
    assert said in as_junit(found)
    assert said in annotation_lines(found)[0]
    assert said in as_markdown(found)
    assert "行锁 +3.1 µs" in as_markdown(found, "zh")
    assert said in as_object(found)["checks"][0]["why"]
    assert as_object(found)["checks"][0]["ledgers"][0]["lines"][0]["group"] == "row-locks"
    assert 'ledger="cpu",line="row-locks",unit="us"} 3.1' in as_openmetrics(found)
    still = replace(cpu, lines=(replace(moved, word="bounded"),))
    assert "made of" not in in_english([replace(failed, ledgers=(still,))])[0].why


def test_junit_has_a_case_for_each_check(judge: Judge, slower: Path) -> None:
    found = judge(slower, f"{RATIO} >= 0.97", f"{RATIO} >= 0.5")
    root = xml.fromstring(as_junit(found).encode())
    suite = root[0]
    counts = {name: int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": 4, "failures": 2, "errors": 0, "skipped": 0}
    cases = {case.attrib["name"]: case for case in suite.iter("testcase")}
    failed = cases[f"{RATIO} >= 0.97 @ 64 threads"].find("failure")
    assert failed is not None
    assert re.fullmatch(r"failed: 0\.\d+ \[0\.\d+, 0\.\d+\], 6 blocks", failed.attrib["message"])
    assert cases[f"{RATIO} >= 0.5 @ 8 threads"].find("failure") is None


def test_each_outcome_has_its_element_in_junit() -> None:
    outcomes = ("passed", "failed", "undecided", "unjudged")
    checks = [check(one, number=number, why=NASTY) for number, one in enumerate(outcomes, start=1)]
    suite = xml.fromstring(as_junit(gated(*checks)).encode())[0]
    found = [[part.tag for part in case if part.tag != "properties"] for case in suite.iter("testcase")]
    assert found == [[], ["failure"], ["skipped"], ["error"]]
    texts = "".join(suite.itertext())
    assert "\x1b" not in texts
    assert "<script>" in texts  # as text, which the parser has read back


def test_annotations_stay_within_what_is_shown() -> None:
    failed = [check("failed", number=number, why=NASTY) for number in range(1, 26)]
    undecided = [check("undecided", number=number) for number in range(26, 30)]
    said = annotation_lines(gated(*failed, *undecided))
    errors = [one for one in said if one.startswith("::error ")]
    assert (len(errors), len(said)) == (MOST_SHOWN, MOST_SHOWN + 4)
    assert "and 16 more checks" in errors[-1]
    assert all("\n" not in one and one.count("::") - NASTY.count("::") <= 2 for one in said)
    assert "%250A" in errors[0]
    assert annotation_lines(gated(check("passed"))) == ()


def test_the_summary_is_appended_where_github_wants_it(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    file.write_text("before\n", encoding="utf-8")
    assert write_summary(gated(check("failed")), "en", {"GITHUB_STEP_SUMMARY": str(file)}) == file
    assert file.read_text(encoding="utf-8").startswith("before\n**Gate of “two-builds”: failed (1 failed).**")
    assert write_summary(gated(check("failed")), "en", {}) is None
    with pytest.raises(HostError, match="cannot be written"):
        write_summary(gated(check("failed")), "en", {"GITHUB_STEP_SUMMARY": str(tmp_path)})


@pytest.fixture(scope="module")
def many() -> Gated:
    """More checks than any service shows."""
    one = with_figure(check(why="x" * 100), 0.9, 0.88, 0.92)
    outcomes = ("failed", "passed")
    return gated(
        *(replace(one, number=number, outcome=outcomes[number % 2]) for number in range(1, 9001))  # type: ignore[arg-type]
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("most", "size"),
    [(COMMENT_CHARACTERS, len), (SUMMARY_BYTES, lambda text: len(text.encode())), (3000, len)],
)
def test_markdown_is_cut_between_rows(many: Gated, most: int, size: object) -> None:
    text = as_markdown(many, most=most, size=size)  # type: ignore[arg-type]
    assert size(text) <= most  # type: ignore[operator]
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert all(line.count("|") == rows[0].count("|") and line.endswith("|") for line in rows)
    left_out = sum(int(count.replace(",", "")) for count in re.findall(r"and ([\d,]+) more rows", text))
    heads = text.count("| Check |")
    assert len(rows) - heads + left_out == 9000


def test_markdown_says_the_outcome_and_what_did_not_pass_first() -> None:
    text = as_markdown(gated(check("passed"), check("undecided"), check("failed", why=NASTY)))
    lines = text.splitlines()
    assert lines[0] == (
        "**Gate of “two-builds”: failed (1 failed, 1 undecided, 1 passed). 1 of these is a warning and does"
        " not decide.**"
    )
    assert lines[2].startswith("- failed: ")
    assert "<details>" in text
    assert "<script>" not in text


def test_markdown_is_in_chinese() -> None:
    text = as_markdown(gated(check("failed"), check("passed")), "zh")
    assert text.startswith("**“two-builds”的门禁：未通过（未通过 1 项、通过 1 项）。**")
    assert "@ 64" in text
    assert not re.search(r"failed|passed|block", text)


def test_a_bar_shows_the_interval_on_a_common_scale() -> None:
    one = with_figure(check(), 0.9, 0.88, 0.93)
    drawn = bar(one, (-0.2, 0.1))
    assert len(drawn) == 24
    assert drawn.index("├") < drawn.index("●") < drawn.index("┤") < drawn.index("│")
    assert bar(check(), (-0.2, 0.1)) == ""


def test_metrics_have_three_digits_and_an_end(judge: Judge, slower: Path) -> None:
    text = as_openmetrics(judge(slower, f"{RATIO} >= 0.97"))
    assert text.endswith("\n# EOF\n")
    values = dict(re.findall(r'^assay_gate_value\{.*load="(\d+)"\} (\S+)$', text, re.MULTILINE))
    assert values.keys() == {"8", "64"}
    assert all(re.fullmatch(r"0\.\d{1,3}", value) for value in values.values())
    assert 'assay_gate_checks{study="two-builds",outcome="failed"} 2' in text
    names = [line.split("{")[0] for line in text.splitlines() if not line.startswith("#")]
    families = [name for number, name in enumerate(names) if number == 0 or names[number - 1] != name]
    assert len(families) == len(set(families))  # the lines of a family stand together


def test_metrics_escape_what_a_label_cannot_have() -> None:
    hostile = replace(gated(check("failed")), study='a"b\\c\nd')
    assert 'study="a\\"b\\\\c\\\\x0ad"' in as_openmetrics(hostile)


def test_an_outcome_without_figures_is_written_in_every_form() -> None:
    found: Gated = gated(check("unjudged", load=None, why="No run matches the claim."))
    assert "No run matches the claim." in as_junit(found)
    assert "No run matches the claim." in as_markdown(found)
    assert "assay_gate_value{" not in as_openmetrics(found)
    assert "No run matches the claim." in annotation_lines(found)[0]
