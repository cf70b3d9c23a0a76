"""How often datasets are loaded where the design does not say: several times where levels have their own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import ConflictError
from assay.design.folder import ResultsFolder, StudyEntry
from assay.design.study import Study, parse_study, study_hash
from assay.experiments.lab.carrying_out import planned
from assay.measurement.run import check_same_study
from assay.measurement.source.dataset import USUAL_LOADS, data_loads, has_own_data


def study(
    *factors: tuple[str, Sequence[object]],
    design: str = "blocks = 8",
    more: str = "",
) -> Study:
    names = [name for name, _ in factors]
    server = "" if "server.use" in names else 'use = "mariadb"'
    workload = "" if "workload.use" in names else 'use = "oltp_read_only"'
    text = f'[study]\nname = "s"\n[server]\n{server}\n[workload]\n{workload}\n[load]\nthreads = [1]\n{more}\n'
    for name, levels in factors:
        text += f"[[factor]]\nname = {json.dumps(name)}\nlevels = {json.dumps(levels)}\n"
    return parse_study(f"{text}[design]\n{design}\n", Path("s.toml"))


OWN = [
    [("server.use", ["mariadb", "mysql"])],
    [("schema.index", [True, False])],
    [("schema.engine", ["innodb", "myisam"])],
    [("server.variables.innodb_page_size", ["4K", "16K"])],
    [("server.dynamic.innodb_default_row_format", ["dynamic", "compact"])],
    [("workload.table_size", [1000, 2000])],
    [("workload.range_size", [10, 100]), ("workload.tables", [1, 2])],
]
SHARED = [
    [],
    [("server.variables.innodb_purge_threads", [1, 4])],
    [("server.variables.innodb_flush_log_at_trx_commit", [1, 2])],
    [("workload.range_size", [10, 100])],
    [("workload.use", ["oltp_read_only", "oltp_insert"])],
    [("load.client", ["socket", "tcp"])],
    [("host.thp", ["always", "never"])],
]


@pytest.mark.parametrize("factors", OWN)
def test_levels_with_data_of_their_own_have_several_loads(factors: list[tuple[str, list[object]]]) -> None:
    assert has_own_data(study(*factors))
    assert data_loads(study(*factors)) == USUAL_LOADS
    assert [data_loads(study(*factors, design=f"blocks = 8\nloads = {loads}")) for loads in (1, 4)] == [1, 4]


@pytest.mark.parametrize("factors", SHARED)
def test_levels_that_share_their_data_have_one(factors: list[tuple[str, list[object]]]) -> None:
    assert not has_own_data(study(*factors))
    assert data_loads(study(*factors)) == 1


def test_kinds_of_load_on_servers_of_their_own_have_several() -> None:
    servers = ("server.use", ["mariadb", "mysql"])
    assert has_own_data(study(servers, ("workload.use", ["oltp_read_only", "oltp_insert"])))


def test_what_is_loaded_in_each_run_has_no_dataset() -> None:
    factors = ("server.use", ["mariadb", "mysql"])
    assert not has_own_data(study(factors, more='[experiment]\nuse = "bulk-load"'))


@pytest.mark.parametrize(("blocks", "loads"), [(1, 1), (2, 2), (3, 3), (6, 6), (9, 6)])
def test_a_plan_has_no_more_loads_than_blocks(tmp_path: Path, blocks: int, loads: int) -> None:
    plan = planned(study(*OWN[0], design=f"blocks = {blocks}"), ResultsFolder(tmp_path / "new"))
    assert {one.data_loads for one in plan.treatments} == {loads}
    numbers = {plan.treatment(run.treatment).in_block(run.block).data_load for run in plan.runs}
    assert numbers == set(range(1, loads + 1))


def begun(path: Path, what: Study, loads: int | None) -> ResultsFolder:
    """A folder that this study's results were begun in, with a record of its loads or none."""
    folder = ResultsFolder(path)
    folder.runs.mkdir(parents=True)
    entry = StudyEntry(
        name=what.name, hash=study_hash(what), seed=3, data_loads=loads, created_wall_ns=0, assay="0"
    )
    folder.entry.write_bytes(msgspec.json.encode(entry))
    return folder


@pytest.mark.parametrize(("loads", "found"), [(None, 1), (3, 3), (6, 6)])
def test_results_go_on_with_the_loads_that_they_were_begun_with(
    tmp_path: Path, loads: int | None, found: int
) -> None:
    what = study(*OWN[0])
    folder = begun(tmp_path, what, loads)
    check_same_study(folder, what)
    assert {one.data_loads for one in planned(what, folder).treatments} == {found}


def test_one_load_by_hand_goes_on_with_older_results_and_not_with_several_loads(tmp_path: Path) -> None:
    once = study(*OWN[0], design="blocks = 8\nloads = 1")
    assert study_hash(once) == study_hash(study(*OWN[0]))
    check_same_study(begun(tmp_path / "old", once, None), once)
    with pytest.raises(ConflictError, match="was begun with 6 loads of each dataset, not 1"):
        check_same_study(begun(tmp_path / "six", once, 6), once)
