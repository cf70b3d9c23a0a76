"""Doubts that the figures of a rung raise: those of `assay.base.doubts`, with the figures from the store."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.doubts import RungFigures, Served, Statements, doubts_of
from assay.results.verdict.doubts.rung_seen import RungSeen
from assay.results.verdict.results import DoubtNote


def by_figures(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields the doubts that a measurement, the live page and a fleet would raise from the same figures."""
    for doubt in doubts_of(figures_of_rung(rung)):
        yield rung.note(doubt.kind, "warning", doubt.message, value=doubt.value, limit=doubt.limit)


def figures_of_rung(rung: RungSeen) -> RungFigures:
    """Returns the figures of a rung of a load on a server.

    Of an experiment the sessions may be another number than the rung's.
    """
    is_closed = rung.columns["kind"] == "threads"
    return RungFigures(
        elapsed_s=rung.elapsed_s,
        transactions=rung.number("transactions"),
        failed=rung.number("failed"),
        abandoned=rung.number("abandoned"),
        connections=rung.number("connections") or rung.load,
        fills_connections=is_closed and rung.columns["terminals"] is None,
        mean_ms=rung.measures.get("mean_ms"),
        longest_ms=rung.measures.get("max_ms"),
        think_ms=rung.measures.get("mean_think_ms", 0.0),
        served=_served(rung) if is_closed else None,
        processor_s=(rung.number("engine_user_us") + rung.number("engine_system_us")) / 1e6,
        threads=int(rung.number("engine_threads")),
        build=str(rung.columns["engine_build"] or ""),
        cores=rung.cores,
        late_ms=rung.measures.get("pacing_lateness_p99_ms"),
        statements=_statements(rung),
    )


def _served(rung: RungSeen) -> Served:
    if rung.columns["terminals"] is not None:
        return Served("terminal", rung.number("terminals_min"), rung.number("terminals_mean"))
    return Served("connection", rung.number("connections_min"), rung.number("connections_mean"))


def _statements(rung: RungSeen) -> Statements | None:
    """Returns what was sent and counted, as the store has it."""
    if rung.columns["statements_counted"] is None:
        return None
    sent, counted, unsure = (int(rung.number(f"statements_{name}")) for name in ("sent", "counted", "unsure"))
    goodbyes = None if rung.columns["goodbyes"] is None else int(rung.number("goodbyes"))
    return Statements(sent, counted, unsure, goodbyes, rung.number("statements_s"))
