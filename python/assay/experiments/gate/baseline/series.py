"""Makes a baseline's identity and series from results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product

from assay.base.errors import AssayError
from assay.base.version import VERSION
from assay.design.study import Study, configuration_text, fixed_hash
from assay.design.study.derive import BUILD, NEW
from assay.experiments.gate.baseline.record import Identity, KeptNoise, Series
from assay.experiments.lab import Judged, noise_around
from assay.results.stats import log_summary
from assay.results.verdict import FEW, canary_of, first_conditions, levels_of, measured_runs


def identity_of(found: Judged) -> Identity:
    """Returns the identity of results. A value that differs between their runs names all of them."""
    measured = measured_runs(found.store)
    runs = [one.conditions for one in measured]
    return Identity(
        study=fixed_hash(found.study, [BUILD]),
        host=_joined(one.host for one in runs),
        data=_joined(one.data for one in runs if one.data) if any(one.data for one in runs) else None,
        canary_us=canary_of(found.store, measured),
        assay=_joined(one.assay or VERSION for one in runs),
        engine=_joined(one.engine or "unknown" for one in runs),
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
        values = [value for _, value in one.blocks]
        if one.measure not in wanted or one.treatment not in names or len(values) < 2 or min(values) <= 0:
            continue
        summary = log_summary(values)
        series = Series(
            configuration=names[one.treatment],
            load=one.load,
            measure=one.measure,
            unit=one.unit,
            mean_log=round(summary.mean, 8),
            log_sd=round(summary.sd, 8),
            blocks=summary.n,
        )
        made[series.key] = series
    return made


def noise_of(found: Judged, measures: Iterable[str]) -> tuple[KeptNoise, ...]:
    """Returns the noise of equal copies that is kept for these results on this machine; none where there is
    no engine to ask for the size of their data.
    """
    kept, names = noise_around(found.study), configurations(found)
    made = []
    for treatment, conditions in sorted(first_conditions(found.store).items()):
        for load, measure in product(found.results.loads, measures):
            try:
                noises = kept(treatment, replace(conditions, load=load), measure)
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
    return {
        treatment: configuration(found.study, levels)
        for treatment, levels in levels_of(found.store).items()
        if levels.get(BUILD, NEW) == NEW
    }


def configuration(study: Study, levels: Mapping[str, str]) -> str:
    """Returns the levels of a treatment, but for the build."""
    return configuration_text(study, {name: level for name, level in levels.items() if name != BUILD})


def measures_of(study: Study) -> tuple[str, ...]:
    """Returns the measures that a baseline of a study holds: its headlines, and those of its claims."""
    terms = [term for one in study.hypotheses for term in one.terms]
    terms += [term for one in study.gates for term in one.claim.terms]
    return tuple(dict.fromkeys((*study.headlines, *(term.measure for term in terms))))


def _joined(values: Iterable[str]) -> str:
    return " and ".join(sorted(set(values))) or "unknown"
