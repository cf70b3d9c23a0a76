"""What `run` refuses before any load `plan` refuses too, in the same words: they have one list of checks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bad_rows import plan_and_run, study_values
from bad_rows.row import Row
from patience import at_most
from shell import Shell

PATIENCE_S = 180
SAME = [row for row in plan_and_run.ROWS if row.does == "run b.toml" and not row.env]
"""Rows of `run`: the table of bad inputs says what it answers."""
HERE = [row for row in study_values.PLACES if row.code]
"""Rows of `plan` about places and servers."""


def _error(err: str) -> str:
    found = re.search(r"^error: (.*)$", err, re.MULTILINE)
    # Other programs fill the disk meanwhile.
    return "" if found is None else re.sub(r"[\d.]+ \w+ free", "… free", found[1])


@pytest.mark.sampled(16)
@pytest.mark.parametrize("row", [*SAME, *HERE], ids=lambda row: row.id)
def test_plan_and_run_say_the_same(
    row: Row, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in row.files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with at_most(PATIENCE_S):
        planned, run = shell("plan", "b.toml"), shell("run", "b.toml")
    assert (planned.code, _error(planned.err)) == (run.code, _error(run.err))
    assert planned.code == row.code
    assert not (tmp_path / "results").exists()


def test_results_of_another_form_are_refused_with_what_changed(
    shell: Shell, shared_results: Path, tmp_path: Path
) -> None:
    text = (shared_results.parent / "shared.toml").read_text(encoding="utf-8")
    study = tmp_path / "shared.toml"
    study.write_text(text.replace("table_size = 100", "table_size = 200"), encoding="utf-8")
    for verb in ("plan", "run"):
        ended = shell(verb, study, "--results", shared_results)
        assert ended.code == 7
        assert (
            "an earlier form of this study (workload.table_size: 100 → 200); nothing was changed" in ended.err
        )
    another = text.replace('"shared"', '"other"').replace("table_size = 100", "table_size = 200")
    study.write_text(another, encoding="utf-8")
    assert "holds the results of the study 'shared'" in shell("plan", study, "--results", shared_results).err
    study.write_text(text, encoding="utf-8")
    ended = shell("run", study, "--results", shared_results, "--server", "mariadb@10")
    assert (ended.code, 'server.use: "mariadb" → "mariadb@10"' in ended.err) == (7, True)


def test_of_hundreds_of_treatments_a_few_are_shown(shell: Shell, tmp_path: Path) -> None:
    levels = list(range(1, 101))
    text = (
        study_values.STUDY.replace("blocks = 6", "blocks = 1")
        .replace('"10s"', '"1s"')
        .replace('"5s"', '"none"')
    )
    for option in ("range_size", "point_selects"):
        text += study_values.FACTOR.format(
            f"workload.{option}", levels[: 100 if option == "range_size" else 4]
        )
    (tmp_path / "b.toml").write_text(text, encoding="utf-8")
    ended = shell("plan", tmp_path / "b.toml", "--results", tmp_path / "r")
    assert ended.code == 0, ended.err
    assert "400 treatments × 1 block = 400 runs" in ended.out
    assert "360 more (--json has them all)" in ended.out
    assert len(ended.out.splitlines()) < 100
