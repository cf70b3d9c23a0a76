"""A summary of results for lists of many: made when their report is, and read without their store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import duckdb
import msgspec

from assay.design.folder import ResultsFolder
from assay.experiments.lab.headline import Headline, headline_of
from assay.experiments.lab.judging import Judged, figures_of
from assay.results.stats import Gate
from assay.results.store import keep_summary, kept_summary
from assay.results.verdict import kinds_of_doubt, measured_runs

_OF_A_LOOK = ("many-comparisons",)
"""Kinds of doubt about words, which a list does not show."""

_SHORT = "few-blocks"
"""The doubt that depends on what is asked of a verdict: a list asks what the study plans for one look."""

FORM = 4
"""Raised when the fields change, or what they mean."""


@dataclass(frozen=True)
class CountedDoubt:
    """How many doubts of a kind a result has, in how many runs, and what they can do to its verdicts, as far
    as these were looked at.
    """

    severity: str
    kind: str
    count: int
    runs: int = 0
    word: str = "not-weighed"


class SummedEstimate(msgspec.Struct, frozen=True, array_like=True):
    """One estimate with the number of its blocks."""

    treatment: str
    load: float
    measure: str
    unit: str
    value: float
    low: float | None
    high: float | None
    blocks: int


class ResultsSummary(msgspec.Struct, frozen=True):
    """What a list says of results. `ended_ns` is the end of the last run, `claims` are the study's."""

    form: int
    titles: dict[str, str]
    ended_ns: int
    hosts: tuple[str, ...]
    servers: tuple[str, ...]
    workloads: tuple[str, ...]
    treatments: tuple[str, ...]
    blocks: int
    blocks_planned: int
    runs: int
    claims: tuple[str, ...]
    gates: int
    doubts: tuple[CountedDoubt, ...]
    headline: Headline | None
    load_kind: str
    estimates: tuple[SummedEstimate, ...]


def summary_of(folder: ResultsFolder) -> ResultsSummary:
    """Returns the summary of results, and keeps it. Reading it is no look at verdicts. Raises what `judged`
    raises, where the results must be read.
    """
    if (kept := summary_kept(folder)) is not None:
        return kept
    with figures_of(folder) as judged:
        return keep_summary_of(judged)


def summary_kept(folder: ResultsFolder) -> ResultsSummary | None:
    """Returns the summary of results that was kept, without reading the results; None where there is none."""
    kept = kept_summary(folder)
    if kept is None:
        return None
    try:
        found = msgspec.json.decode(kept, type=ResultsSummary)
    except msgspec.DecodeError:
        return None
    return found if found.form == FORM else None


def keep_summary_of(judged: Judged) -> ResultsSummary:
    """Keeps the summary of judged results in their folder, and returns it."""
    made = _summary(judged)
    keep_summary(judged.folder, judged.store, msgspec.json.encode(made))
    return made


def _summary(found: Judged) -> ResultsSummary:
    study, results, store = found.study, found.results, found.store
    complete, ended = store.execute(
        "SELECT count(*) FILTER (WHERE status = 'complete'), max(ended_ns) FROM runs"
    ).fetchall()[0]
    is_short = results.blocks_planned < Gate.of(study.verdict.confidence).fewest
    doubts = [
        CountedDoubt(one.severity, one.kind, one.count, one.runs, one.word)
        for one in kinds_of_doubt(results)
        if one.kind not in _OF_A_LOOK and (is_short or one.kind != _SHORT)
    ]
    return ResultsSummary(
        form=FORM,
        titles=dict(study.title),
        ended_ns=ended or 0,
        hosts=tuple(_hosts(store)),
        servers=tuple(_servers(store)),
        workloads=tuple(study.workloads),
        treatments=results.treatments,
        blocks=results.blocks_complete,
        blocks_planned=results.blocks_planned,
        runs=complete,
        claims=tuple(one.text for one in study.hypotheses),
        gates=len(study.gates),
        doubts=tuple(doubts),
        headline=headline_of(results),
        load_kind=results.load_kind,
        estimates=tuple(
            SummedEstimate(
                one.treatment, one.load, one.measure, one.unit, one.value, one.low, one.high, len(one.blocks)
            )
            for one in results.estimates
        ),
    )


def _hosts(store: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yields the class of each host, each once."""
    runs = (one.conditions for one in measured_runs(store))
    yield from dict.fromkeys(one.host for one in runs if not one.imported)


def _servers(store: duckdb.DuckDBPyConnection) -> Iterator[str]:
    rows = store.execute(
        "SELECT DISTINCT coalesce(server_flavour, 'server'), server_version FROM runs"
        " WHERE server_version IS NOT NULL ORDER BY ALL"
    ).fetchall()
    yield from (f"{flavour} {version}" for flavour, version in rows)
