"""Designs of screens: balanced, clear of pairs, the same each time; and what a claim may ask of one."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.study import Study, parse_study, screen_rows, study_hash, study_toml
from assay.design.study.screens import (
    MOST_FACTORS,
    hadamard,
    hadamard_size,
    is_scaled,
    latin_hypercube,
    plackett_burman,
)

HEAD = """\
[study]
name = "s"
[server]
use = "mariadb"
[workload]
use = "oltp_read_write"
[load]
threads = [1, 8]
measure = "10s"
"""


def text(*levels: str, kind: str = "plackett-burman", design: str = "", claim: str = "") -> str:
    factors = "".join(
        f'[[factor]]\nname = "server.variables.{_letter(number)}"\nlevels = {of}\n'
        for number, of in enumerate(levels)
    )
    hypothesis = f"[[hypothesis]]\nclaim = '{claim}'\n" if claim else ""
    return f'{HEAD}{factors}[design]\nkind = "{kind}"\n{design}\n{hypothesis}'


def _letter(number: int) -> str:
    return chr(97 + number % 26) + ("" if number < 26 else str(number // 26))


def read(*levels: str, kind: str = "plackett-burman", design: str = "", claim: str = "") -> Study:
    return parse_study(text(*levels, kind=kind, design=design, claim=claim), Path("s.toml"))


def complaint(*levels: str, kind: str = "plackett-burman", design: str = "", claim: str = "") -> str:
    with pytest.raises(InputError) as found:
        read(*levels, kind=kind, design=design, claim=claim)
    return found.value.message


TWO = ("[1, 2]",) * 4
THREE = ("[1, 2, 3]",) * 4


@pytest.mark.parametrize("size", range(4, 49, 4))
def test_every_size_has_an_orthogonal_matrix(size: int) -> None:
    rows = hadamard(size)
    assert {entry for row in rows for entry in row} == {-1, 1}
    assert len({row[0] for row in rows}) == 1
    for one, other in combinations(rows, 2):
        assert sum(a * b for a, b in zip(one, other, strict=True)) == 0


def test_a_size_without_a_known_matrix_is_refused() -> None:
    with pytest.raises(ValueError, match="52"):
        hadamard(52)


@pytest.mark.parametrize("factors", [3, 4, 7, 10, 11, 12, 15, 16, 27, 35, 39, MOST_FACTORS])
@pytest.mark.parametrize("fold_over", [False, True])
def test_factors_are_balanced_over_each_other(factors: int, fold_over: bool) -> None:
    rows = plackett_burman(factors, fold_over=fold_over)
    assert len(rows) == hadamard_size(factors) * (2 if fold_over else 1)
    assert hadamard_size(factors) - 4 <= factors < hadamard_size(factors)
    assert rows[0] == (-1,) * factors  # the baseline is one of them
    assert len(set(rows)) == len(rows)
    for one, other in combinations(range(factors), 2):
        pairs = [(row[one], row[other]) for row in rows]
        assert {pairs.count(pair) for pair in set(pairs)} == {len(rows) // 4}
        assert len(set(pairs)) == 4


@pytest.mark.parametrize("factors", [4, 10, 15, 20])
def test_folded_over_no_pair_moves_with_a_factor(factors: int) -> None:
    def most(fold_over: bool) -> int:
        rows = plackett_burman(factors, fold_over=fold_over)
        return max(
            abs(sum(row[a] * row[b] * row[c] for row in rows))
            for a, b in combinations(range(factors), 2)
            for c in range(factors)
            if c not in (a, b)
        )

    assert most(True) == 0
    assert most(False) > 0


@pytest.mark.parametrize(("levels", "count"), [((4,) * 10, 24), ((2, 3, 4, 5, 6, 7), 24), ((3,) * 8, 20)])
def test_a_hypercube_has_every_level_as_often_and_factors_apart(levels: tuple[int, ...], count: int) -> None:
    rows = latin_hypercube(levels, count, 0)
    columns = list(zip(*rows, strict=True))
    for column, of in zip(columns, levels, strict=True):
        times = [column.count(level) for level in range(of)]
        assert max(times) - min(times) <= 1
    for one, other in combinations(columns, 2):
        assert abs(_correlation(one, other)) <= 0.25
    assert latin_hypercube(levels, count, 0) == rows
    assert latin_hypercube(levels, count, 1) != rows


def _correlation(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    means = sum(one) / len(one), sum(other) / len(other)
    pairs = [(a - means[0], b - means[1]) for a, b in zip(one, other, strict=True)]
    squares = sum(a * a for a, _ in pairs) * sum(b * b for _, b in pairs)
    return float(sum(a * b for a, b in pairs) / squares**0.5)


def test_levels_come_by_their_factors() -> None:
    made = read('["64M", "1G"]', *TWO)
    rows = screen_rows(made.design, made.factors)
    assert rows[0] == {
        "server.variables.a": "64M",
        **{f"server.variables.{name}": 1 for name in "bcde"},
    }
    assert len(rows) == 16
    assert len(screen_rows(read(*TWO, design="fold_over = false").design, made.factors[1:])) == 8
    hypercube = read(*THREE, kind="latin-hypercube")
    assert len(screen_rows(hypercube.design, hypercube.factors)) == 24


def test_levels_with_an_order_are_a_scale() -> None:
    made = read('["64M", "1G", "2G"]', '["a", "b", "c"]', "[1, 2]", kind="latin-hypercube")
    assert [is_scaled(one) for one in made.factors] == [True, False, False]


def test_another_design_is_another_experiment() -> None:
    folded, plain = read(*TWO), read(*TWO, design="fold_over = false")
    small = read(*TWO, kind="latin-hypercube", design="treatments = 12")
    large = read(*TWO, kind="latin-hypercube", design="treatments = 16")
    assert len({study_hash(one) for one in (folded, plain, small, large)}) == 4
    assert study_hash(read(*TWO, design="fold_over = true")) == study_hash(folded)


@pytest.mark.parametrize("made", [read(*TWO), read(*THREE, kind="latin-hypercube", design="treatments = 12")])
def test_a_screen_is_written_and_read_back(made: Study) -> None:
    assert parse_study(study_toml(made), Path("s.toml")) == made


@pytest.mark.parametrize(
    ("levels", "kind", "design", "said"),
    [
        (
            ("[1, 2]",) * 2,
            "plackett-burman",
            "",
            "design.kind: needs at least 3 factors, but the study has 2",
        ),
        (("[1, 2]",) * 48, "plackett-burman", "", "takes at most 47 factors"),
        (("[1, 2, 3]", *TWO), "plackett-burman", "", "factor[0].levels: has 3 levels, but a plackett-burman"),
        (TWO, "factorial", "fold_over = true", 'design.fold_over: needs kind = "plackett-burman"'),
        (TWO, "plackett-burman", "treatments = 24", 'design.treatments: needs kind = "latin-hypercube"'),
        (TWO, "latin-hypercube", "treatments = 5", "design.treatments: must be at least 6"),
        (('["a", "b", "c"]',) * 4, "latin-hypercube", "treatments = 9", "must be at least 10"),
        (TWO, "latin-hypercube", "treatments = 3", "design.treatments: 3 is out of range"),
    ],
)
def test_what_a_design_cannot_do_is_said(levels: tuple[str, ...], kind: str, design: str, said: str) -> None:
    assert said in complaint(*levels, kind=kind, design=design)


def test_workloads_and_copies_are_no_factors_of_a_screen() -> None:
    for name, levels in (("workload.use", '["oltp_read_write", "oltp_read_only"]'), ("copy", "[1, 2]")):
        whole = text(*TWO).replace('"server.variables.a"', f'"{name}"').replace("[1, 2]", levels, 1)
        whole = whole.replace('use = "oltp_read_write"\n', "", 1) if name == "workload.use" else whole
        with pytest.raises(InputError, match="cannot be a factor of a screen"):
            parse_study(whole, Path("s.toml"))


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("tps[a=1, b=1] > tps[a=2, b=1]", "depends on 2 factors at once"),
        ("best tps[a=1] over b = 2", "depends on 2 factors at once"),
        ("tps[a=2] > tps[a=1] at b = 1", "needs one level of a factor"),
        ("tps[a=2] > tps[a=1] in last 5s", "over time cannot be averaged"),
        ("tps(cv, 1s)[a=2] > tps(cv, 1s)[a=1]", "over time cannot be averaged"),
        ("tps[a=2] rises over time", "over time cannot be averaged"),
    ],
)
def test_what_a_screen_cannot_answer_is_refused(claim: str, said: str) -> None:
    assert said in complaint(*TWO, claim=claim)


@pytest.mark.parametrize(
    "claim",
    [
        "tps[a=2] > tps[a=1]",
        "tps[a=2]/tps[a=1] > tps[b=2]/tps[b=1]",
        "best tps over a = 2",
        "tps[a=2] rises over threads",
        "errors_per_s[a=2, b=1] = 0 in every run",
        "tps > 10",
    ],
)
def test_what_a_screen_can_answer_is_taken(claim: str) -> None:
    assert read(*TWO, claim=claim).hypotheses[0].texts == (claim,)
