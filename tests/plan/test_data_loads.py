"""Loads of a dataset take turns over blocks; every load is planned, named and budgeted once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import estimate, make_plan
from assay.design.study import derive, load_study, study_hash
from assay.measurement.source.dataset import dataset_key
from assay.testing.results_folder import STUDY_TOML


def written(path: Path, design: str, *, toml: str = STUDY_TOML) -> Path:
    file = path / "study.toml"
    file.write_text(toml.replace("blocks = 6", design), encoding="utf-8")
    return file


@pytest.mark.parametrize(("loads", "blocks"), [(1, 6), (3, 6), (3, 7), (4, 9), (6, 6)])
def test_loads_take_turns_and_treatments_of_a_block_have_the_same(
    tmp_path: Path, loads: int, blocks: int
) -> None:
    study = load_study(written(tmp_path, f"blocks = {blocks}\nloads = {loads}"))
    plan = make_plan(study, seed=1)
    of_blocks = {
        run.block: {
            plan.treatment(one.treatment).in_block(one.block).data_load
            for one in plan.runs
            if one.block == run.block
        }
        for run in plan.runs
    }
    assert all(len(found) == 1 for found in of_blocks.values())
    counts = Counter(number for found in of_blocks.values() for number in found)
    assert sorted(counts) == list(range(1, loads + 1))
    assert max(counts.values()) - min(counts.values()) <= 1


def test_more_loads_than_blocks_are_a_load_for_each_block(tmp_path: Path) -> None:
    plan = make_plan(load_study(written(tmp_path, "blocks = 6\nloads = 40\nfirst_load = 4")), seed=1)
    one = plan.treatments[0]
    assert [one.in_block(block).data_load for block in range(1, 7)] == [4, 5, 6, 7, 8, 9]
    assert [found.data_load for found in one.of_loads] == [4, 5, 6, 7, 8, 9]


def test_equal_copies_of_a_block_have_different_loads(tmp_path: Path) -> None:
    file = written(tmp_path, "blocks = 6")
    plan = make_plan(derive.as_copies(load_study(file), copies=4, blocks=6, loads=4), seed=1)
    for block in range(1, 7):
        found = [one.in_block(block).data_load for one in plan.treatments]
        assert sorted(found) == [1, 2, 3, 4]


def test_more_loads_are_another_study_and_one_load_is_the_same(tmp_path: Path) -> None:
    plain, one, three = (
        study_hash(load_study(written(tmp_path, f"blocks = 6{loads}")))
        for loads in ("", "\nloads = 1", "\nloads = 3")
    )
    assert plain == one
    assert three != one


@pytest.mark.parametrize("loads", ["2", "0", "100", '"all"'])
def test_loads_are_one_or_three_and_more(tmp_path: Path, loads: str) -> None:
    with pytest.raises(InputError, match=r"design\.loads"):
        load_study(written(tmp_path, f"blocks = 6\nloads = {loads}"))


def test_the_tables_of_a_running_server_have_one_load(tmp_path: Path) -> None:
    toml = STUDY_TOML.replace("mariadb@10.11", "dsn:mysql://root@127.0.0.1:3306/db")
    toml = toml.replace("server.variables.", "server.dynamic.").replace("variables =", "# variables =")
    load_study(written(tmp_path, "blocks = 6\nloads = 1", toml=toml))
    with pytest.raises(InputError, match=r"design\.loads: a running server keeps its tables"):
        load_study(written(tmp_path, "blocks = 6\nloads = 3", toml=toml))


def test_each_load_costs_the_time_of_a_load(tmp_path: Path) -> None:
    once, thrice = (
        estimate(study, make_plan(study, seed=1), {})
        for study in (load_study(written(tmp_path, f"blocks = 6\nloads = {loads}")) for loads in (1, 3))
    )
    assert thrice.loading_s == pytest.approx(3 * once.loading_s)
    assert thrice.runs_s == once.runs_s


def test_loads_of_the_same_rows_have_names_of_their_own_and_the_same_data() -> None:
    first, again, second = (dataset_key("b", "oltp_insert", {}, {}, load=number) for number in (1, 1, 2))
    assert first.id == dataset_key("b", "oltp_insert", {}, {}).id == again.id
    assert second.id != first.id
    assert second.data_id == first.data_id
