"""Makes a baseline's identity and series from results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import median

import numpy as np

from assay.base.errors import AssayError
from assay.base.version import VERSION
from assay.design.study import Design, Study, short_name, study_hash
from assay.design.study.derive import BUILD
from assay.experiments.gate.baseline.record import Identity, KeptNoise, Series
from assay.experiments.lab import Judged, NoisePlace, noise_around
from assay.measurement.calibration import host_class_of
from assay.results.verdict import FEW


def identity_of(found: Judged) -> Identity:
    """Returns the identity of results. A value that differs between their runs names all of them."""
    store = found.store
    facts: dict[str, dict[str, str]] = defaultdict(dict)
    for run, key, value in store.execute(
        "SELECT run_id, key, value FROM facts WHERE scope = 'host' AND moment = 'before'"
        " AND key IN ('cpu.logical', 'memory.total_bytes')"
    ).fetchall():
        facts[run][key] = value
    hosts, assays, engines, data = set(), set(), set(), set()
    for run, processor, assay, engine, of_data in store.execute(
        "SELECT run_id, processor, assay, engine, data FROM runs WHERE status = 'complete'"
    ).fetchall():
        known = facts[run]
        hosts.add(host_class_of(processor, known.get("cpu.logical"), known.get("memory.total_bytes")))
        assays.add(assay or VERSION)
        engines.add(engine or "unknown")
        if of_data:
            data.add(of_data)
    costs = store.execute(
        "SELECT median(value) FROM samples WHERE source = 'canary' AND name = 'cpu_us' GROUP BY run_id"
    ).fetchall()
    return Identity(
        study=_hash_without_build(found.study),
        host=_joined(hosts),
        data=_joined(data) if data else None,
        canary_us=round(median(cost for (cost,) in costs), 2) if costs else None,
        assay=_joined(assays),
        engine=_joined(engines),
    )


def servers_of(found: Judged) -> tuple[str, ...]:
    """Returns the servers that were measured, `mariadb 10.11.14 (3fb2a07c)`."""
    rows = found.store.execute(
        "SELECT DISTINCT server_flavour, server_version, server_sha256 FROM runs"
        " WHERE status = 'complete' AND server_version IS NOT NULL ORDER BY ALL"
    ).fetchall()
    return tuple(
        f"{flavour or 'server'} {version}{f' ({sha256[:8]})' if sha256 else ''}"
        for flavour, version, sha256 in rows
    )


def series_of(found: Judged, measures: Iterable[str]) -> dict[tuple[str, float, str], Series]:
    """Returns the series of these measures by configuration, load point and measure. Values of zero or less
    have no logarithm, and lower bounds and percentiles of too few operations no outcome: they are left out.
    """
    wanted, names = frozenset(measures), configurations(found)
    made = {}
    for one in found.results.estimates:
        if one.at_least or FEW in one.doubts:
            continue
        values = np.array([value for _, value in one.blocks])
        if one.measure not in wanted or one.treatment not in names or values.size < 2 or (values <= 0).any():
            continue
        logs = np.log(values)
        series = Series(
            configuration=names[one.treatment],
            load=one.load,
            measure=one.measure,
            unit=one.unit,
            mean_log=round(float(logs.mean()), 8),
            log_sd=round(float(logs.std(ddof=1)), 8),
            blocks=values.size,
        )
        made[series.key] = series
    return made


def noise_of(found: Judged, measures: Iterable[str]) -> tuple[KeptNoise, ...]:
    """Returns the noise of equal copies that is kept for these results on this machine; none where there is
    no engine to ask for the size of their data.
    """
    kept, names = noise_around(found.study), configurations(found)
    identity = identity_of(found)
    made = []
    for treatment, flavour, workload in found.store.execute(
        "SELECT DISTINCT treatment, coalesce(server_flavour, ''), workload FROM runs"
        " WHERE status = 'complete' ORDER BY ALL"
    ).fetchall():
        for load in found.results.loads:
            for measure in measures:
                place = NoisePlace(treatment, flavour, identity.host, workload, load, measure)
                try:
                    noises = kept(place)
                except AssayError:
                    return ()
                if noises and treatment in names:
                    log_sd = max(one.log_sd for one in noises)
                    made.append(
                        KeptNoise(configuration=names[treatment], load=load, measure=measure, log_sd=log_sd)
                    )
    return tuple(made)


def configurations(found: Judged) -> dict[str, str]:
    """Returns the configuration of each treatment, its levels but for the build: of results of two builds, of
    the treatments of the new one alone.
    """
    levels: dict[str, dict[str, str]] = {
        name: {} for (name,) in found.store.execute("SELECT DISTINCT treatment FROM runs").fetchall()
    }
    for treatment, factor, level in found.store.execute(
        "SELECT treatment, factor, level FROM levels"
    ).fetchall():
        levels[treatment][factor] = level
    return {
        treatment: configuration(found.study, of_it)
        for treatment, of_it in levels.items()
        if of_it.get(BUILD, "new") == "new"
    }


def configuration(study: Study, levels: Mapping[str, str]) -> str:
    """Returns levels by short names in the study's order, without the build; `default` without any."""
    named = [
        f"{short_name(one.name)}={levels[one.name]}"
        for one in study.factors
        if one.name != BUILD and one.name in levels
    ]
    return ", ".join(named) or "default"


def measures_of(study: Study) -> tuple[str, ...]:
    """Returns the measures that a baseline of a study holds: its headlines, and those of its claims."""
    terms = [term for one in study.hypotheses for term in one.terms]
    terms += [term for one in study.gates for term in one.claim.terms]
    return tuple(dict.fromkeys((*study.headlines, *(term.measure for term in terms))))


def _hash_without_build(study: Study) -> str:
    """Returns the hash of the study without its builds and the number and order of its runs."""
    server = study.server.model_copy(update={"use": ""})
    factors = tuple(one for one in study.factors if one.name != BUILD)
    return study_hash(study.model_copy(update={"server": server, "factors": factors, "design": Design()}))


def _joined(values: Iterable[str]) -> str:
    return " and ".join(sorted(values)) or "unknown"
