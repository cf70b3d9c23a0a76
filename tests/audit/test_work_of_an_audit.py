"""The work of an audit grows with the figures, and not with their square."""

from __future__ import annotations

import random
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.results.audit import audit
from assay.results.audit.reading.grid import LONGEST_TEXT

LEAST_ROWS, TIMES = 150, 4


def one_long_ladder(chance: random.Random, rows: int) -> str:
    lines = [f"{n},{chance.uniform(10, 9000):.2f},{chance.uniform(1, 500):.3f}" for n in range(1, rows + 1)]
    return "\n".join(["threads,tps,latency_avg", *lines])


def many_short_series(chance: random.Random, rows: int) -> str:
    lines = [
        f"v{n // 5},{2 ** (n % 5)},{chance.uniform(10, 9000):.2f},{chance.uniform(1, 500):.3f}"
        for n in range(rows)
    ]
    return "\n".join(["variant,threads,tps,latency_avg", *lines])


def samples_without_load(chance: random.Random, rows: int) -> str:
    lines = [f"{n},{chance.uniform(200, 400):.2f},{chance.uniform(200, 300):.2f}" for n in range(rows)]
    return "\n".join(["sample,read_iops,write_iops", *lines])


def _work(path: Path) -> int:
    """Returns the number of calls that an audit makes, of Python's functions and of built-in ones."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        audit([path])
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.long
@pytest.mark.parametrize("make", [one_long_ladder, many_short_series, samples_without_load])
def test_four_times_the_rows_are_little_more_than_four_times_the_work(
    make: Callable[[random.Random, int], str], tmp_path: Path
) -> None:
    path = tmp_path / "random.csv"
    works = []
    for rows in (LEAST_ROWS, LEAST_ROWS, TIMES * LEAST_ROWS):  # the first one fills caches
        path.write_text(make(random.Random(rows), rows))
        works.append(_work(path))
    assert works[2] < 1.6 * TIMES * works[1], works


ODD_TEXTS = (
    "[" * 100_000,
    " " * 100_000 + "x",
    "a is " * 20_000,
    "peaks at 8 threads " * 5_000,
    "increased by " * 8_000,
    "快比" * 50_000,
    "a (b) than " * 9_000,
    "tps(a " * 16_000,
    "A b " * 25_000,
)
FORMS = {
    "prose": "{text}\n",
    "lines": "a is faster\n" * 3_000 + "{text}\n",
    "claim": 'claim,hypothesis,scope,study\nC1,"{text}",,s\nC2,b > a,,s\n',
    "fact": 'attribute,value,study\ncpu,"{text}",s\nmemory,64G,s\nos,x,s\n',
    "setting": 'setting,value,study\nwarmup,"{text}",s\n',
    "figure": 'quantity,value,unit,condition,study\ntps,100,tps,"{text}",s\ntps,200,tps,remote,s\n',
    "note": 'threads,tps,note\n1,100,"{text}"\n2,200,x\n4,300,y\n',
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", FORMS)
def test_a_text_of_one_thing_is_read_to_its_end_wherever_it_stands(form: str, tmp_path: Path) -> None:
    def give_up(*_: object) -> None:
        raise AssertionError("its time grows by more than its length")

    before = signal.signal(signal.SIGALRM, give_up)
    try:
        for number, text in enumerate(ODD_TEXTS):
            kind = "md" if form in ("prose", "lines") else "csv"
            for name, said in (("long", text), ("short", text[:1_990])):
                file = tmp_path / f"{number}-{name}.{kind}"
                file.write_text(FORMS[form].format(text=said), encoding="utf-8")
                signal.alarm(60)  # it takes one second
                with suppress(InputError):  # it holds no table
                    left = audit([file]).left
                    is_long = len(said.strip()) > LONGEST_TEXT
                    assert any("characters" in one.why for one in left) is is_long
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
