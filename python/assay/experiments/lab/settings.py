"""Finds what a study says of its server variables, for each of its servers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import duckdb

from assay.design.study import (
    WORKLOAD,
    Factor,
    Scalar,
    Study,
    factor_labels,
    level_text,
    option_text,
    work_of,
)
from assay.results.advice import (
    Effect,
    Finding,
    ServerAdvice,
    Source,
    TriedFactor,
    TriedLevel,
    choose,
    combined,
)
from assay.results.verdict import (
    Comparison,
    Decision,
    Results,
    Treatment,
    doubts_about,
    gravest,
    server_factors,
    setting_pairs,
    treatments_of,
    variable_factors,
)
from assay.system.server.flavour import UNKNOWN
from assay.system.server.variables import reported_option

_VARIABLE = "server.variables."
_REPORTED = "variables."  # of the facts of a server


def server_advice(
    study: Study, results: Results, store: duckdb.DuckDBPyConnection
) -> tuple[ServerAdvice, ...]:
    """Returns the findings about server variables, one entry for each flavour and version with comparisons.

    A level is compared with the first level of its factor on the same server and with the same workload,
    while all other factors are at their first levels. A screen names levels, over all treatments, as
    candidates. Studies that vary no
    server variable have none, and neither have imported results: no file shows which server it was.
    """
    if study.is_imported or not variable_factors(study):
        return ()
    read = _Read(study, results, store)
    found = read.of_screen() if results.screening is not None else read.of_pairs()
    by_server: dict[str, list[_Tried]] = defaultdict(list)
    for tried in found:
        by_server[tried.server].append(tried)
    return combined(read.advice(server, tried) for server, tried in by_server.items())


@dataclass(frozen=True)
class _Tried:
    """A level of a factor on one server, with its comparisons; `before` has the factor's first level."""

    server: str
    workload: str | None
    factor: Factor
    level: Scalar
    before: Treatment
    after: Treatment
    comparisons: Sequence[Comparison]


