"""Declares what each kind of doubt can do to a figure: the sorts of measures that it reaches, the side on
which the true value may lie, and how far.

A kind that is not listed may change anything by any amount.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from assay.base.tally import share_of
from assay.design.study import CORRECTED, HIGHER_IS_BETTER, STALLED, TIMES, parted

Sort = Literal["rate", "time", "tail", "cost", "other"]
"""Sorts of measures: throughput, times up to the 95th percentile, times beyond, what samples and counters of
the server show, and all else."""

_TAIL = 0.99
_COSTS = ("_per_query", "_per_transaction", "_pct", "_mib", "load_average", "run_queue")


def sort_of(measure: str) -> Sort:
    """Returns the sort of a measure."""
    whole = parted(measure)[1]
    if whole in HIGHER_IS_BETTER and not whole.endswith("_pct"):
        return "rate"
    share = share_of(whole)
    if share is not None or whole.removeprefix(CORRECTED) in TIMES:
        return "tail" if share is not None and share >= _TAIL else "time"
    if whole != STALLED and (measure.startswith("status.") or whole.endswith(_COSTS)):
        return "cost"
    return "other"


@dataclass(frozen=True)
class Bias:
    """How far the true value may lie from the measured one, and on which side.

    `size` names a fact of the doubt, or a measure of its run; without one, nobody knows how far. A `share` of
    0.04 is 4 % of the machine, of the time or of the operations; a `ratio` of 1.3 is that many times as much;
    `ms` are milliseconds in an operation, `ms-each` in each of its statements.
    """

    side: Literal["higher", "lower", "either"]
    size: str = ""
    unit: Literal["share", "ratio", "ms", "ms-each"] = "share"


Biases = Mapping[Sort, Bias]


@dataclass(frozen=True)
class Nature:
    """What a kind of doubt can do.

    `about` says which parts of claims it can reach: `all`; `levels`, those about one place; `pairs`, those
    that compare treatments; `named`, those that name it themselves. `of_machine`: the machine or the load
    generator on it is the cause, so that most runs may share it. `treatment` is the fact that names the only
    treatment it is about.
    """

    reaches: frozenset[Sort] = frozenset(get_args(Sort))
    biases: Biases = field(default_factory=dict)
    about: Literal["all", "levels", "pairs", "named"] = "all"
    of_machine: bool = False
    treatment: str = ""


_TIMED: frozenset[Sort] = frozenset({"rate", "time", "tail"})
_NOTHING: frozenset[Sort] = frozenset()
_HARMLESS = Nature(_NOTHING)


def _taken(size: str = "") -> Biases:
    """Returns the bias of what took a share of the processors from the server: without it the server does at
    most so much more. A tail may be due to it altogether.
    """
    return {"rate": Bias("higher", size), "time": Bias("lower", size), "tail": Bias("lower")}


def _apart(size: str) -> Biases:
    """Returns the bias of what may move all figures either way by a share."""
    return {sort: Bias("either", size) for sort in ("rate", "time", "tail", "cost")}


_UNKNOWN = (
    "carried-over", "changed-study", "clamped-setting", "conservation", "debug-build",
    "deferred-unfinished", "failed-run", "few-blocks", "grows", "huge-result", "hung-workers", "idle-data",
    "imported", "incomplete-window", "ledger-empty", "lost-figures", "misses", "missing-blocks",
    "mixed-engines", "no-steady-state", "no-transactions", "not-fresh-data", "not-steady", "pool-filling",
    "rebuild-unfinished", "removed-runs", "rolled-back", "row-count", "set-while-running",
    "shared-history", "starved-connection", "starved-terminal", "state-growing", "table-size",
    "terminals", "tiny-pool", "torn-block", "uncommitted", "unprepared", "unstored", "unwritten",
    "variable-drift", "warmup-cap",
)  # fmt: skip
"""Kinds of which nobody knows what they changed, or how much."""

_LIMITED = Nature(_TIMED, _taken(), of_machine=True)
"""The generator was the limit: the server could do more, nobody knows how much."""

KINDS: Mapping[str, Nature] = {
    # The machine, and the generator on it.
    "generator-busy": _LIMITED,
    "generator-cpu": _LIMITED,
    "near-ceiling": _LIMITED,
    "processors-busy": _LIMITED,
    "depth-not-reached": Nature(_TIMED, {"rate": Bias("higher")}),
    "generator-share": Nature(_TIMED, _taken("value"), of_machine=True),
    "quick-build": Nature(_TIMED, _taken("value"), of_machine=True),
    "foreign-load": Nature(biases=_taken("value"), of_machine=True),
    "stolen-time": Nature(biases=_taken("value"), of_machine=True),
    "other-measurement": Nature(of_machine=True),
    "noisy-canary": Nature(
        biases={sort: Bias("either", "value", "ratio") for sort in ("rate", "time", "tail", "cost")},
        of_machine=True,
    ),
    "costly-sampler": Nature(biases=_taken("value"), of_machine=True),
    "watched": Nature(biases=_taken("value"), of_machine=True),
    "stalled-loop": Nature(_TIMED, {"tail": Bias("lower")}, of_machine=True),
    "late-pacing": Nature(
        frozenset({"time", "tail"}),
        {"time": Bias("lower", "value", "ms"), "tail": Bias("lower")},
        of_machine=True,
    ),
    "late-reading": Nature(
        _TIMED,
        {
            "rate": Bias("higher", "reading_lateness_p99_ms", "ms-each"),
            "time": Bias("lower", "reading_lateness_p99_ms", "ms-each"),
            "tail": Bias("lower"),
        },
        of_machine=True,
    ),
    "fixed-addresses": Nature(of_machine=True),
    "foreign-unseen": Nature(of_machine=True),
    "hosts-share-machine": Nature(of_machine=True),
    "generator-on-server-host": Nature(of_machine=True),
    "late-start": Nature(of_machine=True),
    "uneven-generators": Nature(_TIMED, of_machine=True),
    # The window.
    "littles-law": Nature(_TIMED, {sort: Bias("either", "value") for sort in ("rate", "time")}),
    "unsteady": Nature(biases=_apart("change")),
    "not-reached": Nature(biases=_apart("change")),
    "cycling": Nature(biases=_apart("swing")),
    "window-too-short": Nature(biases=_apart("change")),
    "stalled": Nature(biases={"rate": Bias("higher", "part"), "time": Bias("lower"), "tail": Bias("lower")}),
    "failed-transactions": Nature(biases={"rate": Bias("either", "share")}),
    "failing": Nature(biases={"rate": Bias("either", "value")}),
    "drift-in-block": Nature(biases=_apart("change"), about="levels"),
    "drift-in-run": Nature(biases=_apart("change"), about="levels"),
    # What verdicts count already: lower bounds, and percentiles that have no word.
    "abandoned": Nature(frozenset({"time", "tail"}), {"time": Bias("higher"), "tail": Bias("higher")}),
    "dropped": Nature(frozenset({"time", "tail"}), {"time": Bias("higher"), "tail": Bias("higher")}),
    "few-operations": Nature(frozenset({"time", "tail"}), about="named"),
    # Between treatments.
    "one-load": Nature(
        biases={sort: Bias("either", "luck") for sort in ("rate", "time", "tail", "cost")}, about="named"
    ),
    "ratio-drifts": Nature(about="named"),
    "outlying-start": Nature(about="named"),
    "two-modes": Nature(about="named"),
    "one-binary": Nature(about="pairs"),
    "unequal": Nature(about="pairs"),
    "unfair": Nature(about="pairs"),
    "loaded-differently": Nature(about="pairs"),
    "hosts-disagree": Nature(about="pairs"),
    "failed-attempts": Nature(treatment="treatment"),
    "unstable-plan": Nature(treatment="treatment"),
    # What was sampled.
    "samples-missing": Nature(frozenset({"cost", "other"})),
    "missing-samples": Nature(frozenset({"cost", "other"})),
    "lost-files": Nature(frozenset({"cost", "other"})),
    **dict.fromkeys(_UNKNOWN, Nature()),
    # What changes no figure that a claim is about.
    "errors": _HARMLESS,
    "clock-set": _HARMLESS,
    "clock-uncertain": _HARMLESS,
    "damaged-lines": _HARMLESS,
    "events-left-out": _HARMLESS,
    "ledger-sum": _HARMLESS,
    "many-comparisons": _HARMLESS,
    "nondeterministic": _HARMLESS,
    "profile-effect": _HARMLESS,
    "unknown-setting": _HARMLESS,
    "unnamed-time": _HARMLESS,
    "untouched": _HARMLESS,
}
"""Every kind of doubt by what it can do; one that is missing here may change anything by any amount."""
KINDS_OF_DOUBT = tuple(KINDS)

STATED: Mapping[str, Mapping[str, float]] = {"one-load": {"luck": 0.1}}
"""Sizes that a kind has for all results. The luck of a load: twice the largest of the simulations (5 %)."""

OF_MISSING_BLOCKS = ("few-blocks", "missing-blocks", "failed-run")
"""Kinds that say that blocks are missing, so that what is there decides or does not."""


def nature_of(kind: str) -> Nature:
    """Returns what a kind of doubt can do."""
    return KINDS.get(kind, Nature())
