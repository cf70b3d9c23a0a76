"""Plans and records looks at a study's verdicts: which are due, and at what level."""

from __future__ import annotations

import errno
import time
from collections.abc import Mapping
from dataclasses import replace

import msgspec

from assay.base.errors import ConflictError, InputError
from assay.design.folder import Look, Looks, ResultsFolder, change_looks, read_looks
from assay.design.study import Study, named_claims, verdict_terms
from assay.results.stats import Gate, fewest_blocks, looks_until, nominal_level, summed_error
from assay.results.verdict import LooksTaken, Results


def gate_at(looks: Looks | None, confidence: float, blocks: int) -> Gate:
    """Returns the requirements of a verdict at this number of complete blocks; between planned looks, the
    next look's.
    """
    if looks is None or looks.level is None:
        return Gate.of(confidence)
    fewest = fewest_blocks(looks.confidence)
    if not looks.due(blocks):
        fewest = looks.after(blocks) or blocks + 1
    return Gate(round(1 - looks.level, 4), fewest, sequential=True)


def planned_looks(folder: ResultsFolder, study: Study, most: int) -> Looks:
    """Returns the looks of a study that runs until it is decided, recorded before its first block.

    Raises InputError where `most` is below what a verdict needs, ConflictError where others were planned.
    """
    confidence = study.verdict.confidence
    fewest = fewest_blocks(confidence)
    if most < fewest:
        raise InputError(
            f"--most {most}: needs at least {fewest}: fewer decide nothing at {confidence * 100:g} %",
            hint=f"give --most {max(fewest, 40)}",
        )
    schedule = looks_until(most, fewest)
    known = read_looks(folder)
    if known is not None and known.schedule:
        if (known.schedule, known.confidence) != (schedule, confidence):
            raise ConflictError(
                f"{folder.path} was begun with looks at {', '.join(map(str, known.schedule))} blocks at"
                f" {known.confidence * 100:g} % confidence, which cannot be changed once there are results",
                hint=f"give --most {known.schedule[-1]}, or another folder with --results",
            )
        return known
    level = nominal_level(schedule, confidence)
    return change_looks(
        folder,
        lambda looks: Looks(
            confidence=confidence, schedule=schedule, level=level, seen=looks.seen if looks else ()
        ),
    )


def with_look(folder: ResultsFolder, study: Study, results: Results, blocks: int) -> Results:
    """Returns the results with the looks taken so far; this one is recorded where it gives verdicts.

    Looking again without further blocks is the same look.
    """
    gives_verdicts = blocks >= results.gate.fewest and bool(results.hypotheses or results.comparisons)
    looks = read_looks(folder)
    if gives_verdicts and not is_last(looks, blocks, verdict_terms(study)):
        looks = _taken(folder, study, results, blocks)
    if looks is None:
        return results
    # Planned looks share the study's own level; any other costs its own.
    unplanned = [one.level for one in looks.seen if one.level != _rounded(looks.level)]
    shared = [1 - looks.confidence] if looks.schedule else []
    return replace(
        results,
        looks=LooksTaken(
            schedule=looks.schedule,
            seen=tuple(one.blocks for one in looks.seen),
            confidence=looks.confidence,
            error=summed_error([*shared, *unplanned]),
            due=looks.due(blocks),
            ended=looks.ended,
        ),
    )


def is_last(looks: Looks | None, blocks: int, terms: Mapping[str, str | float] | None = None) -> bool:
    """Returns whether the last look was at so many blocks; with `terms`, also whether [verdict] said the
    same.
    """
    if looks is None or not looks.seen or looks.seen[-1].blocks != blocks:
        return False
    return not terms or not looks.seen[-1].terms or looks.seen[-1].terms == terms


def _taken(folder: ResultsFolder, study: Study, results: Results, blocks: int) -> Looks:
    """Returns the looks including this one, and records it; a folder that cannot be written keeps no
    record.
    """
    look = Look(
        blocks=blocks,
        level=round(1 - results.gate.confidence, 4),
        at_wall_ns=time.time_ns(),
        claims=tuple(named_claims(study)),
        terms=verdict_terms(study),
        outcomes={one.claim: one.outcome for one in results.hypotheses},
    )

    def with_this(looks: Looks | None) -> Looks:
        looks = looks or Looks(confidence=study.verdict.confidence)
        if is_last(looks, blocks, look.terms):
            return looks
        return msgspec.structs.replace(looks, seen=(*looks.seen, look))

    try:
        return change_looks(folder, with_this)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise
        return with_this(read_looks(folder))


def _rounded(level: float | None) -> float | None:
    return None if level is None else round(level, 4)
