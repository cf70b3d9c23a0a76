"""What the engine is built from makes `make` build it again, whatever kind of file it is."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = "target/engine/assay-engine"


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
    lists = (ROOT / "target").glob("*/assay-engine.d")
    read = max(lists, key=lambda file: file.stat().st_mtime_ns, default=None)
    if read is None:
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


def _built(*packages: str) -> set[str]:
    """Crates with their features, as cargo compiles them for the packages given."""
    command = ["cargo", "tree", "--offline", "--prefix=none", "--format={p} {f}", *packages]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.removesuffix(" (*)") for line in lines}


def test_what_the_engine_is_made_of_is_compiled_once_for_use_and_for_tests() -> None:
    """A crate with other features is another crate, and all that use it are compiled again."""
    tests = _built("--workspace", "--edges=all")
    for packages in (("assay-engine",), ("assay-engine", "assay-nullserver")):
        used = _built(*(f"--package={name}" for name in packages), "--edges=normal,build")
        assert used - tests == set()


def test_demo_tests_and_checks_compile_in_one_profile() -> None:
    """What measures is compiled for that; all else in the profile that the Makefile names once."""
    makefile, pipeline = ((ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", ".ci/run"))
    commands = re.findall(r"\bcargo (?:build|test|clippy|check|run)\b[^|&;\n]*", makefile + pipeline)
    others = [command for command in commands if "--profile $(CARGO_PROFILE)" not in command]
    assert len(commands) > len(others)
    assert others == ["cargo build --release -p assay-floor"]
    assert "CARGO_PROFILE_" not in makefile + pipeline


def test_examples_in_texts_of_crates_are_run() -> None:
    """Cargo looks for examples in a crate only where its manifest does not say that there are none."""
    for manifest in ROOT.glob("crates/*/Cargo.toml"):
        sources = (path.read_text(encoding="utf-8") for path in manifest.parent.glob("src/**/*.rs"))
        has_examples = any(re.search(r"^\s*//[/!]\s*```(?!text)", text, re.MULTILINE) for text in sources)
        assert not has_examples or "doctest = false" not in manifest.read_text(encoding="utf-8"), manifest


def test_tests_in_sources_of_crates_are_run() -> None:
    """Cargo makes no program of the tests in sources where the manifest says that there are none."""
    for manifest in ROOT.glob("crates/*/Cargo.toml"):
        described = tomllib.loads(manifest.read_text(encoding="utf-8"))
        targets = [described.get("lib", {"path": "src/lib.rs"}), *described.get("bin", [])]
        # Only the program's own file where there is a library: its modules are those of the library.
        for target in (one for one in targets if one.get("test") is False):
            of_library = target is targets[0]
            pattern = "src/**/*.rs" if of_library else target["path"]
            has_tests = [
                str(path)
                for path in manifest.parent.glob(pattern)
                if re.search(r"cfg\(test\)|#\[test\]|#\[rstest\]", path.read_text(encoding="utf-8"))
            ]
            assert has_tests == [], manifest


def test_every_file_of_tests_of_a_crate_is_in_a_program() -> None:
    """Where cargo does not look for tests itself, a file that no other names would never be compiled."""
    for manifest in ROOT.glob("crates/*/Cargo.toml"):
        if tomllib.loads(manifest.read_text(encoding="utf-8"))["package"].get("autotests", True):
            continue
        tests = manifest.parent / "tests"
        named = {tests / "main.rs"}
        for path in tests.rglob("*.rs"):
            folder = path.parent if path.name in ("main.rs", "mod.rs") else path.with_suffix("")
            for name in re.findall(
                r"^(?:pub\(crate\) )?mod (\w+);", path.read_text(encoding="utf-8"), re.MULTILINE
            ):
                named |= {folder / f"{name}.rs", folder / name / "mod.rs"}
        assert set(tests.rglob("*.rs")) <= named, manifest
