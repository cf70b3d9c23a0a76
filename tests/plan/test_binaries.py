"""A build of several binaries: blocks take them in turn, each with a load of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import make_plan
from assay.design.study import Study, binaries, derive, parse_study
from assay.design.study.text.reading import read_back
from assay.measurement.source.dataset import data_loads

THREE = "path:/a:/b:/c"


def study(*uses: str, design: str = "blocks = 7") -> Study:
    text = '[study]\nname = "s"\n[workload]\nuse = "oltp_read_only"\n[load]\nthreads = [1]\n'
    text += f'[[factor]]\nname = "server.use"\nlevels = {json.dumps(uses)}\n[design]\n{design}\n'
    return parse_study(text, Path("s.toml"))


@pytest.mark.parametrize(
    ("use", "found"),
    [
        ("mariadb@10.11", ["mariadb@10.11"]),
        ("path:/opt/mysql", ["path:/opt/mysql"]),
        ("path:relative", ["path:relative"]),
        ("path:/opt/a:b", ["path:/opt/a:b"]),  # a name with a colon
        ("path:~/a:./b:../c:/d", ["path:~/a", "path:./b", "path:../c", "path:/d"]),
        ("dsn:mysql://root@[::1]:3306/db", ["dsn:mysql://root@[::1]:3306/db"]),
        ("none", ["none"]),
    ],
)
def test_binaries_of_a_server(use: str, found: Sequence[str]) -> None:
    assert list(binaries(use)) == found


@pytest.mark.parametrize("uses", [(THREE, "path:/d:/e:/f"), (THREE, "mariadb")])
@pytest.mark.parametrize("blocks", [1, 2, 3, 6, 7])
def test_blocks_take_binaries_in_turn_each_with_its_load(uses: tuple[str, str], blocks: int) -> None:
    what = study(*uses, design=f"blocks = {blocks}")
    assert data_loads(what) == 3
    plan = make_plan(what, seed=1, data_loads=data_loads(what))
    for use, treatment in zip(uses, plan.treatments, strict=True):
        own = binaries(use)
        had = [treatment.in_block(block) for block in range(1, blocks + 1)]
        assert {one.server_use for one in had} == set(own[:blocks])
        assert {(one.server_use, one.data_load) for one in had} == {
            (own[number % len(own)], number + 1) for number in range(min(3, blocks))
        }
        counts = Counter(one.data_load for one in had).values()
        assert max(counts) - min(counts) <= 1
        assert {one.server_use for one in treatment.on_binaries} == set(own[:blocks])


def test_fresh_blocks_have_other_loads_of_the_same_binaries() -> None:
    what = study(THREE, "mariadb", design="blocks = 3\nfirst_load = 4")
    treatment = make_plan(what, seed=1, data_loads=3).treatments[0]
    had = [treatment.in_block(block) for block in (1, 2, 3)]
    assert [(one.server_use, one.data_load) for one in had] == [
        ("path:/a", 4),
        ("path:/b", 5),
        ("path:/c", 6),
    ]


@pytest.mark.parametrize(
    ("uses", "design", "said"),
    [
        ((THREE, "path:/d:/e"), "blocks = 6", "builds of 2 and 3 binaries: give each as many, or one"),
        (
            (THREE, "mariadb"),
            "blocks = 6\nloads = 6",
            "a build has 3 binaries, and each has a load of its own",
        ),
        (
            (THREE, "mariadb"),
            "blocks = 6\nloads = 1",
            "a build has 3 binaries, and each has a load of its own",
        ),
    ],
)
def test_binaries_that_cannot_take_turns_are_refused(uses: tuple[str, ...], design: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        study(*uses, design=design)


def test_equal_copies_are_of_one_binary() -> None:
    copies = derive.as_copies(study(THREE, "mariadb"), copies=4, blocks=6)
    assert read_back(copies, Path("s.toml"))[0].server.use == "path:/a"
    assert data_loads(copies) == 1


def test_each_run_draws_the_size_of_its_environment() -> None:
    what = study("mariadb", "mysql", design="blocks = 99")
    drawn = {(run.block, run.treatment): run.padding_bytes for run in make_plan(what, seed=1).runs}
    assert all(0 <= size <= 4096 and size % 16 == 0 for size in drawn.values())
    assert len(set(drawn.values())) > 100
    assert min(drawn.values()) < 100
    assert max(drawn.values()) > 4000
    assert sum(drawn[block, "use=mariadb"] == drawn[block, "use=mysql"] for block in range(1, 100)) < 5
    again = {(run.block, run.treatment): run.padding_bytes for run in make_plan(what, seed=1).runs}
    other = {(run.block, run.treatment): run.padding_bytes for run in make_plan(what, seed=2).runs}
    assert again == drawn != other
