"""Makes treatments from factors and levels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from assay.design.plan.plan import OPEN_LOOP_CONNECTIONS, OwnData, PlannedExperiment, Script, Treatment
from assay.design.storage import StudyLoad
from assay.design.study import (
    AFTER,
    DEFAULT_PLACE,
    EXPERIMENTS,
    GIVEN,
    WORKLOAD,
    Factor,
    Scalar,
    Study,
    data_path,
    factor_labels,
    is_script,
    level_text,
    parse_data,
    row_name,
    screen_rows,
    workload_file,
)

SCHEMA_OPTIONS = {"schema.index": "create_secondary", "schema.engine": "mysql_storage_engine"}
"""Schema factor -> the workload option (sysbench's name) that carries it out."""

Levels = dict[str, Scalar]


def make_treatments(study: Study, data_loads: int = 1) -> tuple[Treatment, ...]:
    """Returns the treatments of the study's design; the baseline, made of all first levels, comes first.

    A Latin hypercube has no baseline. Each dataset is loaded `data_loads` times, and no more often than there
    are blocks.
    """
    loads = min(data_loads, study.design.blocks)
    return tuple(replace(one, data_loads=loads) for one in _of_design(study))


def _of_design(study: Study) -> tuple[Treatment, ...]:
    if study.design.screens:
        rows = screen_rows(study.design, study.factors)
        return tuple(_resolved(study, row_name(number), row) for number, row in enumerate(rows, start=1))
    factorial = study.design.kind == "factorial" or len(study.factors) == 1
    combinations = _factorial(study.factors) if factorial else _one_at_a_time(study.factors)
    labels = factor_labels(study.factors)
    baseline = {factor.name: factor.levels[0] for factor in study.factors}
    treatments = []
    for levels in combinations:
        named = (
            levels
            if factorial
            else {name: level for name, level in levels.items() if level != baseline[name]}
        )
        name = ", ".join(f"{labels[factor]}={level_text(level)}" for factor, level in named.items())
        treatments.append(_resolved(study, name or ("baseline" if study.factors else "default"), levels))
    return tuple(treatments)


def _factorial(factors: tuple[Factor, ...]) -> Iterator[Levels]:
    for levels in itertools.product(*(factor.levels for factor in factors)):
        yield dict(zip((factor.name for factor in factors), levels, strict=True))


def _one_at_a_time(factors: tuple[Factor, ...]) -> Iterator[Levels]:
    baseline = {factor.name: factor.levels[0] for factor in factors}
    yield baseline
    for factor in factors:
        for level in factor.levels[1:]:
            yield baseline | {factor.name: level}


def _resolved(study: Study, name: str, levels: Levels) -> Treatment:
    tied = {one.name: one.settings(levels[one.name]) for one in study.factors if one.keys}
    varied: Levels = {}
    for factor, level in levels.items():
        varied |= tied.get(factor, {factor: level})
    variables, options = dict(study.server.variables), dict(study.workload.options)
    if study.schema_.index is not None:
        options[SCHEMA_OPTIONS["schema.index"]] = study.schema_.index
    if study.schema_.engine is not None:
        options[SCHEMA_OPTIONS["schema.engine"]] = study.schema_.engine
    dynamic, host, volume = dict(study.server.dynamic), dict(study.host), dict(study.volume)
    chosen = dict(study.experiment.options) if study.experiment else {}
    for factor, level in varied.items():
        kind, _, word = factor.rpartition(".")
        if kind == "experiment":
            chosen[word] = level
        elif factor.startswith("host."):
            host[factor.removeprefix("host.")] = level
        elif kind == "volume":
            volume[word] = level
        elif kind == "server.variables":
            variables[word] = level
        elif kind == "server.dynamic":
            dynamic[word] = level
        elif kind == "workload" and factor != WORKLOAD and level == DEFAULT_PLACE:
            options.pop(word, None)
        elif kind == "workload" and factor != WORKLOAD:
            options[word] = level
        elif factor in SCHEMA_OPTIONS:
            options[SCHEMA_OPTIONS[factor]] = level
    workload = str(varied.get(WORKLOAD, study.workload.use))
    return Treatment(
        name=name,
        levels=levels,
        server_use=str(varied.get("server.use", study.server.use)),
        variables=variables,
        workload=workload,
        workload_options=options,
        ps_mode="disable" if varied.get("load.ps_mode", study.load.ps_mode) == "disable" else "auto",
        experiment=_experimenting(study, chosen),
        dynamic=dynamic,
        storage=_storage(study, workload, options),
        script=_script(study, workload),
        own_data=_own_data(study, varied),
        directory=_directory(varied.get("storage.directory", study.storage.directory)),
        host=host,
        volume=volume,
        client=_client(varied.get("load.client", study.load.client)),
        delay_ms=float(varied.get("load.delay_ms", study.load.delay_ms)),
        reconnect=int(varied.get("load.reconnect", study.load.reconnect)),
        given=_given(study, varied),
        tied=tied,
        first_load=study.design.first_load,
    )


def _storage(study: Study, workload: str, options: Levels) -> StudyLoad | None:
    if study.subject.kind == "server":
        return None
    files = study.workload.files
    return StudyLoad(
        workload,
        options,
        text=files.get(workload),
        arrivals=study.load.arrivals,
        included=_loaded(files),
    )


def _script(study: Study, workload: str) -> Script | None:
    if not is_script(workload):
        return None
    files, load = study.workload.files, study.load
    threads = max(load.threads) if load.threads else load.connections or OPEN_LOOP_CONNECTIONS
    return Script(files.get(workload), _loaded(files), threads)


def _own_data(study: Study, varied: Levels) -> OwnData | None:
    said = study.dataset
    use = varied.get("dataset.use", said.use)
    if use in (None, DEFAULT_PLACE):
        return None
    return OwnData(
        use=str(use),
        place=str(data_path(parse_data(use).path, study.folder)),
        digest=said.files.get(str(use), ""),
        database=said.database,
        indexes_after=varied.get("dataset.indexes", said.indexes) == AFTER,
        collations=said.collation,
        scale=float(varied.get("dataset.scale", said.scale) or 1.0),
    )


def _loaded(files: Mapping[str, str]) -> dict[str, str]:
    """Returns the files that a workload's own file includes or loads."""
    return {name: text for name, text in files.items() if workload_file(name) is None}


def _client(value: Scalar | None) -> Literal["socket", "tcp", "netns"] | None:
    return None if value is None else "netns" if value == "netns" else "tcp" if value == "tcp" else "socket"


def _given(study: Study, varied: Levels) -> Levels:
    """Returns the keys without a field in `Treatment`; a level `default` is left out."""
    own = {key: varied[key] for key in GIVEN if key in varied}
    return {key: value for key, value in (study.given | own).items() if value != DEFAULT_PLACE}


def _directory(value: Scalar | None) -> str | None:
    return None if value in (None, DEFAULT_PLACE) else str(value)


def _experimenting(study: Study, chosen: Levels) -> PlannedExperiment | None:
    if study.experiment is None:
        return None
    known = EXPERIMENTS[study.experiment.use]
    options = {name: chosen.get(name, option.default) for name, option in known.options.items()}
    if not options["sessions"]:
        options["sessions"] = round(study.load.rungs[0])
    restarts = known.restarts or bool(options.get(known.restarts_for))
    return PlannedExperiment(study.experiment.use, options, known.empty, restarts)
