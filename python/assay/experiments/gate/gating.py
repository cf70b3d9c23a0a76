"""Carries a gate out, from a study or its results to the outcome: runs what is missing, judges, and confirms
what failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import InputError
from assay.base.inner_path import AnyPath
from assay.design.study import Changes, Study, changes_between, derive
from assay.experiments.gate.baseline import Ready, gate_against
from assay.experiments.gate.confirming import confirmed
from assay.experiments.gate.judging import gated_of
from assay.experiments.lab import (
    OpenedStudy,
    carry_out,
    folder_of,
    judged,
    judging,
    open_study,
    reopen,
    results_folder,
)
from assay.measurement.run import RunProgress
from assay.measurement.source.dataset import data_loads
from assay.results.stats import fewest_blocks
from assay.results.verdict import Gated, with_hypotheses


@dataclass(frozen=True)
class GateRequest:
    """The wishes of a caller beside the study: further claims, the two builds, its scale, blocks and
    results, the number of fresh blocks in which claims that fail are measured again, and the file of a
    baseline that stands for the base.
    """

    claims: Sequence[str] = ()
    base: str | None = None
    new: str | None = None
    scale: str | None = None
    results: Path | None = None
    blocks: int | None = None
    confirm: int | None = None
    baseline: Path | None = None


def gate(source: Path, wanted: GateRequest, progress: RunProgress, ready: Ready | None = None) -> Gated:
    """Returns the outcome of the gates of a study, which is run first where runs are missing, or of a results
    folder, which is judged as it is.

    `ready` is called before the first run. Claims that failed are measured again where `wanted.confirm` says
    so, also those of a results folder.
    Raises InputError for a study without a gate, and what `carry_out` raises. Must be called in the main
    thread, which receives signals.
    """
    is_run = not source.is_dir()
    if not is_run:
        _refuse_for_results(source, wanted)
    if wanted.baseline is not None:
        return _against(source, wanted.baseline, wanted, progress, ready)
    file: AnyPath = source if is_run else results_folder(source).study_file
    opened = _opened(file, wanted, measured=not is_run)
    study = opened.study
    _check(source, study, wanted)
    folder = folder_of(study, wanted.results) if is_run else results_folder(source)
    if is_run:
        if ready is not None:
            ready(opened)
        carry_out(opened, folder, progress)
    with (
        judging(folder, progress) if is_run else nullcontext(),
        judged(folder, with_hypotheses(study)) as found,
    ):
        gated = gated_of(found, folder.path, is_current=is_run)
    if wanted.confirm is None or not any(one.outcome == "failed" for one in gated.checks):
        return gated
    # The same loads of the data would bring the same luck, and fail a claim again.
    fresh = derive.with_other_loads(study, data_loads(study))
    again = reopen(opened, derive.with_blocks(fresh, wanted.confirm))
    return confirmed(gated, again, progress, blocks=wanted.confirm)


def _opened(file: AnyPath, wanted: GateRequest, *, measured: bool) -> OpenedStudy:
    """Returns the study in a file with the builds, claims and blocks that are wanted."""
    opened = open_study(file, _of_builds(file, wanted), scale=wanted.scale, measured=measured)
    study = derive.with_claims(opened.study, wanted.claims)
    if wanted.blocks is not None:
        study = derive.with_blocks(study, wanted.blocks)
    return opened if study == opened.study else reopen(opened, study, measured=measured)


def _of_builds(file: AnyPath, wanted: GateRequest) -> Changes:
    """Returns the changes that give the study in a file the two builds."""
    if (wanted.base is None) != (wanted.new is None):
        given, other = ("--new", "--base") if wanted.base is None else ("--base", "--new")
        raise InputError(f"{given} needs {other}: a gate compares two builds")
    if wanted.base is None or wanted.new is None:
        return {}
    # Its gates may name the builds, which it does not have yet.
    study = open_study(file, {("gate",): []}, scale=wanted.scale, server=wanted.base).study
    return changes_between(study, derive.with_builds(study, wanted.base, wanted.new))


def _refuse_for_results(source: Path, wanted: GateRequest) -> None:
    for name in ("base", "new", "scale", "results", "blocks"):
        if getattr(wanted, name) is not None:
            raise InputError(
                f"--{name} needs a study file: {source} is a results folder, whose runs are made",
                hint=f"give the study file, or leave --{name} out",
            )


def _against(
    source: Path, baseline: Path, wanted: GateRequest, progress: RunProgress, ready: Ready | None
) -> Gated:
    for name in ("base", "confirm"):
        if getattr(wanted, name) is not None:
            raise InputError(
                f"--{name} cannot be combined with --baseline: the base is not run",
                hint="leave --baseline out, so that both builds run in the same blocks",
            )
    return gate_against(
        source,
        baseline,
        progress,
        ready,
        claims=wanted.claims,
        new=wanted.new,
        scale=wanted.scale,
        results=wanted.results,
        blocks=wanted.blocks,
    )


def _check(source: Path, study: Study, wanted: GateRequest) -> None:
    if not study.gates:
        raise InputError(
            f"{source}: has no [[gate]], and no --require states a claim",
            hint='write a [[gate]], or give --require "tps[build=new]/tps[build=base] >= 0.97"',
        )
    fewest = fewest_blocks(study.verdict.confidence)
    if wanted.confirm is not None and wanted.confirm < fewest:
        percent = study.verdict.confidence * 100
        raise InputError(
            f"--confirm {wanted.confirm}: needs at least {fewest} blocks: fewer decide nothing at"
            f" {percent:g} %"
        )
