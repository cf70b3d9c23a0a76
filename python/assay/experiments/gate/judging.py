"""Judges the gates of results with what this machine keeps: the noise of equal copies, and server files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from assay.base.errors import AssayError
from assay.design.study import Conditions
from assay.experiments.gate.in_english import in_english
from assay.experiments.gate.rebuilt import rebuilt
from assay.experiments.lab import Judged, NoiseFinder, judged, noise_around, standing
from assay.results.verdict import Gated, judge_gates, with_hypotheses


def gate_of_judged(found: Judged) -> Gated | None:
    """Returns the outcome of the gates of judged results; None where the study has none, or where runs are
    missing: a gate judges complete studies only.

    Raises what `judged` raises.
    """
    there = standing(found.folder)
    if not found.study.gates or there.complete + there.failed < there.planned:
        return None
    with judged(found.folder, with_hypotheses(found.study)) as again:
        return gated_of(again, found.folder.path, is_current=False)


def gated_of(found: Judged, results: Path, *, is_current: bool) -> Gated:
    """Returns the outcome of the gates of results that were judged by `with_hypotheses`.

    `is_current`: the results must be of the server files that are on this machine at present.
    """
    made = judge_gates(found, results, _copies(found), dict(rebuilt(found)) if is_current else None)
    return replace(made, checks=in_english(made.checks))


def _copies(found: Judged) -> Callable[[str, Conditions, str], Sequence[float]]:
    """Returns what finds the spread of equal copies that is kept; nothing where there is no engine to ask for
    the size of the data, by which it is known which noise fits.
    """

    @cache
    def kept() -> NoiseFinder:
        return noise_around(found.study)

    def copies(treatment: str, conditions: Conditions, measure: str) -> Sequence[float]:
        try:
            return [one.log_sd for one in kept()(treatment, conditions, measure)]
        except AssayError:
            return ()

    return copies
