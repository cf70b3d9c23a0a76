"""Compares two trials of a case by the statements of an event."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from benchmarks.counts.trial import Run, Trial

_AROUND = Counter({"Com_select": 4})
"""Statements of the engine itself around a run: it asks the server for its limits."""

_SIGMAS = 5.0
"""Standard deviations by which counts may differ that are a matter of chance."""


@dataclass(frozen=True)
class Compared:
    """The verdict on two trials, ours and the peer's, with the statements of an event in each.

    `differences` names each kind of statement that the tools send differently often.
    """

    ours: dict[str, float] = field(default_factory=dict)
    theirs: dict[str, float] = field(default_factory=dict)
    differences: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool:
        return not self.differences


def compare(ours: Trial, theirs: Trial, threads: int, *, loose: bool) -> Compared:
    """Compares two trials that both have two runs.

    What a short and a long run differ in belongs to the events alone: the statements of a thread's beginning
    and end, and those of the engine itself, are in both.
    """
    mine, peers = _Growth.of(ours), _Growth.of(theirs)
    if mine is None or peers is None:
        return Compared(differences=("a run has no count of its events",))
    kinds = sorted({*mine.counted, *peers.counted})
    differences = []
    for kind in kinds:
        rate = peers.rate(kind)
        over = mine.counted[kind] - rate * mine.events
        if abs(over) > _slack(mine, peers, kind, threads, loose=loose):
            differences.append(f"{kind}: {mine.rate(kind):.4f} and {rate:.4f} an event")
    if not loose:  # one event of these has any statements: nothing is known of those beside it
        differences += _beside(mine, peers)
    return Compared(mine.rates(), peers.rates(), tuple(differences))


@dataclass(frozen=True)
class _Growth:
    """What the long run has more than the short one."""

    events: int
    errors: int
    counted: Counter[str]
    short: Run

    @classmethod
    def of(cls, trial: Trial) -> _Growth | None:
        if trial.short is None or trial.whole is None:
            return None
        short, whole = trial.short.ended, trial.whole.ended
        if short.events is None or whole.events is None or whole.events <= short.events:
            return None
        counted = Counter(trial.whole.counted)
        counted.subtract(trial.short.counted)
        return cls(
            whole.events - short.events,
            whole.errors + short.errors,
            Counter({kind: count for kind, count in counted.items() if count}),
            trial.short,
        )

    def rate(self, kind: str) -> float:
        return self.counted[kind] / self.events

    def rates(self) -> dict[str, float]:
        return {kind: self.rate(kind) for kind in sorted(self.counted)}

    def beside(self, kind: str) -> float:
        """The statements of a run beside those of its events."""
        events = self.short.ended.events or 0
        return self.short.counted[kind] - self.rate(kind) * events


def _slack(mine: _Growth, peers: _Growth, kind: str, threads: int, *, loose: bool) -> float:
    """Returns by how many statements our count may differ from the peer's for as many events.

    An ignored error repeats at most the whole event, and a script's hook may send one statement more. A
    thread's rows that wait to be sent are sent at its end: one statement.
    """
    rate, ratio = peers.rate(kind), mine.events / peers.events
    repeated = (mine.errors + peers.errors * ratio) * max(math.ceil(rate), 1)
    waiting = 0.0 if rate == round(rate) else threads * (1 + ratio)
    chance = (
        _SIGMAS * math.sqrt(abs(mine.counted[kind]) + abs(peers.counted[kind]) * ratio**2) if loose else 0.0
    )
    return repeated + waiting + chance + 0.5


def _beside(mine: _Growth, peers: _Growth) -> list[str]:
    """Returns the kinds of which a run has another number of statements beside its events."""
    found = []
    for kind in sorted({*mine.short.counted, *peers.short.counted}):
        over = mine.beside(kind) - peers.beside(kind)
        rate = max(mine.rate(kind), peers.rate(kind))
        # One event that chose other statements, or was repeated, is no difference.
        single = 2 * math.ceil(rate) if rate != round(rate) or mine.errors or peers.errors else 0
        if not -single - 0.5 <= over <= _AROUND[kind] + single + 0.5:
            found.append(f"{kind}: {over:+.0f} a run")
    return found
