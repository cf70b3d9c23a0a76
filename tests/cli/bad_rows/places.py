"""Homes, results folders and environments that cannot be used. Full and read-only disks: `test_places`."""

# ruff: noqa: E501 (one row a line)

from __future__ import annotations

from bad_rows.row import Row, row
from bad_rows.study_values import STUDY

GOOD = {"b.toml": STUDY}


def _home(name: str, home: str, does: str, code: int, *words: str) -> Row:
    return row(
        f"home-{name}", does, code, *words, files={**GOOD, "taken": "a file"}, env={"ASSAY_HOME": home}
    )


ROWS: list[Row] = [
    _home("null", "/dev/null", "run b.toml", 6, "/dev/null"),
    _home("file", "{here}/taken", "run b.toml", 6, "taken"),
    _home("below-file", "{here}/taken/home", "run b.toml", 6, "taken"),
    _home("proc", "/proc/assay", "run b.toml", 6, "/proc"),
    _home("server", "/dev/null", "server start mariadb", 6, "/dev/null"),
    _home("bench", "/dev/null", "bench oltp_read_write --server mariadb --time 1", 6, "/dev/null"),
    row("environment-engine", "run b.toml", 6, "ASSAY_ENGINE names /nope, which is not an executable file", "Unset it", files=GOOD, env={"ASSAY_ENGINE": "/nope"}),
    row("environment-engine-plan", "plan b.toml", 6, "ASSAY_ENGINE names /nope, which is not an executable file", files=GOOD, env={"ASSAY_ENGINE": "/nope"}),
    row("environment-engine-folder", "bench oltp_read_write --socket x", 6, "ASSAY_ENGINE names /tmp", env={"ASSAY_ENGINE": "/tmp"}),
    row("environment-budget", "run b.toml", 2, "ASSAY_DATASET_BUDGET: '-1' is not a size", files=GOOD, env={"ASSAY_DATASET_BUDGET": "-1"}),
    row("environment-budget-unit", "dataset list", 2, "ASSAY_DATASET_BUDGET: '50GB' is not a size", 'write "50G"', env={"ASSAY_DATASET_BUDGET": "50GB"}),
    row("environment-path", "plan b.toml --results r", 0, "6 runs", files=GOOD, env={"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "20"}),
    row("results-null", "plan b.toml --results /dev/null", 2, "/dev/null", files=GOOD),
    row("results-proc", "plan b.toml --results /proc/x", 6, "/proc", files=GOOD),
]  # fmt: skip
