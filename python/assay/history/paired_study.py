"""A study that sets two builds against each other, made from another study."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from assay.errors import InputError
from assay.lab import OpenedStudy
from assay.study import SERVER, Study, StudyText, fix_factors, parse_study, read_study_text
from assay.verdict import higher_is_better


@dataclass(frozen=True)
class Question:
    """Whether one build is worse than another: by which measure, where, beyond which margin, how surely."""

    good: str
    other: str
    measure: str
    load: float
    margin: float
    confidence: float

    @property
    def claim(self) -> str:
        """`tps[use="a"] > tps[use="b"]`: supported when `other` is worse by more than the margin."""
        good, other = (f'{self.measure}[use="{use}"]' for use in (self.good, self.other))
        return f"{good} > {other}" if higher_is_better(self.measure) else f"{other} > {good}"


@dataclass(frozen=True)
class Template:
    """A study file that paired studies are made of: all of it but builds, load points and hypotheses."""

    path: Path
    raw: Mapping[str, Any]
    study: Study

    def load(self, named: float | None) -> float:
        """`named`, else the last load point. InputError where the study has no such point."""
        points = self.study.load.rungs
        if named is not None and named not in points:
            there = ", ".join(f"{point:g}" for point in points)
            raise InputError(f"--at {named:g}: {self.path} has no such load point", hint=f"it has {there}")
        return points[-1] if named is None else named

    def measure(self, named: str | None) -> str:
        """`named`, else what the first hypothesis speaks of, else throughput."""
        terms = [term for one in self.study.hypotheses for term in one.terms]
        return named or (terms[0].measure if terms else SERVER.throughput)

    def asking(
        self, question: Question, name: str, blocks: int, levels: Mapping[str, str] | None = None
    ) -> OpenedStudy:
        """The study that answers a question with so many blocks. InputError when that is no study.

        Every factor but the server is at its level of `levels` (full name -> text), or at its first.
        """
        raw = deepcopy(dict(self.raw))
        fix_factors(raw, self.study.factors, levels)
        raw.setdefault("server", {}).pop("use", None)
        raw["study"] = {**raw.get("study", {}), "name": name}
        raw["study"].pop("title", None)
        raw["factor"] = [{"name": "server.use", "levels": [question.good, question.other]}]
        raw["load"][self.study.load.kind] = [_plain(question.load)]
        raw["hypothesis"] = [{"claim": question.claim, "margin": question.margin}]
        raw["verdict"] = {"confidence": question.confidence}
        raw["design"] = {**raw.get("design", {}), "blocks": blocks}
        text = tomlkit.dumps(raw)
        return OpenedStudy(parse_study(text, self.path), StudyText(self.path, text))


def template(path: Path) -> Template:
    """A study file, to make paired studies of. InputError for one that is wrong, or has no server."""
    return template_of(read_study_text(path), path)


def template_of(text: str, path: Path) -> Template:
    """The text of a study, to make paired studies of; `path` is for messages."""
    study = parse_study(text, path)
    if study.subject != SERVER:
        raise InputError(f"{path}: loads storage: it has no builds to compare")
    return Template(path, tomllib.loads(text), study)


def _plain(load: float) -> float | int:
    return int(load) if float(load).is_integer() else load
