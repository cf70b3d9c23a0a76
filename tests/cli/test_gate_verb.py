"""`assay gate` as a pipeline sees it: exit codes, files, one JSON object."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest
from assay.testing.results_folder import Truth, make_results
from shell import Shell

pytestmark = pytest.mark.usefixtures("undrawn")

STUDY = """\
[study]
name = "two-builds"

[workload]
use = "oltp_read_write"

[load]
threads = [8]
measure = "4s"

[[factor]]
name = "build"
keys = ["server.use"]
levels = ["base", "new"]
values = [["path:/builds/base"], ["path:/builds/new"]]

[design]
blocks = 6

[[gate]]
claim = "tps[build=new]/tps[build=base] >= 0.85"
"""
RATIO = "tps[build=new]/tps[build=base]"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The new build has a tenth less throughput, which the gate of the study allows."""
    return make_results(
        tmp_path_factory.mktemp("gated") / "results",
        study_toml=STUDY,
        loads=(8,),
        treatments={"build=base": {"build": "base"}, "build=new": {"build": "new"}},
        effect=0.9,
        truth=Truth(measure_s=4, warmup_s=1, samples=False),
    ).path


def test_a_gate_that_passes_ends_with_0(shell: Shell, results: Path) -> None:
    ended = shell("gate", results)
    assert ended.code == 0
    assert ended.out.splitlines()[-1] == "Gate of “two-builds”: passed (1 passed)."
    assert (
        "1 gate, 1 check over all load points. If nothing differed, chance would fail at most 0.05 gates"
        in ended.out
    )
    assert "% by the noise of these blocks" in ended.out


def test_a_claim_of_the_command_line_fails(shell: Shell, results: Path) -> None:
    ended = shell("gate", results, "--require", f"{RATIO} >= 0.97")
    assert ended.code == 9
    assert "Gate of “two-builds”: failed (1 failed, 1 passed)." in ended.out
    assert f"the gate of two-builds failed in 1 of 2 checks: {RATIO} >= 0.97 @ 8 threads" in ended.err
    assert "hint: look at the change" in ended.err
    allowed = shell("gate", results, "--require", f"{RATIO} >= 0.97", "--no-fail")
    assert allowed.code == 0
    assert "failed (1 failed, 1 passed)" in allowed.out


def test_what_was_not_measured_ends_with_11(shell: Shell, results: Path) -> None:
    ended = shell("gate", results, "--require", "status.No_such_counter per s[build=new] >= 0")
    assert ended.code == 11
    assert "mend the measurement" in ended.err


def test_alarms_are_kept_and_judged(shell: Shell, results: Path, tmp_path: Path) -> None:
    file, claim = tmp_path / "alarms.json", f"{RATIO} >= 0.97"
    first = shell("gate", results, "--require", claim, "--alarms", file)
    assert f"{claim}: 1 alarm so far, none judged by people" in first.out
    (alarm,) = json.loads(shell("alarms", file, "--json").out)["alarms"]
    said = shell("alarms", file, "--close", alarm["id"], "reverted", "a lock").out
    assert "is closed as reverted: a lock" in said
    again = shell("gate", results, "--require", claim, "--alarms", file)
    assert f"{claim}: 1 alarm so far; of 1 that people judged, 1 was right" in again.out
    assert alarm["id"] in shell("alarms", file).out


def test_a_baseline_stands_for_the_base(shell: Shell, results: Path, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    saved = shell("baseline", "save", results, file)
    assert (saved.code, saved.out.startswith(f"wrote {file}: ")) == (0, True)
    assert shell("baseline", "save", results, file).code == 7
    assert shell("baseline", "accept", results, file, "--reason", "again").code == 0
    assert [one["reason"] for one in json.loads(file.read_text())["accepted"]] == ["first baseline", "again"]


def test_the_files_and_the_object_say_the_same(
    shell: Shell, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    files = {name: tmp_path / name for name in ("junit", "markdown", "openmetrics")}
    options = [part for name, file in files.items() for part in (f"--{name}", file)]
    claim = f"{RATIO} >= 0.97"
    ended = shell("gate", results, "--require", claim, *options, "--github", "--language", "zh", "--json")
    said = json.loads(ended.out)
    assert (ended.code, said["outcome"], said["exit_code"]) == (9, "failed", 9)
    assert [one["outcome"] for one in said["checks"]] == ["passed", "failed"]
    assert "::error title=failed%3A tps[build=new]/tps[build=base] >= 0.97 @ 8 threads::" in ended.err
    assert xml.parse(files["junit"]).getroot().attrib["failures"] == "1"
    value = said["checks"][1]["figure"]["value"]
    assert f"{value:.3g}" in files["openmetrics"].read_text(encoding="utf-8")
    assert files["markdown"].read_text(encoding="utf-8").startswith("**“two-builds”的门禁：未通过")
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("**“two-builds”的门禁：未通过")
