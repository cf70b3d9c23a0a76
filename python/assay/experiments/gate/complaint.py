"""Turns the outcome of a gate into the error that ends the command."""

from __future__ import annotations

from assay.base.errors import AssayError, GateFailed, GateUndecided, GateUnjudged
from assay.base.printable import line
from assay.base.wording import counted
from assay.reporting.report import check_name
from assay.results.verdict import Check, Gated, Outcome

_WORDS: dict[Outcome, str] = {
    "failed": "failed",
    "unjudged": "cannot be judged",
    "undecided": "is undecided",
}


def complaint(gated: Gated) -> AssayError | None:
    """Returns the error of a gate that does not pass; None where it passes, with or without warnings.

    Where several checks stop it, a failure comes before missing data, and missing data before the undecided.
    """
    outcome = gated.outcome
    if outcome == "passed":
        return None
    checks = [one for one in gated.checks if one.outcome == outcome and one.weight == "error"]
    first = checks[0]
    many = "" if len(gated.checks) == 1 else f" in {len(checks)} of {counted(len(gated.checks), 'check')}"
    message = (
        f"the gate of {gated.study} {_WORDS[outcome]}{many}: {line(check_name(first, gated))}: {first.why}"
    )
    match outcome:
        case "failed":
            again = "" if gated.fresh or gated.baseline else "; --confirm 6 measures it again in fresh blocks"
            return GateFailed(message.rstrip("."), hint=f"look at the change{again}")
        case "unjudged":
            return GateUnjudged(message.rstrip("."), hint=_mending(checks))
        case _:
            return GateUndecided(message.rstrip("."), hint=_more_blocks(gated, checks))


def _mending(checks: list[Check]) -> str:
    if any(one.key == "blind-for-ever" for check in checks for one in check.lacks):
        return "a wider tolerance, or a quieter machine; more blocks are unlikely to show so small a change"
    if needed := [check.needed for check in checks if check.needed is not None]:
        return f"run the gate with --blocks {max(needed)}, or widen its tolerance"
    return "mend the measurement, and run the gate again"


def _more_blocks(gated: Gated, checks: list[Check]) -> str:
    parts = [one.part for one in checks if one.part is not None]
    needed = [part.more_blocks for part in parts if part.more_blocks is not None]
    if any(part.too_many_blocks for part in parts) or not needed:
        return "a wider tolerance, or a quieter machine; more blocks are unlikely to decide it"
    return f"add about {counted(max(needed), 'block')}: --blocks {gated.blocks + max(needed)}"
