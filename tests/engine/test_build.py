"""Which engine measures, how it was built, and whether it is the one that its sources would give."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from assay.experiments.lab import checkup
from assay.system.engine import binary, build, engine_build


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A checkout with a source of the engine, from which all that looks for an engine is run."""
    (tmp_path / "crates" / "engine").mkdir(parents=True)
    (tmp_path / "crates" / "engine" / "main.rs").write_text("", encoding="utf-8")
    os.utime(tmp_path / "crates" / "engine" / "main.rs", (1000, 1000))
    for module in (binary, build):
        monkeypatch.setattr(module, "checkout", lambda: tmp_path)
    for name in ("ASSAY_ENGINE", "CARGO_TARGET_DIR"):
        monkeypatch.delenv(name, raising=False)
    binary._places.cache_clear()
    yield tmp_path
    binary._places.cache_clear()


def put(checkout: Path, kind: str, said: str, at_s: int) -> Path:
    """Makes an engine that says its build, as old as given."""
    engine = checkout / "target" / kind / "assay-engine"
    engine.parent.mkdir(parents=True)
    engine.write_text(f"#!/bin/sh\necho 'assay-engine 0.1.0{said}'\n", encoding="utf-8")
    engine.chmod(0o755)
    os.utime(engine, (at_s, at_s))
    return engine


def test_what_make_has_installed_measures_whatever_else_was_built(checkout: Path) -> None:
    """Without it, the build that is fit for measuring goes before all others."""
    engines = [put(checkout, kind, "", 2000) for kind in ("debug", "quick", "release", "engine")]
    while engines:
        assert binary.find_engine() == engines.pop()
        binary.find_engine().unlink()


@pytest.mark.parametrize(
    ("said", "kind", "advised"),
    [
        (" (profile-guided, opt-level 3, x86_64-unknown-linux-musl)", "profile-guided", False),
        (" (release, opt-level 3, aarch64-unknown-linux-gnu)", "release", False),
        (" (quick, opt-level 1, x86_64-unknown-linux-gnu)", "quick", True),
        (" (debug, opt-level 0, x86_64-unknown-linux-gnu)", "debug", True),
        ("", "", False),  # too old to say
    ],
)
def test_the_doctor_advises_against_what_is_not_for_measuring(
    checkout: Path, said: str, kind: str, advised: bool
) -> None:
    engine = put(checkout, "engine", said, 2000)
    assert engine_build() == build.EngineBuild(engine, f"0.1.0{said}", kind, None)
    (finding,) = checkup._engine()
    assert finding.found == f"{engine} 0.1.0{said}"
    assert finding.outcome == ("optional" if advised else "ok")
    assert ("make engine" in (finding.how_to_get or "")) is advised


@pytest.mark.parametrize(
    "changed", ["crates/engine/main.rs", "Cargo.lock", ".cargo/config.toml", "target/release/assay-engine"]
)
def test_an_engine_that_is_older_than_its_sources_is_not_taken_in_silence(
    checkout: Path, changed: str
) -> None:
    put(checkout, "engine", " (release, opt-level 3, x86_64-unknown-linux-gnu)", 2000)
    newer = checkout / changed
    newer.parent.mkdir(parents=True, exist_ok=True)
    newer.write_text("", encoding="utf-8")
    assert engine_build().newer == newer
    (finding,) = checkup._engine()
    assert finding.outcome == "optional"
    assert f"{newer} is newer than this engine" in (finding.how_to_get or "")
