"""The A/A study of a study: the same load on equal copies of its baseline."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import make_treatments
from assay.design.study import Study, derive, parse_study, read_back
from each import each

from studies import SHIPPED, shipped

PLAIN = """
[study]
name = "plain"
[server]
use = "mariadb"
[workload]
use = "oltp_read_only"
[load]
threads = [1]
"""


def of(text: str, path: Path = Path("plain.toml")) -> Study:
    return read_back(derive.as_copies(parse_study(text, path), copies=4, blocks=6), path)[0]


@pytest.mark.long
def test_every_copy_is_the_baseline_of_the_shipped_study() -> None:
    def is_baseline(path: Path) -> None:
        baseline = make_treatments(shipped(path))[0]
        copies = of(path.read_text(encoding="utf-8"), path)
        assert copies.compares_copies
        assert (copies.hypotheses, copies.design.blocks) == ((), 6)
        for number, one in enumerate(make_treatments(copies), start=1):
            assert one.name == f"copy={number}"
            assert replace(one, name="", levels={}) == replace(baseline, name="", levels={})

    each(SHIPPED, is_baseline)


def test_the_name_fits_and_a_margin_of_copies_is_not_asked_of_them() -> None:
    study = of(PLAIN.replace('"plain"', f'"{"x" * 60}"') + '[verdict]\nmargin = "aa"\nconfidence = 0.99\n')
    assert study.name == "x" * 57 + "-aa"
    assert (study.verdict.margin, study.verdict.confidence) == (0.02, 0.99)


def test_copies_may_stand_beside_another_factor() -> None:
    text = PLAIN + '[[factor]]\nname = "copy"\nlevels = [1, 2]\n'
    text += '[[factor]]\nname = "workload.range_size"\nlevels = [10, 100]\n'
    study = parse_study(text, Path("plain.toml"))
    assert not study.compares_copies
    assert [one.name for one in make_treatments(study)][:2] == [
        "copy=1, range_size=10",
        "copy=1, range_size=100",
    ]


@pytest.mark.parametrize("levels", ["[0, 1]", '["a", "b"]', "[1.5, 2.0]", "[true, false]"])
def test_copies_have_numbers(levels: str) -> None:
    with pytest.raises(InputError, match="is not the number of a copy; write whole numbers from 1"):
        parse_study(PLAIN + f'[[factor]]\nname = "copy"\nlevels = {levels}\n', Path("plain.toml"))


@pytest.mark.parametrize("margin", ["0", "1", "2", "-0.1", "true", '"a a"', "nan"])
def test_a_margin_is_a_share_or_that_of_copies(margin: str) -> None:
    with pytest.raises(InputError, match='is not a margin; write a number between 0 and 1, or "aa"'):
        parse_study(PLAIN + f"[verdict]\nmargin = {margin}\n", Path("plain.toml"))


def test_the_margin_of_copies_is_no_number_before_somebody_looked() -> None:
    verdict = parse_study(PLAIN + '[verdict]\nmargin = "aa"\nnoise = 0.03\n', Path("plain.toml")).verdict
    assert verdict.noise == 0.03
    with pytest.raises(ValueError, match="not known yet"):
        _ = verdict.known_margin
