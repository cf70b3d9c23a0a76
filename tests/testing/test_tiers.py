"""`make test` leaves out what is long and most rows of a sampled family: pytest says how many, and runs them
when it is asked.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[1] / "fixtures"

TESTS = """
import pytest

@pytest.mark.sampled(4)
@pytest.mark.parametrize("row", range(10))
def test_rows(row):
    pass

@pytest.mark.long
def test_long():
    pass

def test_short():
    pass
"""
SPREAD = {"test_rows[0]", "test_rows[3]", "test_rows[6]", "test_rows[9]"}
EVERY = {f"test_rows[{row}]" for row in range(10)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two files of tests that are alike."""
    place = tmp_path_factory.mktemp("tests")
    (place / "test_one.py").write_text(TESTS)
    (place / "test_two.py").write_text(TESTS)
    return place


def run(folder: Path, *words: str) -> tuple[dict[str, set[str]], str]:
    """Runs the tests; returns the names of those of each file that ran, and what was printed."""
    words = ("-c", os.devnull, f"--rootdir={folder}", "-p", "tiers", "-rA", "-p", "no:cacheprovider", *words)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        env={**os.environ, "PYTHONPATH": str(FIXTURES), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    ran: dict[str, set[str]] = {"test_one": set(), "test_two": set()}
    for file, name in re.findall(r"^PASSED (\w+)\.py::(\S+)$", done.stdout, re.M):
        ran[file].add(name)
    return ran, done.stdout


def test_a_part_is_run_and_the_rest_is_counted(folder: Path) -> None:
    ran, output = run(folder, str(folder))
    assert ran == {"test_one": {*SPREAD, "test_short"}, "test_two": {*SPREAD, "test_short"}}
    assert "tests left out: 14; --all" in output


def test_several_processes_run_the_same_part(folder: Path) -> None:
    ran, output = run(folder, "-p", "xdist.plugin", "-n", "2", str(folder))
    assert ran == {"test_one": {*SPREAD, "test_short"}, "test_two": {*SPREAD, "test_short"}}
    assert "tests left out: 14; --all" in output


def test_all_are_run_when_all_are_asked_for(folder: Path) -> None:
    ran, output = run(folder, "--all", str(folder))
    assert ran["test_one"] == ran["test_two"] == {*EVERY, "test_long", "test_short"}
    assert "left out" not in output


def test_what_a_command_names_is_run(folder: Path) -> None:
    ran, output = run(folder, "test_one.py", "test_two.py::test_long", "test_two.py::test_rows[4]")
    assert ran == {"test_one": {*EVERY, "test_long", "test_short"}, "test_two": {"test_long", "test_rows[4]"}}
    assert "left out" not in output


def test_where_all_that_is_chosen_is_left_out_none_ran_and_that_is_said(folder: Path) -> None:
    ran, output = run(folder, "-m", "long", str(folder))
    assert ran == {"test_one": set(), "test_two": set()}
    assert "tests left out: 14;" in output


def test_the_same_rows_are_run_whatever_else_is_chosen(folder: Path) -> None:
    ran, output = run(folder, "-m", "sampled", "--deselect", "test_one.py::test_rows[3]", str(folder))
    assert ran == {"test_one": SPREAD - {"test_rows[3]"}, "test_two": SPREAD}
    assert "tests left out: 14;" in output
