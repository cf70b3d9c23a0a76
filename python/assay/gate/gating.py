"""Carries a gate out, from a study or its results to the outcome: runs what is missing, judges, and confirms
what failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from assay.decoding import toml_tables
from assay.errors import InputError
from assay.gate.baseline import Ready, gate_against
from assay.gate.builds import with_builds, with_claims
from assay.gate.checks import Gated
from assay.gate.confirming import confirmed
from assay.gate.judging import gated_of, with_hypotheses
from assay.inner_path import AnyPath
from assay.lab import (
    Judged,
    OpenedStudy,
    carry_out,
    folder_of,
    judged,
    judging,
    open_study,
    results_folder,
    server_gap,
    standing,
)
from assay.run import RunProgress
from assay.stats import fewest_blocks
from assay.study import Changes, Study, changed_text, parse_study, read_study_text

_WITH_OWN_DATA = ("server.use", "schema.", "workload.")
"""Beginnings of keys whose levels have data of their own."""


@dataclass(frozen=True)
class Wanted:
    """The wishes of a caller beside the study: further claims, the two builds, its profile, blocks and
    results, the number of fresh blocks in which claims that fail are measured again, and the file of a
    baseline that stands for the base.
    """

    claims: Sequence[str] = ()
    base: str | None = None
    new: str | None = None
    profile: str | None = None
    results: Path | None = None
    blocks: int | None = None
    confirm: int | None = None
    baseline: Path | None = None


def gate(source: Path, wanted: Wanted, progress: RunProgress, ready: Ready | None = None) -> Gated:
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
    changes = _changes(source, wanted)
    opened = _opened(source, wanted, changes)
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
    file = source if is_run else folder.study_file
    more: Changes = {**changes, ("design", "blocks"): wanted.confirm, **_other_loads(study)}
    again = open_study(file, more, profile=wanted.profile)
    return confirmed(gated, again, progress, blocks=wanted.confirm)


def _other_loads(study: Study) -> Changes:
    """Returns the change by which fresh blocks have other loads of the data, where treatments have data of
    their own: the same loads would bring the same luck, and fail a claim again.
    """
    if not any(key.startswith(_WITH_OWN_DATA) for key in study.varied):
        return {}
    return {("design", "first_load"): study.design.first_load + min(study.design.loads, study.design.blocks)}


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


def _opened(source: Path, wanted: Wanted, changes: Changes) -> OpenedStudy:
    if not source.is_dir():
        return open_study(source, changes, profile=wanted.profile)
    file = results_folder(source).study_file
    text = read_study_text(file)
    study = parse_study(text, file, changes=changes, measured=True)
    return OpenedStudy(study, changed_text(text, file, changes))


def _refuse_for_results(source: Path, wanted: Wanted) -> None:
    for name in ("base", "new", "profile", "results", "blocks"):
        if getattr(wanted, name) is not None:
            raise InputError(
                f"--{name} needs a study file: {source} is a results folder, whose runs are made",
                hint=f"give the study file, or leave --{name} out",
            )


def _against(
    source: Path, baseline: Path, wanted: Wanted, progress: RunProgress, ready: Ready | None
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
        profile=wanted.profile,
        results=wanted.results,
        blocks=wanted.blocks,
    )


def _changes(source: Path, wanted: Wanted) -> Changes:
    file: AnyPath = results_folder(source).study_file if source.is_dir() else source
    profile = None if source.is_dir() else wanted.profile
    if (wanted.base is None) != (wanted.new is None):
        given, other = ("--new", "--base") if wanted.base is None else ("--base", "--new")
        raise InputError(f"{given} needs {other}: a gate compares two builds")
    raw = toml_tables(changed_text(read_study_text(file), file, {}, profile).kept)
    changes: dict[tuple[str | int, ...], object] = {}
    if wanted.base is not None and wanted.new is not None:
        # Its faults are named as those of the file; the options say which servers.
        open_study(file, {("gate",): [], **server_gap(file, wanted.base, profile)}, profile=profile)
        changes |= with_builds(raw, wanted.base, wanted.new)
    if wanted.claims:
        changes |= with_claims(raw, wanted.claims)
    if wanted.blocks is not None:
        changes["design", "blocks"] = wanted.blocks
    return changes


def _check(source: Path, study: Study, wanted: Wanted) -> None:
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
