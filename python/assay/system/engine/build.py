"""How the engine that measures was built, and whether its sources have changed since."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.base.carried import checkout
from assay.system.engine.binary import NAME, find_engine

FOR_MEASURING = frozenset({"release", "profile-guided"})
"""Builds that are for measuring, as the engine names them."""

_SAID = re.compile(r"\S+ \(([a-z-]+)")
_SOURCES = ("crates", ".cargo", "Cargo.toml", "Cargo.lock")
"""Files and folders of a checkout from which the engine is built; the Makefile has the same list."""
_BY_HAND = f"target/release/{NAME}"


@dataclass(frozen=True)
class EngineBuild:
    """The engine that measures.

    `kind` is its build, empty where it is too old to say. `newer` is what has changed in the checkout since
    it was built: one of its sources, or an engine that cargo was told to build by hand and that is not used.
    """

    path: Path
    version: str
    kind: str
    newer: Path | None


def engine_build() -> EngineBuild:
    """Returns what the engine says of itself. Raises `HostError` where there is no engine."""
    path = find_engine()
    answer = subprocess.run(
        [path, "--version"], capture_output=True, check=False, encoding="utf-8", errors="replace"
    )
    version = answer.stdout.strip().removeprefix(NAME).strip() or "unknown"
    said = _SAID.match(version)
    return EngineBuild(path, version, said[1] if said else "", _newer(path))


def _newer(engine: Path) -> Path | None:
    """Returns what is newer than an engine of this checkout: the newest of all that is."""
    here = checkout()
    if here is None or not engine.is_relative_to(here):
        return None
    built = engine.stat().st_mtime_ns
    changed = ((path.stat().st_mtime_ns, path) for path in _made_from(here))
    newest, path = max(changed, default=(0, None))
    return path if newest > built else None


def _made_from(here: Path) -> Iterator[Path]:
    for name in (*_SOURCES, _BY_HAND):
        place = here / name
        yield from (path for path in (place, *place.rglob("*")) if path.is_file())