@dataclass(frozen=True)
class _Read:
    study: Study
    results: Results
    store: duckdb.DuckDBPyConnection

    @cached_property
    def treatments(self) -> tuple[Treatment, ...]:
        return treatments_of(self.study, self.store)

    def of_pairs(self) -> list[_Tried]:
        by_pair: dict[tuple[str, str], list[Comparison]] = defaultdict(list)
        for one in (*self.results.comparisons, *self.results.of_settings):
            by_pair[one.baseline, one.other].append(one)
        return [
            _Tried(
                self._server(pair.before),
                pair.before.varied.get(WORKLOAD),
                pair.factor,
                pair.level,
                pair.before,
                pair.after,
                found,
            )
            for pair in setting_pairs(self.study, self.treatments)
            if (found := by_pair[pair.before.name, pair.after.name])
        ]

    def of_screen(self) -> list[_Tried]:
        labels = factor_labels(self.study.factors)
        by_level: dict[tuple[str, str], list[Comparison]] = defaultdict(list)
        for one in self.results.screening.effects if self.results.screening else ():
            by_level[one.factor, one.level].append(one.comparison)
        servers: dict[str, list[Treatment]] = defaultdict(list)
        for treatment in self.treatments:
            servers[self._server(treatment)].append(treatment)
        return [
            _Tried(server, None, factor, level, before, after, found)
            for server, treatments in servers.items()
            for factor in variable_factors(self.study)
            for level in factor.levels[1:]
            if (found := by_level[labels[factor.name], level_text(level)])
            and (before := _with(treatments, factor, factor.levels[0]))
            and (after := _with(treatments, factor, level))
        ]

    def advice(self, server: str, tried: Sequence[_Tried]) -> ServerAdvice:
        flavour, version = self._identity(tried[0].before.name)
        treatments = dict.fromkeys(name for one in tried for name in (one.before.name, one.after.name))
        name = f"{self.study.name}, {server}" if server else self.study.name
        source = Source(name, self.results.blocks_complete, self._conditions(treatments, tried))
        by_factor: dict[str, list[_Tried]] = defaultdict(list)
        for one in tried:
            by_factor[one.factor.name].append(one)
        return ServerAdvice(
            flavour,
            version,
            tuple(Finding(source, choose(self._factor(some))) for some in by_factor.values()),
            names_known=bool(self._reported(tried[0].before.name)),
        )

    def _factor(self, tried: Sequence[_Tried]) -> TriedFactor:
        factor, before = tried[0].factor, tried[0].before
        effects: dict[str, list[Effect]] = defaultdict(list)
        after: dict[str, Treatment] = {}
        for one in tried:
            text = level_text(one.level)
            after.setdefault(text, one.after)
            effects[text] += [self._effect(found, one.workload) for found in one.comparisons]
        levels = [(level, level_text(level)) for level in factor.levels[1:] if level_text(level) in after]
        return TriedFactor(
            factor_labels(self.study.factors)[factor.name],
            (
                TriedLevel(self._settings(factor, factor.levels[0], before.name)),
                *(
                    TriedLevel(self._settings(factor, level, after[text].name), tuple(effects[text]))
                    for level, text in levels
                ),
            ),
        )

    def _effect(self, found: Comparison, workload: str | None) -> Effect:
        return Effect(
            measure=found.measure,
            load=found.load,
            load_kind=self.results.load_kind,
            decision=Decision(
                work=work_of([workload or self.study.workload.use]),
                figure=found.ratio,
                low=found.low,
                high=found.high,
                blocks=(found.blocks,),
                fewest=self.results.gate.fewest,
                confidence=self.results.gate.confidence,
                doubts=gravest(
                    dict.fromkeys(found.doubts, "warning"), doubts_about(self.results, (), found.load)
                ),
            ),
            judged=found.word,
            workload=workload,
        )

    def _settings(self, factor: Factor, level: Scalar, treatment: str) -> dict[str, str]:
        """Returns the settings of a level, by the names of the server of a treatment that has it."""
        flavour, version = self._identity(treatment)
        numbers = tuple(map(int, re.findall(r"\d+", version)[:3]))
        reported = self._reported(treatment)
        return dict(
            reported_option(flavour, numbers, key.removeprefix(_VARIABLE), value, reported)
            for key, value in factor.settings(level).items()
        )

    def _server(self, treatment: Treatment) -> str:
        labels = factor_labels(self.study.factors)
        varied = [one.name for one in server_factors(self.study)]
        return ", ".join(f"{labels[name]}={treatment.levels[name]}" for name in varied)

    def _identity(self, treatment: str) -> tuple[str, str]:
        """Returns flavour and version of a treatment's server."""
        query = (
            "SELECT server_flavour, server_version FROM runs"
            " WHERE treatment = ? AND server_version IS NOT NULL ORDER BY block LIMIT 1"
        )
        found = self.store.execute(query, [treatment]).fetchall()
        return (str(found[0][0]), str(found[0][1])) if found else (UNKNOWN.name, "")

    def _reported(self, treatment: str) -> Mapping[str, str]:
        """Returns the variables that a treatment's server reported before the load."""
        query = (
            "SELECT lower(substr(key, ?)), value FROM facts WHERE scope = 'server' AND moment = 'before'"
            " AND starts_with(key, ?) AND run_id = (SELECT run_id FROM runs WHERE treatment = ?"
            " ORDER BY status, block LIMIT 1)"  # complete before failed
        )
        found = self.store.execute(query, [len(_REPORTED) + 1, _REPORTED, treatment]).fetchall()
        return {str(name): str(value) for name, value in found}

    def _conditions(self, treatments: Iterable[str], tried: Sequence[_Tried]) -> dict[str, str]:
        """Returns what the findings hold for, by key of the report's words."""
        rows = self.store.execute(
            "SELECT DISTINCT host, dataset FROM runs WHERE list_contains(?, treatment)", [list(treatments)]
        ).fetchall()
        workloads = dict.fromkeys(one.workload or self.study.workload.use for one in tried)
        return {
            "host": _each(host for host, _ in rows),
            "workload": ", ".join((*workloads, *_pairs(self.study.workload.options))),
            "data": _each(dataset for _, dataset in rows),
            "variables": ", ".join(_pairs(self.study.server.variables)),
        }


def _with(treatments: Sequence[Treatment], factor: Factor, level: Scalar) -> Treatment | None:
    return next((one for one in treatments if one.levels.get(factor.name) == level_text(level)), None)


def _pairs(values: Mapping[str, Scalar]) -> list[str]:
    return [f"{name} = {option_text(value)}" for name, value in sorted(values.items())]


def _each(texts: Iterable[object]) -> str:
    return ", ".join(sorted({str(text) for text in texts if text is not None}))
