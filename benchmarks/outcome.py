"""Reads and writes a measured section, results/bench/<section>.json: its rows, samples and origin."""

from __future__ import annotations

import datetime
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
from assay.base.errors import ConflictError
from assay.system.host.facts import host_facts

from benchmarks.rows import Row, Samples
from benchmarks.settings import Settings


class Origin(msgspec.Struct, frozen=True):
    """The origin of a section: when, of which commit, and on which machine it was measured."""

    at: str
    commit: str
    machine: str
    server: str
    peer: str
    settings: str


@dataclass(frozen=True)
class Outcome:
    """The rows and origin of one measured section."""

    section: str
    title: str
    note: str
    origin: Origin
    rows: Sequence[Row]
    missing: Sequence[str] = ()  # what was not measured for want of a peer


def origin(settings: Settings, server: str, peer: str) -> Origin:
    """Returns the origin of a bench that is about to run."""
    return Origin(
        at=datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        commit=commit(),
        machine=_machine(),
        server=server,
        peer=peer,
        settings=settings.said,
    )


def commit() -> str:
    """Returns the commit of the checkout, and whether what is measured has changed since."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "crates", "benchmarks", "Cargo.lock")
    return (git("rev-parse", "--short=12", "HEAD") or "unknown") + (" and changes" if changed else "")


def _machine() -> str:
    facts: dict[str, Any] = host_facts([Path.cwd()])
    cpu, system, memory, kernel = (facts.get(name) or {} for name in ("cpu", "system", "memory", "kernel"))
    said = [
        f"{cpu.get('logical', '?')} x {cpu.get('model', 'unknown processor')}",
        f"{memory['total_bytes'] / 2**30:.0f} GiB" if "total_bytes" in memory else None,
        f"Linux {kernel['release']}" if "release" in kernel else None,
        system.get("os"),
        f"governor {cpu['governor']}" if "governor" in cpu else None,
    ]
    return ", ".join(str(part) for part in said if part)


def save(outcome: Outcome, samples: Sequence[Samples], path: Path, *, rounds: tuple[int, int]) -> None:
    """Writes one section; `rounds` are those done and those planned."""
    path.parent.mkdir(parents=True, exist_ok=True)
    told: Mapping[str, Any] = {
        **asdict(outcome),
        "origin": msgspec.to_builtins(outcome.origin),
        "rounds_done": rounds[0],
        "rounds_planned": rounds[1],
        "samples": [asdict(sample) for sample in samples],
    }
    unfinished = path.with_suffix(".partial")
    unfinished.write_text(json.dumps(told, indent=1, default=str) + "\n")
    unfinished.replace(path)


def read(path: Path) -> Outcome:
    """Returns a section as `save` wrote it."""
    return msgspec.convert(json.loads(path.read_bytes()), Outcome)


class Measured(msgspec.Struct):
    """What was measured of a section, and when."""

    origin: Origin
    samples: Sequence[Samples]


def measured(path: Path) -> Measured:
    """Returns what a section's file has of it."""
    return msgspec.convert(json.loads(path.read_bytes()), Measured)


def begun(path: Path, now: Origin) -> Sequence[Samples]:
    """Returns what was measured of a section that goes on now; nothing where it has not begun.

    Raises ConflictError where it was measured of another commit, machine, server or setting: figures of the
    two would stand in one table.
    """
    if not path.is_file():
        return ()
    found = measured(path)
    changed = [
        f"{name}: {getattr(found.origin, name)}, now {getattr(now, name)}"
        for name in Origin.__struct_fields__
        if name != "at" and getattr(found.origin, name) != getattr(now, name)
    ]
    if changed:
        raise ConflictError(
            f"{path} was measured under other conditions ({'; '.join(changed)})",
            hint="without --continue the section begins anew",
        )
    return found.samples
