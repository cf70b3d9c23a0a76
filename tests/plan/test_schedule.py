"""Blocks, their order, names and seeds of runs: properties that hold for any study."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby, pairwise
from typing import get_args

import pytest
from assay.design.plan import Plan, choose_seed, make_plan
from assay.design.study import Design, Factor, Load, RungOrder, ServerChoice, Study, WorkloadChoice
from examples import given, st

seeds = st.integers(0, 2**53 - 1)


@st.composite
def studies(draw: st.DrawFn) -> Study:
    words = draw(st.lists(st.from_regex(r"[a-z_]{1,60}", fullmatch=True), max_size=3, unique=True))
    levels = st.lists(
        st.integers(0, 99) | st.text("abAB/., é", min_size=1), min_size=2, max_size=4, unique_by=str
    )
    return Study(
        name="a",
        server=ServerChoice(use="mariadb"),
        workload=WorkloadChoice(use="oltp_read_write"),
        load=Load(threads=(1,)),
        factors=tuple(
            Factor(name=f"server.variables.{word}", levels=tuple(draw(levels))) for word in words
        ),
        design=Design(
            kind=draw(st.sampled_from(["factorial", "one-at-a-time"])),
            blocks=draw(st.integers(1, 5)),
            order=draw(st.sampled_from(["randomized", "as-written"])),
        ),
    )  # fmt: skip


def blocks(plan: Plan) -> list[list[str]]:
    return [[run.treatment for run in runs] for _, runs in groupby(plan.runs, key=lambda run: run.block)]


@given(studies(), seeds)
def test_every_block_holds_every_treatment_once(study: Study, seed: int) -> None:
    plan = make_plan(study, seed=seed)
    every = sorted(treatment.name for treatment in plan.treatments)
    assert len(blocks(plan)) == study.design.blocks
    for block in blocks(plan):
        assert sorted(block) == every
    if study.design.order == "as-written":
        assert blocks(plan)[0] == [treatment.name for treatment in plan.treatments]


@given(studies(), seeds)
def test_the_same_seed_gives_the_same_plan(study: Study, seed: int) -> None:
    assert make_plan(study, seed=seed) == make_plan(study, seed=seed)


@given(studies(), seeds)
def test_more_blocks_leave_the_earlier_ones_as_they_were(study: Study, seed: int) -> None:
    more = study.model_copy(update={"design": study.design.model_copy(update={"blocks": 9})})
    fewer, longer = make_plan(study, seed=seed), make_plan(more, seed=seed)
    assert longer.runs[: len(fewer.runs)] == fewer.runs
    assert longer.study_hash == fewer.study_hash


@given(studies(), seeds)
def test_run_ids_are_names_of_folders(study: Study, seed: int) -> None:
    plan = make_plan(study, seed=seed)
    ids = [run.run_id for run in plan.runs]
    assert len({one.casefold() for one in ids}) == len(ids)
    assert ids == sorted(ids)
    assert all(re.fullmatch(r"b\d\d-\d\d+-[A-Za-z0-9_=@,.+-]+", one) and len(one) <= 120 for one in ids)


@given(studies(), seeds)
def test_runs_of_a_block_share_a_seed_and_blocks_do_not(study: Study, seed: int) -> None:
    plan = make_plan(study, seed=seed)
    by_block = {run.block: run.seed for run in plan.runs}
    assert all(run.seed == by_block[run.block] for run in plan.runs)
    assert len(set(by_block.values())) == study.design.blocks
    assert all(0 <= one < 2**53 for one in by_block.values())


def two_levels(**design: object) -> Study:
    return Study(
        name="a",
        server=ServerChoice(use="mariadb"),
        workload=WorkloadChoice(use="oltp_read_write"),
        load=Load(threads=(1,)),
        factors=(Factor(name="server.variables.innodb_purge_threads", levels=(1, 4)),),
        design=Design(**design),  # type: ignore[arg-type]
    )


def test_a_run_id_says_block_position_and_treatment() -> None:
    plan = make_plan(two_levels(order="as-written"), seed=1)
    assert plan.runs[1].run_id == "b01-02-innodb_purge_threads=4"


def treatments_of(count: int, blocks: int) -> Study:
    factor = Factor(name="server.variables.innodb_purge_threads", levels=tuple(range(count)))
    return two_levels(blocks=blocks).model_copy(update={"factors": (factor,)})


@given(st.integers(2, 13), st.integers(1, 99), seeds)
def test_each_treatment_stands_at_each_position_as_often_as_any_other(
    count: int, number: int, seed: int
) -> None:
    """After any number of blocks, so also when blocks are added."""
    plan = make_plan(treatments_of(count, number), seed=seed)
    seen = Counter((run.treatment, run.position) for run in plan.runs)
    fewest = min(seen[one.name, position] for one in plan.treatments for position in range(1, count + 1))
    assert max(seen.values()) - fewest <= 1


@given(st.integers(1, 6).map(lambda half: 2 * half), seeds)
def test_of_an_even_number_every_second_block_runs_backwards(count: int, seed: int) -> None:
    found = blocks(make_plan(treatments_of(count, count), seed=seed))
    assert all(second == first[::-1] for first, second in zip(found[::2], found[1::2], strict=True))


@given(st.integers(2, 9), seeds)
def test_each_treatment_follows_each_other_equally_often(count: int, seed: int) -> None:
    squares = 1 + count % 2
    found = blocks(make_plan(treatments_of(count, squares * count), seed=seed))
    followed = Counter(pair for block in found for pair in pairwise(block))
    assert len(followed) == count * (count - 1)
    assert set(followed.values()) == {squares}


def test_seeds_give_different_orders_and_each_treatment_is_first_about_as_often() -> None:
    first = [make_plan(two_levels(blocks=1), seed=seed).runs[0].treatment for seed in range(400)]
    assert 150 < first.count("innodb_purge_threads=1") < 250


def ladder_of(count: int, blocks: int, order: RungOrder = "shuffled") -> Study:
    load = Load(threads=tuple(2**step for step in range(count)), order=order)
    return two_levels(blocks=blocks).model_copy(update={"load": load})


def ladders(plan: Plan) -> list[tuple[float, ...]]:
    """The rungs of each block, as its first run has them."""
    return [next(runs).loads for _, runs in groupby(plan.runs, key=lambda run: run.block)]


def test_the_order_stays_what_it_was() -> None:
    """Half-done results go on by it: it may not change with a release."""
    study = two_levels(blocks=12)
    order = {
        ordering: "".join(run.treatment[-1] for run in make_plan(study, seed=7, ordering=ordering).runs)
        for ordering in (1, 2, 3)
    }
    balanced = "144141141441411441144114"
    assert order == {1: "144141414114141441411414", 2: balanced, 3: balanced}


@pytest.mark.parametrize("ordering", [1, 2])
def test_the_rungs_of_older_results_stay_as_written(ordering: int) -> None:
    """Their first runs were done so, whatever the default has become."""
    plan = make_plan(ladder_of(5, blocks=4), seed=7, ordering=ordering)
    assert {run.loads for run in plan.runs} == {plan.loads}


def test_the_order_of_rungs_stays_what_it_was() -> None:
    """Half-done results go on by it: it may not change with a release."""
    plan = make_plan(ladder_of(4, blocks=5), seed=7)
    first = [(4, 1, 8, 2), (2, 8, 1, 4), (1, 2, 4, 8), (8, 4, 2, 1), (1, 2, 8, 4)]
    assert ladders(plan) == first


@given(st.integers(2, 9), st.integers(1, 30), seeds)
def test_each_rung_stands_at_each_position_as_often_as_any_other(count: int, number: int, seed: int) -> None:
    found = ladders(make_plan(ladder_of(count, blocks=number), seed=seed))
    seen = Counter((position, load) for rungs in found for position, load in enumerate(rungs))
    fewest = min(seen[position, 2.0**load] for position in range(count) for load in range(count))
    assert max(seen.values()) - fewest <= 1


@given(st.sampled_from(get_args(RungOrder)), st.integers(1, 9), seeds)
def test_the_rungs_of_a_block_are_in_one_order(order: RungOrder, count: int, seed: int) -> None:
    """So a paired ratio at a rung compares runs in which it had the same position."""
    plan = make_plan(ladder_of(count, blocks=7, order=order), seed=seed)
    for _, runs in groupby(plan.runs, key=lambda run: run.block):
        (rungs,) = {run.loads for run in runs}
        assert sorted(rungs) == sorted(plan.loads)


def test_rungs_that_alternate_go_up_and_down() -> None:
    study = ladder_of(3, blocks=3, order="alternating")
    assert ladders(make_plan(study, seed=1)) == [(1.0, 2.0, 4.0), (4.0, 2.0, 1.0), (1.0, 2.0, 4.0)]


def test_rungs_as_written_stay_so() -> None:
    study = ladder_of(3, blocks=9, order="as-written")
    assert set(ladders(make_plan(study, seed=1))) == {(1.0, 2.0, 4.0)}


def test_the_seed_is_the_studys_or_made_of_it() -> None:
    assert choose_seed(two_levels(seed=5)) == 5
    assert choose_seed(two_levels()) == choose_seed(two_levels(blocks=12))
