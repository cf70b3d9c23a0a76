"""The outcome of the whole: which check decides, with which exit code."""

from __future__ import annotations

from typing import Any

import pytest
from assay.experiments.gate import complaint
from assay.experiments.gate.confirming import _together
from two_builds import check, gated


def code(*checks: Any) -> int:
    error = complaint(gated(*checks))
    return 0 if error is None else error.exit_code


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (["passed", "passed"], 0),
        (["passed", "failed"], 9),
        (["passed", "unjudged"], 11),
        (["undecided", "passed"], 10),
        (["undecided", "unjudged", "failed"], 9),
        (["undecided", "unjudged", "passed"], 11),
    ],
)
def test_a_failure_comes_before_missing_data_and_these_before_the_undecided(
    outcomes: list[str], expected: int
) -> None:
    assert code(*(check(one, undecided="fail") for one in outcomes)) == expected


@pytest.mark.parametrize(
    ("outcome", "keys", "weight", "expected"),
    [
        ("failed", {"severity": "warn"}, "warning", 0),
        ("unjudged", {"severity": "warn"}, "warning", 0),
        ("undecided", {"severity": "warn", "undecided": "fail"}, "warning", 0),
        ("undecided", {}, "warning", 0),
        ("undecided", {"undecided": "pass"}, "note", 0),
        ("undecided", {"undecided": "fail"}, "error", 10),
        ("unjudged", {"undecided": "pass"}, "error", 11),
        ("failed", {"undecided": "pass"}, "error", 9),
        ("passed", {}, "note", 0),
    ],
)
def test_what_a_gate_may_do(outcome: str, keys: dict[str, Any], weight: str, expected: int) -> None:
    one = check(outcome, **keys)
    assert one.weight == weight
    assert code(one) == expected


def test_the_error_names_the_first_check_that_decides_and_the_next_step() -> None:
    missing = check("unjudged", why="build=new has no run in block 6.")
    error = complaint(gated(check("passed"), missing))
    assert error is not None
    assert (
        "cannot be judged in 1 of 2 checks: tps[build=new]/tps[build=base] >= 0.97 @ 64 threads: build=new"
        in (error.message)
    )
    assert "mend the measurement" in str(error.hint)


@pytest.mark.parametrize(
    ("second", "outcome", "cleared"),
    [
        ("failed", "failed", False),
        ("passed", "passed", True),
        ("undecided", "undecided", True),
        ("unjudged", "unjudged", False),  # nothing was measured that could clear it
        (None, "unjudged", False),
    ],
)
def test_a_claim_fails_only_if_it_fails_in_fresh_blocks_too(
    second: str | None, outcome: str, cleared: bool
) -> None:
    first = check("failed", why="first")
    found = _together(first, None if second is None else check(second, why="second"))
    assert (found.outcome, found.is_cleared, found.first) == (outcome, cleared, first)
