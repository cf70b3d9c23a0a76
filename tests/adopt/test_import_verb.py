"""`assay import`, and the other verbs on what it wrote, as a shell sees them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from assay.front.cli import exit_code_of
from printed_texts import MADE_HERE, V04, V05

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = exit_code_of([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


def test_import_report_show_list_and_audit(tmp_path: Path, say) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.txt").write_text(V05)
    results = tmp_path / "results"
    code, out, _ = say("import", tmp_path / "a.txt", "--results", results)
    assert code == 0
    assert "sysbench 0.5" in out
    assert "1 run added" in out
    code, out, _ = say("report", results)
    assert code == 0
    assert "304.1" in out
    assert say("show", results)[0] == 0
    code, out, _ = say("audit", results, "--json")
    assert code in (0, 1)
    assert json.loads(out)["figures"] > 10
    code, _, err = say("run", results / "study.toml")
    assert code == 2
    assert "nothing can run it" in err


def test_json_has_each_run(tmp_path: Path, say) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.txt").write_text(V04 + V05)
    code, out, _ = say("import", tmp_path / "a.txt", "--results", tmp_path / "results", "--json")
    assert code == 0
    runs = json.loads(out)["runs"]
    assert [(one["version"], one["load"]["value"], one["block"]) for one in runs] == [
        ("0.4.12", 8.0, 1),
        ("0.5", 16.0, 1),
    ]


def test_two_imports_are_compared_cell_by_cell(tmp_path: Path, say) -> None:  # type: ignore[no-untyped-def]
    for name, rate in (("left", "304.12"), ("right", "152.06")):
        for threads in (8, 16):
            text = V05.replace("304.12", rate).replace("threads: 16\n", f"threads: {threads}\n")
            (tmp_path / f"{name}-{threads}.txt").write_text(text)
        files = [tmp_path / f"{name}-{threads}.txt" for threads in (8, 16)]
        assert say("import", *files, "--results", tmp_path / name)[0] == 0
    code, out, _ = say("compare", tmp_path / "left", tmp_path / "right", "--measure", "tps", "--json")
    assert code == 0
    found = json.loads(out)
    assert [(one["ratio"], one["low"]) for one in found["cells"]] == [(2.0, None), (2.0, None)]
    assert found["left"]["machine"] == "imported from sysbench 0.5"


def test_a_damaged_file_is_exit_code_2_and_no_traceback(tmp_path: Path, say) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.txt").write_text(V05[:700])
    code, _, err = say("import", tmp_path / "a.txt", "--results", tmp_path / "results")
    assert code == 2
    assert "a.txt" in err
    assert "Traceback" not in err
    assert not (tmp_path / "results").exists()


def test_the_terminal_has_the_real_figures(tmp_path: Path, say) -> None:  # type: ignore[no-untyped-def]
    for path in MADE_HERE:
        code, out, _ = say("import", path, "--results", tmp_path / path.stem)
        assert code == 0
        assert "sysbench 1.0.20" in out


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed: scripts/machine fio")
def test_a_run_of_fio_now_equals_what_fio_prints(tmp_path: Path, say) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "out.json"
    job = ["--name=now", "--rw=randrw", "--bs=4k", "--size=1m", "--ioengine=psync", f"--directory={tmp_path}"]
    subprocess.run(["fio", *job, "--output-format=json", f"--output={file}"], check=True, timeout=60)
    assert say("import", file, "--results", tmp_path / "results")[0] == 0
    code, out, _ = say("report", tmp_path / "results", "--json")
    assert code == 0
    job = json.loads(file.read_text())["jobs"][0]
    known = {one["measure"]: one["value"] for one in json.loads(out)["estimates"]}
    assert known["read_iops"] == job["read"]["iops"]
    assert known["write_iops"] == job["write"]["iops"]
    assert known["worker_user_pct"] == job["usr_cpu"]


@pytest.mark.skipif(
    shutil.which("sysbench") is None, reason="sysbench is not installed: scripts/machine sysbench"
)
def test_a_run_of_sysbench_now_equals_what_sysbench_prints(tmp_path: Path, say) -> None:  # type: ignore[no-untyped-def]
    options = ["--file-num=2", "--file-total-size=1M", "--file-test-mode=rndrw", "--time=1", "--threads=2"]
    for action in ("prepare", "run"):
        done = subprocess.run(
            ["sysbench", "fileio", *options, action], cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0
    (tmp_path / "now.txt").write_text(done.stdout)
    assert say("import", tmp_path / "now.txt", "--results", tmp_path / "results")[0] == 0
    code, out, _ = say("report", tmp_path / "results", "--json")
    assert code == 0
    known = {one["measure"]: one["value"] for one in json.loads(out)["estimates"]}
    printed = {
        line.split(":")[0].strip(): line.split(":")[1].strip()
        for line in done.stdout.splitlines()
        if ":" in line
    }
    assert known["read_iops"] == float(printed["reads/s"])
    assert known["write_mib_per_s"] == float(printed["written, MiB/s"])
    assert known["mean_ms"] == float(printed["avg"])
    assert known["p95_ms"] == float(printed["95th percentile"])
