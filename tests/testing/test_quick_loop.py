"""`make quick` runs some rows of every test, and none for which no time is left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tiers import spread_rows

FIXTURES = Path(__file__).parents[1] / "fixtures"

TESTS = """
import pytest

@pytest.mark.parametrize("row", range(50))
def test_rows(row):
    assert row != 49

def test_alone():
    pass
"""


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 50, 1541])
@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_rows_are_spread_from_the_first_to_the_last(count: int, most: int) -> None:
    rows = spread_rows(range(count), most)
    assert len(rows) == min(count, most)
    assert rows == sorted(set(rows))
    assert not rows or most == 1 or (rows[0], rows[-1]) == (0, count - 1)


def run(folder: Path, budget_s: str) -> str:
    """Runs the tests with the plugin; returns the last line."""
    (folder / "test_some.py").write_text(TESTS)
    (folder / "conftest.py").write_text(
        f"import quick\nquick.BUDGET_S = float('{budget_s}')\n"
        "def pytest_configure(config):\n    config.pluginmanager.register(quick.Quick(config))\n"
    )
    words = [sys.executable, "-m", "pytest", "-c", os.devnull, f"--rootdir={folder}", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(FIXTURES), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [*words, "-o", f"cache_dir={folder / 'cache'}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.splitlines()[-1]


def test_rows_are_left_out_and_the_last_one_is_not(tmp_path: Path) -> None:
    assert "1 failed, 3 passed, 47 deselected" in run(tmp_path, "inf")


def test_what_is_dearer_than_the_time_left_is_skipped(tmp_path: Path) -> None:
    kept = tmp_path / "cache" / "v" / "quick" / "costs"
    kept.parent.mkdir(parents=True)
    kept.write_text('{"test_some.py::test_rows": 1e9}')
    assert "1 passed, 3 skipped, 47 deselected" in run(tmp_path, "1e8")
    assert '"test_some.py::test_alone"' in kept.read_text()
