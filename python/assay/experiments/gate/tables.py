"""Returns the outcome of a gate as plain objects for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from assay.experiments.gate.alarms import Ledger, Record
from assay.experiments.gate.complaint import complaint
from assay.results.verdict import Check, Gated


def as_object(gated: Gated, ledger: Ledger | None = None) -> dict[str, Any]:
    """Returns the whole outcome; `exit_code` is the one without --no-fail. `ledger`: the alarms so far."""
    error = complaint(gated)
    return {
        "study": gated.study,
        "results": str(gated.results),
        "outcome": gated.outcome,
        "exit_code": 0 if error is None else error.exit_code,
        "checks": [_check(one) for one in gated.checks],
        "counts": dict(gated.counts),
        "gates": gated.gates,
        "loads": list(gated.loads),
        "load_kind": gated.load_kind,
        "blocks": gated.blocks,
        "blocks_planned": gated.blocks_planned,
        "confidence": gated.confidence,
        "alarms_by_chance": gated.alarms,
        "baseline": gated.baseline,
        "alarms": None if ledger is None else [_record(one) for one in records_of(gated, ledger)],
        "fresh": None
        if gated.fresh is None
        else {"blocks": gated.fresh.blocks, "results": str(gated.fresh.results)},
    }


def records_of(gated: Gated, ledger: Ledger) -> tuple[Record, ...]:
    """Returns the records of the gates of a study, those that have raised an alarm."""
    claims = dict.fromkeys(one.rule.text for one in gated.checks)
    records = (ledger.record(gated.study, claim) for claim in claims)
    return tuple(one for one in records if one.alarms)


def _record(one: Record) -> dict[str, Any]:
    return asdict(one) | {"precision": one.precision}


def _check(check: Check) -> dict[str, Any]:
    part, rule = check.part, check.rule
    return {
        "gate": check.number,
        "id": rule.id,
        "claim": rule.text,
        "load": check.load,
        "outcome": check.outcome,
        "weight": check.weight,
        "severity": rule.severity,
        "undecided": rule.undecided,
        "why": check.why,
        "figure": None if part is None or part.figure is None else asdict(part.figure),
        "treatments": [] if part is None else list(part.treatments),
        "blocks": check.blocks,
        "more_blocks": None if part is None else part.more_blocks,
        "too_many_blocks": part is not None and part.too_many_blocks,
        "doubts": [] if part is None else list(part.doubts),
        "smallest_ratio": asdict(check.reach),
        "tolerance": check.tolerance,
        "blocks_needed": check.needed,
        "ledgers": [asdict(one) for one in check.ledgers],
        "first": None if check.first is None else _check(check.first),
    }
