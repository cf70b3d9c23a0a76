"""Measures claims that failed again, in fresh blocks that are judged alone."""

from __future__ import annotations

from dataclasses import replace

from assay.base.wording import counted
from assay.design.plan import choose_seed
from assay.design.study import study_hash
from assay.experiments.gate.in_english import in_english
from assay.experiments.gate.judging import gated_of
from assay.experiments.lab import OpenedStudy, carry_out, folder_of, judged, progress_of, results_folder
from assay.measurement.run import RunProgress
from assay.results.verdict import Check, Fresh, Gated, lack, with_hypotheses

FRESH = "confirm"
"""The folder, within the results, of the blocks in which claims are measured again."""
_SEEDS = 2**53


def confirmed(gated: Gated, again: OpenedStudy, progress: RunProgress, *, blocks: int) -> Gated:
    """Returns the outcome after fresh blocks: a check that failed fails only if it fails there, too.

    The fresh blocks have another seed, which orders their runs and makes their operations, and lie in the
    folder `confirm` within the results, so that they go with them. A check that cannot be judged there is
    unjudged. The noise of a machine lasts, so that two failures are not as rare as their product would have
    it.
    """
    study = again.study
    failed = [one for one in gated.checks if one.outcome == "failed"]
    progress.note(
        f"{counted(len(failed), 'check')} failed: measuring again in {counted(blocks, 'fresh block')}"
    )
    seed = progress_of(results_folder(gated.results), study_hash(study)).seed
    fresh = folder_of(study, gated.results / FRESH)
    carry_out(again, fresh, progress, seed=((choose_seed(study) if seed is None else seed) + 1) % _SEEDS)
    with judged(fresh, with_hypotheses(study)) as found:
        second = gated_of(found, fresh.path, is_current=True)
    there = {(one.number, one.load): one for one in second.checks}
    checks = tuple(
        _together(one, there.get((one.number, one.load))) if one.outcome == "failed" else one
        for one in gated.checks
    )
    return replace(gated, checks=checks, fresh=Fresh(blocks, fresh.path))


def _together(first: Check, second: Check | None) -> Check:
    if second is None:
        lacks = (lack("no-fresh-check"),)
        (check,) = in_english([replace(first, outcome="unjudged", lacks=lacks, first=first)])
        return check
    return replace(second, first=first)
