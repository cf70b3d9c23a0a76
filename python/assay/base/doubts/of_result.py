"""The figures of a load point, as the result of an engine or of a fleet holds them."""

from __future__ import annotations

import math

from assay.base.doubts.figures import RungFigures, Served, Statements
from assay.base.format.event import LabelTimes, RunResult
from assay.base.format.job import Phases
from assay.base.labels import CONNECT, WHOLE

_LATE = 0.99
_DRAIN_S = Phases().drain_ms / 1000
"""Seconds of a drain, where nobody has measured how long it took: the most, unless a job says otherwise."""


def figures_of(result: RunResult, *, threads: int = 0) -> RungFigures:
    """Returns the figures of a result; `threads` are the event loops, 0 where nobody knows them.

    Of a load on files or on the machine itself the engine judges the rest: its own work is the load.
    """
    from assay.base.tally import percentile_ms

    pacing = result.pacing
    late_ms = None if pacing is None or not pacing.lateness else percentile_ms(pacing.lateness, _LATE)
    if result.storage is not None or result.machine is not None:
        return RungFigures(elapsed_s=result.elapsed_s, transactions=result.transactions, late_ms=late_ms)
    whole = result.labels.get(WHOLE)
    mean_ms, longest_ms = _times_ms(whole)
    return RungFigures(
        elapsed_s=result.elapsed_s,
        transactions=result.transactions,
        failed=result.failed,
        abandoned=result.abandoned,
        connections=result.connections.count,
        fills_connections=_fills_connections(result, whole),
        mean_ms=mean_ms,
        longest_ms=longest_ms,
        think_ms=result.mean_think_ms or 0.0,
        served=_served(result),
        processor_s=(result.engine.user_us + result.engine.system_us) / 1e6,
        threads=threads,
        late_ms=late_ms,
        statements=statements_of(result),
    )


def statements_of(result: RunResult, elapsed_s: float | None = None) -> Statements | None:
    """Returns what was sent and what the server counted; None where the server did not say, or where a
    generator was lost, whose statements nobody knows.

    `elapsed_s` lies between the two readings of the server's count; without it, the longest time that the
    load can have taken is used.
    """
    counted = result.server_questions
    if counted is None or any(one.cause is not None for one in result.generators):
        return None
    both = (result, result.warmup)
    failed = sum(sum(one.errors.values()) + one.timeouts for one in both)
    # No result says how many statements of a failed packet the server came to: at most a transaction's.
    of_one = math.ceil(result.sent_statements / max(sum(one.transactions for one in both), 1))
    unknown = CONNECT in result.labels
    if elapsed_s is None:
        # What never ended has kept the drain going for as long as its job allows.
        unknown = unknown or result.abandoned > 0
        elapsed_s = result.warmup_s + result.elapsed_s + _DRAIN_S
    goodbyes = None if unknown else result.connections.count + sum(one.reconnects for one in both)
    return Statements(
        result.sent_statements, counted, failed * of_one + result.abandoned, goodbyes, elapsed_s
    )


def _fills_connections(result: RunResult, whole: LabelTimes | None) -> bool:
    waits = whole is not None and whole.wait is not None
    return result.latency == "service" and result.pacing is None and result.terminals is None and not waits


def _times_ms(whole: LabelTimes | None) -> tuple[float | None, float | None]:
    """Returns the mean and the longest time of whole transactions."""
    from assay.base.tally import times_ms

    times = {} if whole is None or not whole.service else times_ms(whole.service)
    return times.get("mean"), times.get("max")


def _served(result: RunResult) -> Served | None:
    """Returns how connections or terminals were served; None for an open loop, in which a connection takes
    what arrives.
    """
    if result.pacing is not None:
        return None
    if result.terminals is not None:
        return Served("terminal", result.terminals.min, result.terminals.mean)
    return Served("connection", result.connections.min, result.connections.mean)
