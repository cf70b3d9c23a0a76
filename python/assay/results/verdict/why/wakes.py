"""Tells apart, for two runs, the waits for a processor that come with more waits of another kind, and those
that come from busier processors.

Every wait ends with one for a processor, however short. A treatment that waits more often, for a disk or a
lock, has more of these too, on processors that are as free as before: they are a part of what the wait costs.
Only what is left is a change of the processors. (The split of a product's change into the parts of its
factors: E. M. Kitagawa, "Components of a difference between two rates", JASA 50, 1955.)
"""

from __future__ import annotations

from dataclasses import replace

from assay.results.ledger import AFTERWARDS, RUNNABLE, WOKEN, woken_after
from assay.results.verdict.why.run_ledger import Name, RunLedger


def with_their_waking(before: RunLedger, after: RunLedger) -> tuple[RunLedger, RunLedger]:
    """Returns both runs with each kind of wait charged for the waking up that comes with it: as long, for one
    wait, as in the run in which it was shorter. Sums stay.
    """
    shorter = {
        group: min(one.delays.get(group, one.delays.get("", 0.0)) for one in (before, after) if one.delays)
        for group in {*before.delays, *after.delays} - {""}
    }
    return _charged(before, shorter), _charged(after, shorter)


def _charged(run: RunLedger, shorter: dict[str, float]) -> RunLedger:
    if not any(group for group in run.delays):
        return run
    amounts: dict[Name, float] = dict(run.amounts)
    for group, mean in run.delays.items():
        late = amounts.pop((RUNNABLE, woken_after(group)), 0.0) if group else 0.0
        if not late:
            continue
        own = late * min(1.0, shorter.get(group, 0.0) / mean) if mean else 0.0
        amounts[group, AFTERWARDS] = amounts.get((group, AFTERWARDS), 0.0) + own
        amounts[RUNNABLE, WOKEN] = amounts.get((RUNNABLE, WOKEN), 0.0) + late - own
    return replace(run, amounts=amounts)
