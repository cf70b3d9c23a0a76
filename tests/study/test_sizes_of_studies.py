"""Small files that ask for endless work are refused at once, by their numbers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.study import parse_study

HEAD = """\
[study]
name = "sizes"
[server]
use = "mariadb"
[workload]
use = "oltp_read_write"
[load]
threads = {threads}
measure = "1s"
[design]
blocks = 1
"""
FACTOR = '[[factor]]\nname = "server.variables.{name}"\nlevels = [{levels}]\n'


def _levels(count: int) -> str:
    return ", ".join(map(str, range(1, count + 1)))


def _factors(count: int, levels: int) -> str:
    return "".join(FACTOR.format(name=f"variable_{one}", levels=_levels(levels)) for one in range(count))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD.format(threads=[1]) + _factors(1, 100_000), "100,000 values of a level; the most is 1,000"),
        (HEAD.format(threads=f"[{_levels(20_000)}]"), "20,000 values of a number of threads"),
        (HEAD.format(threads=[1]) + _factors(8, 100), "10,000,000,000,000,000 treatments"),
        (HEAD.format(threads=[1]) + _factors(40, 2), "1,099,511,627,776 treatments"),
        (HEAD.format(threads="9" * 5000), "too many digits"),
        (HEAD.format(threads="[" * 100_000), "nested too deep"),
        (HEAD.format(threads=[1]) + "[" + "a." * 100_000 + "a]\n", "more than 32 tables"),
    ],
    ids=["levels", "threads", "factors", "two levels", "digits", "nesting", "dots"],
)
def test_a_study_of_endless_work_is_refused_at_once(text: str, why: str) -> None:
    began = time.process_time()
    with pytest.raises(InputError) as refused:
        parse_study(text, Path("sizes.toml"))
    assert why in refused.value.message
    assert time.process_time() - began < 5
