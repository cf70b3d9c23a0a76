"""Makes a study that compares two builds, from another study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import InputError
from assay.design.study import SERVER, SERVER_USE, Factor, Study, VerdictOptions, derive, parse_study
from assay.experiments.lab import OpenedStudy, open_derived, open_study
from assay.results.verdict import higher_is_better


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
        pair = Factor(name=SERVER_USE, levels=(question.good, question.other))
        study = derive.at_load(derive.at_levels(self.study, levels), question.load)
        study = derive.with_treatments(study, [pair], blocks=blocks)
        study = derive.named(study, name, description=study.description)
        study = derive.with_hypothesis(study, question.claim, margin=question.margin)
        judged = derive.with_verdict(study, VerdictOptions(confidence=question.confidence))
        return open_derived(judged, self.path)


def template(path: Path, scale: str | None = None, *, use: str) -> Template:
    """Reads a study file as a template of paired studies; one that names no server measures `use`. Raises
    InputError for one that is wrong.

    Its gates are left out: they may name builds that the file does not have, and no paired study takes them.
    """
    return _of(open_study(path, {("gate",): []}, scale=scale, server=use).study, path)


def template_of(text: str, path: Path) -> Template:
    """Reads the text of a study as a template of paired studies; `path` is for messages."""
    return _of(parse_study(text, path), path)


def _of(study: Study, path: Path) -> Template:
    if study.subject != SERVER:
        raise InputError(f"{path}: loads storage: it has no builds to compare")
    return Template(path, study)
