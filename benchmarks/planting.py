"""Plants slow-downs between two treatments, and reads whether `assay why` names them first.

The rows are in `planted/plants.toml`; each becomes a study of its own, as a person would write it.
"""

from __future__ import annotations

import json
import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.child import ContestantFailed, run_child, well_ended
from benchmarks.rows import Figures

PLANTED = Path(__file__).with_name("planted")
RESULTS = Path("results/bench/why")
"""Each plant's study, its results, and what `assay why` said of them (`why.txt`)."""
_ASSAY = [sys.executable, "-m", "assay.front.cli"]
_LEVELS = ("without", "with")
_RUN_S = 60.0
"""Seconds of a run, with its profile window and its reading; a busy machine takes longer."""
_PATIENCE = 10
_READ_S = 600.0
_BASE: Mapping[str, Any] = {
    "server": {"variables": {"innodb_buffer_pool_size": "64M"}},
    "load": {"threads": [4], "warmup": "1s", "measure": "2s", "profile_s": 4},
    "design": {"loads": 1},
}


@dataclass(frozen=True)
class Plant:
    """One slow-down. `first` is what may be named first, `ledger group` or `plans`; nothing of a plant that
    changes nothing: then no line may be named. `blocks`: more than others need. `server`: the flavour that it
    is for, "" for any.
    """

    name: str
    first: Sequence[str] = ()
    study: Mapping[str, Any] = field(default_factory=dict)
    without: Mapping[str, Any] = field(default_factory=dict)
    with_: Mapping[str, Any] = field(default_factory=dict)
    statements: bool = False
    blocks: int = 6
    server: str = ""

    @property
    def slug(self) -> str:
        """The name for folders and studies."""
        return "".join(one if one.isalnum() else "-" for one in self.name.lower())

    def text(self, server: str, blocks: int) -> str:
        """Returns the study file."""
        own = {"study": {"name": self.slug}, "server": {"use": server}, "design": {"blocks": blocks}}
        if self.statements:
            own["workload"] = {"use": "sql:statements.sql"}
        tables = _merged(_merged(_BASE, own), self.study)
        vary = {key for level in (self.without, self.with_) for key, _ in _keys(level)}
        lines: list[str] = []
        for table, values in tables.items():
            lines.append(f"[{table}]")
            lines += [f"{k} = {json.dumps(v)}" for k, v in _keys(values) if f"{table}.{k}" not in vary]
        if not vary:
            return "\n".join([*lines, "[[factor]]", 'name = "copy"', "levels = [1, 2]", ""])
        lines += ["[[factor]]", 'name = "plant"', "[factor.settings]"]
        for name, level in zip(_LEVELS, (self.without, self.with_), strict=True):
            lines.append(f"{name} = {{ {', '.join(f'{k} = {json.dumps(v)}' for k, v in _keys(level))} }}")
        return "\n".join([*lines, ""])


def plants(path: Path = PLANTED / "plants.toml") -> list[Plant]:
    """Returns the rows in their order. Raises TypeError for one with a key that is not known."""
    rows = tomllib.loads(path.read_text())["plant"]
    return [Plant(**{"with_" if key == "with" else key: value for key, value in row.items()}) for row in rows]


def explained(plant: Plant, server: str, blocks: int) -> Figures:
    """Carries the study of a plant out, and returns whether its line was named first, as `judged` does."""
    folder = RESULTS / plant.slug
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in PLANTED.glob("*.sql"):
        shutil.copy(file, folder)
    study, results = folder / "study.toml", folder / "results"
    study.write_text(plant.text(server, blocks))
    limit_s = _PATIENCE * _RUN_S * 2 * blocks
    command: list[str | Path] = [*_ASSAY, "run", study, "--why", "--no-report", "--results", results]
    well_ended(run_child(command, limit_s=limit_s))
    return judged(plant)


def judged(plant: Plant) -> Figures:
    """Returns whether the line of a plant whose study was carried out is named first, by today's rules.

    Figures: `named_first`, 1 or 0; `place`, the place of the first expected thing among what is to be looked
    at; `named`, how many lines were named in all ledgers.
    """
    folder = RESULTS / plant.slug
    said = well_ended(run_child([*_ASSAY, "why", folder / "results", "--json"], limit_s=_READ_S)).stdout
    found = json.loads(said)
    (folder / "why.json").write_text(said)
    (folder / "why.txt").write_text("\n".join([*found["first"], *found["sentences"], *found["missing"], ""]))
    return named(found, plant.first)


def named(found: Mapping[str, Any], first: Sequence[str]) -> Figures:
    """Returns the figures of what `assay why --json` has printed. With too few blocks for any word, estimates
    stand for what is certain.
    """
    ledgers = found["ledgers"]
    if not ledgers:
        raise ContestantFailed("assay why has no ledger of these results")
    moved = sum(one["word"] == "moved" and not one["line"] for of in ledgers for one in of["lines"])
    if not first:
        return {"named_first": float(not moved), "named": float(moved)}
    looks = [_look(one) for pair in found["looks"] for one in pair["at"]]
    place = next((place for place, one in enumerate(looks, start=1) if one in first), None)
    if place is None:
        return {"named_first": 0.0, "named": float(moved)}
    return {"named_first": float(place == 1), "place": float(place), "named": float(moved)}


def _look(one: Mapping[str, Any]) -> str:
    return str(one["ledger"]) if one["line"] is None else f"{one['ledger']} {one['line']['group']}"


def _keys(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _keys(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(one)
    for key, value in other.items():
        both = isinstance(value, Mapping) and isinstance(found.get(key), Mapping)
        found[key] = _merged(found[key], value) if both else value
    return found
