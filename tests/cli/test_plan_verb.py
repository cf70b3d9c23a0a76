"""`assay plan`"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import HostError
from assay.design.folder import Manifest, ResultsFolder, StudyEntry
from assay.design.plan import make_plan
from assay.design.study import load_study, study_hash
from assay.system.engine.binary import find_engine
from shell import COMMIT_COST, Shell

MINUTE_NS = 60_000_000_000


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that results/ of the repository plays no part, nor how long steps of other tests took."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("assay.measurement.calibration.durations.home", lambda: tmp_path)


def test_it_shows_treatments_order_and_time(shell: Shell) -> None:
    ended = shell("plan", COMMIT_COST, "--seed", 7)
    assert ended.code == 0
    assert "2 treatments × 6 blocks = 12 runs, random order (seed 7)" in ended.out
    assert "1  innodb_flush_log_at_trx_commit=1  baseline" in ended.out
    assert "threads 1, 8, 32; warm-up 1 s, measured 3 s at each" in ended.out
    assert "about 3 min" in ended.out


def test_terminals_are_part_of_the_load(shell: Shell, tmp_path: Path) -> None:
    text = COMMIT_COST.read_text(encoding="utf-8").replace(
        "threads = [1, 8, 32]", "threads = [1, 8, 32]\nterminals = 1000"
    )
    text = text.replace('warmup = "1s"', 'warmup = "200ms"')
    (tmp_path / "many.toml").write_text(text, encoding="utf-8")
    assert "threads 1, 8, 32, 1,000 terminals; warm-up 0.2 s, measured" in shell("plan", "many.toml").out


def test_json_is_the_plan(shell: Shell) -> None:
    whole = json.loads(shell("plan", COMMIT_COST, "--seed", 7, "--json").out)
    plan = make_plan(load_study(COMMIT_COST), seed=7)
    assert [run["run_id"] for run in whole["runs"]] == [run.run_id for run in plan.runs]
    assert whole["study_hash"] == plan.study_hash
    assert whole["loads"] == [1, 8, 32]
    assert whole["done"] == []
    assert 100 < whole["estimate_s"] < 240


def test_what_a_server_is_told_in_other_words(shell: Shell) -> None:
    said = shell("plan", COMMIT_COST).out
    assert (
        "is given innodb_log_file_size = 134217728, for innodb_redo_log_capacity = 128M of the study" in said
    )


def test_a_study_that_is_wrong(shell: Shell, tmp_path: Path) -> None:
    text = COMMIT_COST.read_text(encoding="utf-8").replace("threads = [1, 8, 32]", "threads = [1, 8, 0]")
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    ended = shell("plan", "bad.toml")
    assert ended.code == 2
    assert "error: bad.toml:" in ended.err
    assert "load.threads[2]: 0 threads drive no load" in ended.err


def test_results_that_are_there_count(shell: Shell) -> None:
    study = load_study(COMMIT_COST)
    plan = make_plan(study, seed=3)
    folder = ResultsFolder(Path("results/commit-cost"))
    folder.path.mkdir(parents=True)
    entry = StudyEntry(
        name=study.name, hash=study_hash(study), seed=3, ordering=plan.ordering, created_wall_ns=0, assay="0"
    )
    folder.entry.write_bytes(msgspec.json.encode(entry))
    for run in plan.runs[:3]:
        path = folder.run(run.run_id).path
        path.mkdir(parents=True)
        folder.run(run.run_id).manifest.write_bytes(msgspec.json.encode(manifest(run.run_id)))
    ended = shell("plan", COMMIT_COST)
    assert "(seed 3)" in ended.out
    assert "3 of 12 runs are done; about 9 min " in ended.out
    assert " left, by the 3 finished runs; not known yet on this machine: loading, judging" in ended.out
    assert json.loads(shell("plan", COMMIT_COST, "--json").out)["done"] == sorted(
        run.run_id for run in plan.runs[:3]
    )


def test_an_option_that_the_workload_has_not(shell: Shell, tmp_path: Path) -> None:
    try:
        find_engine()
    except HostError:
        pytest.skip("the engine is not built")
    text = COMMIT_COST.read_text(encoding="utf-8").replace("table_size", "table_sise")
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    ended = shell("plan", "bad.toml")
    assert ended.code == 2
    assert (
        'bad.toml:30: workload.table_sise: oltp_read_write has no such option; did you mean "table_size"'
        in ended.err
    )


def test_a_claim_about_a_kind_that_the_workload_has_not(shell: Shell, tmp_path: Path) -> None:
    try:
        find_engine()
    except HostError:
        pytest.skip("the engine is not built")
    text = COMMIT_COST.with_name("tpcc.toml").read_text(encoding="utf-8")
    (tmp_path / "kinds.toml").write_text(text, encoding="utf-8")
    assert shell("plan", "kinds.toml").code == 0
    text = text.replace('"new_order.p90_ms', '"neworder.p90_ms')
    (tmp_path / "kinds.toml").write_text(text, encoding="utf-8")
    ended = shell("plan", "kinds.toml")
    assert ended.code == 2
    said = 'tpcc has no kind of transactions "neworder"; did you mean "new_order"?'
    assert f": hypothesis[2].claim: {said}" in ended.err


def test_what_stands_in_the_way_is_noted(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = COMMIT_COST.read_text(encoding="utf-8").replace('use = "mariadb"', 'use = "mariadb@4.0"')
    (tmp_path / "old.toml").write_text(text.replace("blocks = 6", "blocks = 3"), encoding="utf-8")
    monkeypatch.setenv("ASSAY_ENGINE", str(tmp_path / "none"))
    ended = shell("plan", "old.toml")
    assert ended.code == 6
    assert "2 treatments × 3 blocks = 6 runs" in ended.out
    assert "note: 3 blocks give estimates, no verdicts" in ended.out
    assert "error: ASSAY_ENGINE names" in ended.err
    monkeypatch.delenv("ASSAY_ENGINE")
    ended = shell("plan", "old.toml")
    assert (ended.code, "2 treatments × 3 blocks = 6 runs" in ended.out) == (6, True)
    assert "error: no MariaDB 4.0 server on this machine" in ended.err


def test_what_a_running_server_cannot_be_given_is_refused(shell: Shell, tmp_path: Path) -> None:
    """`assay run` refuses it in the same words."""
    text = COMMIT_COST.with_name("running-server.toml").read_text(encoding="utf-8")
    host = '[host]\n"block.scheduler" = "no-such"\n\n[load]'
    (tmp_path / "there.toml").write_text(text.replace("[load]", host, 1), encoding="utf-8")
    ended = shell("plan", "there.toml")
    where = "root@/run/mysqld/mysqld.sock"
    assert ended.code == 2
    refused = "there.toml:13: host.block.scheduler needs a server that the lab starts"
    assert f"{refused}; {where} runs already" in ended.err


def test_a_volume_that_cannot_be_made_is_noted(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is made to find out; what only the volume's own devices know is left to `assay run`."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    text = COMMIT_COST.read_text(encoding="utf-8")
    volume = '[volume]\nfile_system = "ext4"\n[host]\nblock.scheduler = "no-such"\n\n[load]'
    (tmp_path / "v.toml").write_text(text.replace("[load]", volume, 1), encoding="utf-8")
    ended = shell("plan", "v.toml")
    assert ended.code == 6
    assert "[volume] cannot be made on this machine: that needs root with CAP_SYS_ADMIN" in ended.err
    assert "this process is not root (`volumes` in assay doctor)" in ended.err
    assert "no-such cannot be set" not in ended.err
    (tmp_path / "v.toml").write_text(
        text.replace("[load]", '[volume]\nraid = "raid5"\ndevices = 2\n\n[load]', 1), encoding="utf-8"
    )
    refused = shell("plan", "v.toml")
    assert refused.code == 2
    assert "volume.devices: raid5 needs at least 3, not 2" in refused.err


def manifest(run_id: str) -> Manifest:
    return Manifest(
        run_id=run_id,
        study="commit-cost",
        study_hash="",
        treatment="",
        levels={},
        block=1,
        position=1,
        seed=1,
        status="complete",
        started_wall_ns=0,
        ended_wall_ns=MINUTE_NS,
        variables={},
        workload="oltp_read_write",
        workload_options={},
        rungs=[],
        dataset={},
        server={},
        tools={},
    )


def test_nothing_is_written(shell: Shell, tmp_path: Path) -> None:
    shutil.copy(COMMIT_COST, tmp_path / "q.toml")
    shell("plan", "q.toml")
    assert [path.name for path in tmp_path.iterdir()] == ["q.toml"]
