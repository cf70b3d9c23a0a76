"""HammerDB, BenchBase, YCSB and mysqlslap: their figures as they are printed; settings of a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import ResultsFolder, read_manifest
from assay.experiments.adopt import bring_in, read_file
from printed_texts import FORMS, OUTPUTS, V05

HAMMERDB = {"nopm": 41250, "tpm": 95880, "tps": 1598, "new_order.p95_ms": 20.551, "new_order.count": 10307}
SUMMARY = {"tps": 1015.881216, "requests_per_s": 1020.56454, "p99_ms": 61.23, "p50_ms": 12.044}
YCSB = {"tps": 4997.501249375312, "elapsed_s": 20.01, "read.p99_ms": 5.507, "update.mean_ms": 4.81125}
WANTED: dict[str, tuple[str, float | None, dict[str, float]]] = {
    "forms/hammerdb.txt": ("HammerDB 4.10", 8, HAMMERDB),
    "forms/hammerdb-job.json": ("HammerDB ", 8, HAMMERDB | {"new_order.share_pct": 61.203}),
    "forms/benchbase-summary.json": ("BenchBase ", 16, SUMMARY | {"elapsed_s": 60.000125011}),
    "forms/benchbase-results.csv": ("BenchBase ", None, {"tps": (1001.2 + 1039.929) / 2}),
    "forms/ycsb.txt": ("YCSB 0.17.0", 16, YCSB | {"transactions": 100000, "errors": 3}),
    "outputs/mysqlslap.txt": ("mysqlslap ", 2, {"run_mean_s": 1.603, "qps": 200 / 1.603}),
    "outputs/mysqlslap.csv": ("mysqlslap ", 2, {"run_max_s": 1.83, "qps": 200 / 1.442}),
}


@pytest.mark.parametrize("name", WANTED)
def test_the_figures_are_those_that_were_printed(name: str) -> None:
    tool, load, wanted = WANTED[name]
    file = read_file(FORMS.parent / name)
    found = file.results[0]
    known = {one.name: one.value for one in found.printed.figures}
    assert {figure: known.get(figure) for figure in wanted} == pytest.approx(wanted)
    assert (f"{found.tool} {found.version}", found.load and found.load.value) == (tool, load)
    text = (FORMS.parent / name).read_text()
    assert all(one.text in text for one in found.printed.figures)
    assert file.account.is_whole


def test_several_engines_and_clients_of_mysqlslap_are_as_many_runs() -> None:
    seen = {
        (one.settings["engine"], one.load.value)
        for name in ("mysqlslap.txt", "mysqlslap.csv")
        for one in read_file(OUTPUTS / name).results
        if one.load
    }
    assert seen == {("innodb", 2), ("innodb", 4), ("myisam", 2), ("myisam", 4)}


def test_windows_of_time_are_intervals() -> None:
    (of_benchbase,) = read_file(FORMS / "benchbase-results.csv").results
    assert [(one.t_s, one.seconds, one.tps) for one in of_benchbase.printed.intervals] == [
        (0, 5, 1001.2),
        (5, 5, 1039.929),
    ]
    assert {one.name: one.value for one in of_benchbase.printed.series}["p95_ms"] == [30.31, 29.992]
    (of_ycsb,) = read_file(FORMS / "ycsb.txt").results
    assert [(one.t_s, one.tps) for one in of_ycsb.printed.intervals] == [(0, 4821), (10, 5176)]


def test_a_run_of_benchbase_that_did_not_end_is_refused(tmp_path: Path) -> None:
    text = (FORMS / "benchbase-summary.json").read_text().replace('"EXIT"', '"MEASURE"')
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match="Final State: expected EXIT, found MEASURE"):
        read_file(tmp_path / "a.json")


@pytest.mark.parametrize("name", ["variables.tsv", "variables-table.txt", "variables-rows.txt"])
def test_variables_as_a_client_prints_them(name: str) -> None:
    file = read_file(OUTPUTS / name)
    (found,) = file.beside
    assert file.account.is_whole
    assert found.variables["innodb_io_capacity" if "table" not in name else "innodb_adaptive_flushing"] in (
        "200",
        "ON",
    )
    assert all("|" not in value for value in found.variables.values())


def test_variables_become_settings_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_text(V05)
    bring_in([tmp_path / "run.txt", OUTPUTS / "variables.tsv"], tmp_path / "results")
    (run,) = ResultsFolder(tmp_path / "results").finished_runs()
    manifest = read_manifest(run)
    assert manifest.variables["max_connections"] == "151"
    assert manifest.imported is not None
    assert "variables" not in manifest.imported.unknown


def test_status_counters_are_no_variables(tmp_path: Path) -> None:
    (tmp_path / "status.tsv").write_text("Variable_name\tValue\nAborted_clients\t0\nUptime\t12\n")
    with pytest.raises(InputError, match=r"status\.tsv:2: expected variables of a server"):
        read_file(tmp_path / "status.tsv")
