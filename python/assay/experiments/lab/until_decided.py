"""Runs a study until it is decided: blocks up to each planned look, then the decision whether to go on."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from assay.base.errors import InputError
from assay.base.wording import counted, duration
from assay.design.folder import End, Looks, ResultsFolder, change_looks
from assay.design.study import Study, study_hash
from assay.experiments.lab.carrying_out import carry_out, planned
from assay.experiments.lab.judging import judged, judging
from assay.experiments.lab.looking import planned_looks
from assay.experiments.lab.opening import OpenedStudy
from assay.experiments.lab.progress import progress_of
from assay.measurement.fleet import Backend, BlockHosts
from assay.measurement.run import Outcome, RunProgress
from assay.reporting.live import recorded
from assay.results.verdict import Results, count_treatments


@dataclass(frozen=True)
class Limits:
    """The limits of a study that stays undecided: blocks in all, and seconds of this call (None: no
    limit).
    """

    most: int = 40
    budget_s: float | None = None


@dataclass(frozen=True)
class Open:
    """The undecided of `of` verdicts: the blocks that each still needs; None where more blocks would not
    help.
    """

    of: int
    needed: tuple[int | None, ...]

    def hopeless(self, blocks_left: int) -> bool:
        """Returns whether none of the undecided would probably be decided by this many more blocks."""
        return all(more is None or more > blocks_left for more in self.needed)


def until_decided(
    opened_with: Callable[[int], OpenedStudy],
    folder: ResultsFolder,
    progress: RunProgress,
    limits: Limits,
    *,
    seed: int | None = None,
    backend: Backend | None = None,
    hosts: BlockHosts | None = None,
) -> Outcome:
    """Carries a study out, look by look, until it is decided or a limit ends it.

    `opened_with` returns the study with a given number of blocks. Raises what `carry_out` raises; a signal
    leaves the finished runs and the looks, and a repeated call continues there. Looks do not depend on what
    was measured, so verdicts hold however the study ends.
    """
    with recorded(progress, folder) as record:
        return _until_decided(opened_with, folder, record, limits, seed, backend, hosts)


def _until_decided(
    opened_with: Callable[[int], OpenedStudy],
    folder: ResultsFolder,
    progress: RunProgress,
    limits: Limits,
    seed: int | None,
    backend: Backend | None,
    hosts: BlockHosts | None,
) -> Outcome:
    began = time.monotonic()
    study = opened_with(limits.most).study
    if not study.hypotheses and count_treatments(study) == 1:
        raise InputError(
            "--until-decided needs something to decide: the study has one treatment and no hypothesis",
            hint="write a [[hypothesis]] or a [[factor]], or leave --until-decided out",
        )
    looks = planned_looks(folder, study, limits.most)
    there = _complete_blocks(folder, study, seed)
    total = Outcome(done=0, skipped=0, failed=(), seconds=0.0)
    for blocks in (count for count in looks.schedule if count >= there):
        if there and _beyond(limits, began, _blocks_s(folder, study, blocks - there, hosts)):
            _end(folder, "budget")
            progress.note(
                f"stopped at {counted(there, 'block')}: the next look is at {blocks}, beyond the budget of"
                f" {duration(limits.budget_s or 0)}"
            )
            break
        outcome = carry_out(opened_with(blocks), folder, progress, seed=seed, backend=backend, hosts=hosts)
        total = Outcome(
            done=total.done + outcome.done,
            skipped=total.skipped or outcome.skipped,
            failed=outcome.failed,
            seconds=time.monotonic() - began,
        )
        if outcome.failed:
            break  # the same command does them again
        there = blocks
        with judging(folder, progress), judged(folder, opened_with(blocks).study) as found:
            still = undecided(found.results)
        end = _ended(still, blocks, limits.most)
        progress.note(_said(still, blocks, end, looks.after(blocks)))
        if end is not None:
            _end(folder, end)
            break
    return total


def undecided(results: Results) -> Open:
    """Returns the undecided hypotheses; for a study without any, the undecided comparisons."""
    if results.hypotheses:
        found: Sequence[int | None] = [
            None if one.too_many_blocks else one.more_blocks
            for one in results.hypotheses
            if one.word == "undecided"
        ]
        return Open(len(results.hypotheses), tuple(found))
    words = ("undecided", "more", "less", "estimate-only")
    found = [one.more_blocks for one in results.comparisons if one.word in words]
    return Open(len(results.comparisons), tuple(found))


def _ended(still: Open, blocks: int, most: int) -> End | None:
    if not still.needed:
        return "decided"
    if blocks >= most:
        return "most"
    return "no-hope" if still.hopeless(most - blocks) else None


def _complete_blocks(folder: ResultsFolder, study: Study, seed: int | None) -> int:
    done = progress_of(folder, study_hash(study)).done
    missing = (run.block for run in planned(study, folder, seed).runs if run.run_id not in done)
    return min(missing, default=study.design.blocks + 1) - 1


def _beyond(limits: Limits, began: float, ahead_s: float) -> bool:
    return limits.budget_s is not None and time.monotonic() - began + ahead_s > limits.budget_s


def _block_s(folder: ResultsFolder, study: Study) -> float:
    """Returns the seconds of a block, by the finished runs."""
    observed = progress_of(folder, study_hash(study)).observed_s
    return sum(observed) / len(observed) * count_treatments(study) if observed else 0.0


def _blocks_s(folder: ResultsFolder, study: Study, blocks: int, hosts: BlockHosts | None) -> float:
    """Returns the seconds of some blocks; hosts carry them out side by side."""
    rounds = blocks if hosts is None else math.ceil(blocks / len(hosts.agents))
    return rounds * _block_s(folder, study)


def _end(folder: ResultsFolder, why: End) -> None:
    def ended(looks: Looks | None) -> Looks:
        assert looks is not None  # they were planned before the first block
        return msgspec.structs.replace(looks, ended=why)

    change_looks(folder, ended)


def _said(still: Open, blocks: int, end: End | None, following: int | None) -> str:
    decided = f"look at {counted(blocks, 'block')}: {still.of - len(still.needed)} of {still.of} decided"
    match end:
        case "decided":
            return f"{decided}; done"
        case "no-hope":
            return f"{decided}; stopped, because repeating would hardly settle the rest"
        case "most":
            return f"{decided}; stopped at the most blocks that were allowed"
        case _:
            return f"{decided}; the next look is at {following}"
