"""Makes a study that compares two builds, from another study."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from assay.decoding import toml_tables
from assay.errors import InputError
from assay.lab import OpenedStudy, server_gap
from assay.study import (
    OF_ANY_DESIGN,
    SERVER,
    Study,
    StudyText,
    changed_text,
    fix_factors,
    parse_study,
    read_study_text,
)
from assay.verdict import higher_is_better


@dataclass(frozen=True)
class Question:
    """The question whether one build is worse than another: measure, load, margin and confidence."""

    good: str
    other: str
    measure: str
    load: float
    margin: float
    confidence: float

    @property
    def claim(self) -> str:
        """The claim that `other` is worse by more than the margin: `tps[use="a"] > tps[use="b"]`."""
        good, other = (f'{self.measure}[use="{use}"]' for use in (self.good, self.other))
        return f"{good} > {other}" if higher_is_better(self.measure) else f"{other} > {good}"


@dataclass(frozen=True)
class Template:
    """A study file from which paired studies take everything but builds, load points and hypotheses."""

    path: Path
    raw: Mapping[str, Any]
    study: Study

    def load(self, named: float | None) -> float:
        """Returns the load point `named`, otherwise the last one. Raises InputError where the study lacks
        it.
        """
        points = self.study.load.rungs
        if named is not None and named not in points:
            there = ", ".join(f"{point:g}" for point in points)
            raise InputError(f"--at {named:g}: {self.path} has no such load point", hint=f"it has {there}")
        return points[-1] if named is None else named

    def measure(self, named: str | None) -> str:
        """Returns the measure `named`, otherwise that of the first hypothesis, otherwise throughput."""
        terms = [term for one in self.study.hypotheses for term in one.terms]
        return named or (terms[0].measure if terms else SERVER.throughput)

    def asking(
        self, question: Question, name: str, blocks: int, levels: Mapping[str, str] | None = None
    ) -> OpenedStudy:
        """Returns the study that answers a question with `blocks` blocks. Raises InputError when that is no
        valid study.

        Every factor but the server is at its level of `levels` (full name -> text), or at its first.
        """
        raw = deepcopy(dict(self.raw))
        fix_factors(raw, self.study.factors, levels)
        raw.setdefault("server", {}).pop("use", None)
        raw["study"] = {**raw.get("study", {}), "name": name}
        raw["study"].pop("title", None)
        raw["study"].pop("profile", None)  # it is applied already
        raw.pop("profile", None)
        raw["factor"] = [{"name": "server.use", "levels": [question.good, question.other]}]
        raw["load"][self.study.load.kind] = [_plain(question.load)]
        raw["hypothesis"] = [{"claim": question.claim, "margin": question.margin}]
        raw.pop("gate", None)
        raw["verdict"] = {"confidence": question.confidence}
        kept = {key: value for key, value in raw.get("design", {}).items() if key in OF_ANY_DESIGN}
        raw["design"] = kept | {"blocks": blocks}
        text = tomlkit.dumps(raw)
        return OpenedStudy(parse_study(text, self.path), StudyText(self.path, text))


def template(path: Path, profile: str | None = None, *, use: str) -> Template:
    """Reads a study file as a template of paired studies; one that names no server measures `use`. Raises
    InputError for one that is wrong.
    """
    text = changed_text(read_study_text(path), path, server_gap(path, use, profile), profile)
    return template_of(text.kept, path)


def template_of(text: str, path: Path) -> Template:
    """Reads the text of a study as a template of paired studies; `path` is for messages."""
    study = parse_study(text, path)
    if study.subject != SERVER:
        raise InputError(f"{path}: loads storage: it has no builds to compare")
    return Template(path, toml_tables(text), study)


def _plain(load: float) -> float | int:
    return int(load) if float(load).is_integer() else load
