"""Doubts about what only all generators together show; those that any result's figures raise are in
`assay.base.doubts`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping
from statistics import median

from msgspec.structs import replace

from assay.base.doubts import Ceiling, RungFigures, figures_of, statements_of, unsaid_doubts
from assay.base.wording import counted
from assay.design.folder import Doubt, RunResult
from assay.measurement.fleet.clock import ClockSpan
from assay.measurement.fleet.conducting import Questions
from assay.measurement.fleet.merging import GeneratorEvents

_UNEVEN = 0.8
"""Share of the median rate of a connection that a generator's own must have."""
_UNCERTAIN_NS, _DRIFT_PPM = 10**6, 100.0
"""How far a generator's clock may be from where it was taken to be, and how much faster or slower it may
run.
"""


def fleet_doubts(
    heard: Iterable[GeneratorEvents],
    result: RunResult,
    *,
    steady: bool | None,
    clocks: Mapping[str, ClockSpan],
    questions: Questions | None = None,
    ceiling_qps: float | None = None,
    said: Collection[str] = (),
) -> Iterator[Doubt]:
    """Yields the doubts about a load; `steady` is whether throughput had become level in the warm-up, None
    where it did not wait for that; `clocks` are those of the generators, by name; `questions` is the server's
    own count, None where it was not read or a generator is lost, whose statements nobody knows;
    `ceiling_qps` is what the generators reach together, None where nobody has measured it; `said` are the
    kinds that a generator has said itself.
    """
    parts = list(heard)
    yield from unsaid_doubts(_figures(parts, result, steady, questions, ceiling_qps), said)
    yield from _uneven(parts)
    yield from _mixed(parts)
    yield from _uncertain(clocks)


def _figures(
    parts: list[GeneratorEvents],
    result: RunResult,
    steady: bool | None,
    questions: Questions | None,
    ceiling_qps: float | None,
) -> RungFigures:
    """Returns the figures of the merged result, with what only the coordinator knows."""
    threads = sum(one.hello.threads for one in parts if one.hello is not None)
    statements = None
    if questions is not None:
        asked = replace(result, server_questions=questions.counted)
        statements = statements_of(asked, questions.elapsed_s)
    return dataclasses.replace(
        figures_of(result, threads=threads),
        is_steady=steady,
        statements=statements,
        ceiling=None if ceiling_qps is None else _ceiling(result, ceiling_qps),
    )


def _ceiling(result: RunResult, ceiling_qps: float) -> Ceiling:
    rate = result.queries / result.elapsed_s if result.elapsed_s > 0 else 0.0
    by = "these generators reach together on servers that do nothing"
    return Ceiling(ceiling_qps, rate, "queries/s", by)


def _uneven(parts: list[GeneratorEvents]) -> Iterator[Doubt]:
    rates = {
        one.name: one.result.transactions / one.result.elapsed_s / one.result.connections.count
        for one in parts
        if one.result is not None and one.result.elapsed_s > 0 and one.result.connections.count
    }
    if len(rates) < 2:
        return
    usual = median(rates.values())
    for name, rate in rates.items():
        if usual > 0 and rate / usual < _UNEVEN:
            yield Doubt(
                kind="uneven-generators",
                message=f"{name}: each of its connections carried out {rate:,.1f} transactions/s, where the"
                f" median of the generators is {usual:,.1f}",
                value=rate / usual,
                limit=_UNEVEN,
            )


def _mixed(parts: list[GeneratorEvents]) -> Iterator[Doubt]:
    builds = {one.ready.engine_sha256 for one in parts if one.ready is not None}
    if len(builds) > 1:
        yield Doubt(
            kind="mixed-engines",
            message=f"the generators are of {counted(len(builds), 'build')} of the engine",
            value=float(len(builds)),
            limit=1.0,
        )


def _uncertain(clocks: Mapping[str, ClockSpan]) -> Iterator[Doubt]:
    for name, clock in clocks.items():
        if clock.bound_ns > _UNCERTAIN_NS:
            yield Doubt(
                kind="clock-uncertain",
                message=f"{name}: its clock is known to {clock.bound_ns / 1e6:.1f} ms only, so its intervals"
                " may begin earlier or later by as much",
                value=clock.bound_ns / 1e6,
                limit=_UNCERTAIN_NS / 1e6,
            )
        elif abs(clock.drift_ppm) > _DRIFT_PPM:
            yield Doubt(
                kind="clock-uncertain",
                message=f"{name}: its clock ran {clock.drift_ppm:+.0f} ppm fast",
                value=abs(clock.drift_ppm),
                limit=_DRIFT_PPM,
            )
