"""The study of two builds, and checks that are made by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay.design.study import GateRule, parse_claim
from assay.experiments.gate import Check, Gated

STUDY = """\
[study]
name = "two-builds"

[workload]
use = "oltp_read_write"
tables = 4
table_size = 250_000

[load]
threads = [8, 64]
measure = "4s"

[[factor]]
name = "build"
keys = ["server.use"]
levels = ["base", "new"]
values = [["path:/builds/base"], ["path:/builds/new"]]

[design]
blocks = 6
"""
BUILDS = {"build=base": {"build": "base"}, "build=new": {"build": "new"}}
RATIO = "tps[build=new]/tps[build=base]"

Make = Callable[..., Path]
Judge = Callable[..., Gated]


def check(
    outcome: Any = "failed", *, number: int = 1, load: float | None = 64.0, why: str = "", **rule: Any
) -> Check:
    """A check of this outcome; `rule` has fields of its gate."""
    text = rule.pop("text", f"{RATIO} >= 0.97")
    return Check(number, GateRule(claim=parse_claim(text), text=text, **rule), load, outcome, why)


def gated(*checks: Check) -> Gated:
    """The outcome with these checks."""
    return Gated(
        study="two-builds",
        title={},
        results=Path("results/two-builds"),
        checks=checks,
        gates=len({one.number for one in checks}),
        loads=(8.0, 64.0),
        load_kind="threads",
        blocks=6,
        blocks_planned=6,
        confidence=0.95,
        alarms=0.05,
    )
