"""The meanings and units of tables' columns."""

from __future__ import annotations

from assay.design.study import MEASURES

_MEANING = {
    "run_id": "a run: block, position in it, treatment",
    "why": "why a run was set aside: failed, damaged, or superseded with the rest of its block",
    "treatment": "a combination of levels, as the report names it",
    "block": "a pass over all treatments, from 1",
    "rung": "the place of a load point in the run, from 1",
    "load": "the load point: threads, operations a second or a depth, as the study has them",
    "measure": "the name of a measure, as claims write it",
    "unit": "the unit of the value",
    "used": "false where a doubt makes the value invalid: no estimate or verdict counts it",
    "baseline": "the treatment that is compared with",
    "other": "the treatment that is compared",
    "ratio": "other / baseline, geometric mean over blocks",
    "low": "lower end of the interval at the study's confidence",
    "high": "upper end of the interval at the study's confidence",
    "p_value": "sign-flip permutation test over blocks, two-sided",
    "blocks": "blocks that count",
    "margin": "ratios from 1 / (1 + margin) to 1 + margin are the same",
    "word": "better, worse, same, more, less, undecided, estimate-only, or worth-a-study (of a screen)",
    "more_blocks": "how many more blocks would probably settle what is undecided",
    "detectable": "smallest ratio whose direction blocks of this spread find in 80 % of studies",
    "beyond_p": "t test over blocks, two-sided, of: the ratio lies within the margin",
    "q_value": "beyond_p, adjusted for all comparisons of the study (Benjamini, Hochberg)",
    "doubts": "kinds of the warnings about it",
    "outcome": "supported, refuted or undecided",
    "named": "before: the claim was named before the first block, on these terms; after; unknown",
    "named_after": "how many blocks were seen when it was named",
    "hypothesis": "the number of the hypothesis in the study, from 1",
    "severity": "note, warning or invalid",
    "t_s": "since the measured window began",
    "in_flight": "operations begun and not ended",
    "queued": "operations that were due and not begun",
}
_SUFFIXES = {
    "_ms": "ms",
    "_us": "µs",
    "_ns": "ns",
    "_s": "s",
    "_bytes": "bytes",
    "_mib_per_s": "MiB/s",
    "_percent": "%",
    "_pct": "%",
}


def meaning_of(column: str) -> str:
    """Returns the meaning of a column; empty where its name says it."""
    return _MEANING.get(column, "")


def unit_of(column: str) -> str:
    """Returns the unit of a column: a measure's own, otherwise that of the name's ending; empty where it has
    none.
    """
    if column in MEASURES:
        return MEASURES[column]
    return next((unit for suffix, unit in _SUFFIXES.items() if column.endswith(suffix)), "")
