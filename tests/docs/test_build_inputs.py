"""What the engine is built from makes `make` build it again, whatever kind of file it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = "target/release/assay-engine"


def _prerequisites(target: str) -> set[str]:
    database = subprocess.run(
        ["make", "--print-data-base", "--question", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    (rule,) = (line for line in database.splitlines() if line.startswith(f"{target}:"))
    return set(rule.partition(":")[2].partition("|")[0].split())


def test_every_file_that_cargo_read_for_the_engine_is_a_prerequisite_of_it() -> None:
    """Cargo writes beside a binary which files the compiler read, those of `include_str!` among them."""
    read = ROOT / f"{ENGINE}.d"
    if not read.is_file():
        pytest.skip("cargo has not built this checkout's engine")
    files = {Path(word) for word in read.read_text().partition(":")[2].split()}
    inside = {str(file.relative_to(ROOT)) for file in files if file.is_relative_to(ROOT)}
    assert any(file.endswith(".lua") for file in inside)
    assert inside <= _prerequisites(ENGINE)


@pytest.mark.parametrize("target", [ENGINE, "target/profile-guided/built"])
def test_tracked_files_of_crates_and_the_flags_of_compilers_are_prerequisites(target: str) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "crates", ".cargo", "Cargo.toml", "Cargo.lock"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert {file for file in tracked if (ROOT / file).is_file()} <= _prerequisites(target)
