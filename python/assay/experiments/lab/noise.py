"""Finds how much single runs of a study vary, by equal copies, and keeps it for plans and margins."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from assay.base.errors import InputError
from assay.design.folder import ResultsFolder
from assay.design.plan import Plan, Treatment, choose_seed, make_plan
from assay.design.study import OF_COPIES, Conditions, Study, derive, masked, parse_size_bytes
from assay.design.study.storage import NO_SERVER
from assay.experiments.lab.opening import OpenedStudy, open_derived, open_study
from assay.measurement.calibration import (
    NOISE_OF_FLAVOUR,
    Noise,
    NoiseSetting,
    host_class,
    keep_noise,
    kept_noise,
    noise_of,
)
from assay.measurement.run import entry_of
from assay.system.engine import sizes
from assay.system.server import find_build

if TYPE_CHECKING:
    from assay.experiments.lab.judging import Judged

COPIES = 4
LEAST_MARGIN = 0.02
_POOL = "innodb_buffer_pool_size"
_USUAL_POOL = 128 << 20
_SMALLEST_SHARE = 6  # a pool of 1/64 of the data, and less


@dataclass(frozen=True)
class KnownNoise:
    """The noise of a study's throughput by A/A results: that of its worst measured load point."""

    worst: Noise
    margin: float  # how far equal copies are seen apart, and no less than 2 %


def open_copies(file: Path, *, blocks: int, loads: int = 1, scale: str | None = None) -> OpenedStudy:
    """Returns the A/A study of a study file: four copies of its baseline, or one for each of several `loads`
    of its data. Raises InputError where the study is wrong.
    """
    opened = open_study(file, scale=scale)
    copies = COPIES if loads == 1 else loads
    return open_derived(derive.as_copies(opened.study, copies=copies, blocks=blocks, loads=loads), file)


def keep_spread(judged: Judged) -> Path:
    """Keeps the noise that a study of copies found, for studies of its kind."""
    ((ended_ns,),) = judged.store.execute("SELECT max(ended_ns) FROM runs").fetchall()
    setting = setting_of(judged.study, make_plan(judged.study, seed=choose_seed(judged.study)))
    return keep_noise(
        Noise(
            setting=setting,
            load_kind=judged.results.load_kind,
            load=one.load,
            measure=one.measure,
            log_sd=one.log_sd,
            degrees=one.degrees,
            blocks=one.blocks,
            measured_wall_ns=ended_ns,
        )
        for one in judged.results.copies
    )


def known_noise(study: Study, plan: Plan) -> KnownNoise | None:
    """Returns the noise kept of a study's throughput; None where no A/A study of its kind was run."""
    measure = study.headlines[0] if study.experiment is not None else study.subject.throughput
    found = noise_of(setting_of(study, plan), study.load.kind, study.load.rungs, measure)
    if not found:
        return None
    from assay.results.stats import bound_of_equals  # not for studies of which nothing is known

    confidence = study.verdict.confidence
    apart = [bound_of_equals(one.log_sd, one.degrees, one.blocks, confidence) for one in found]
    return KnownNoise(max(found, key=lambda one: one.log_sd), max(LEAST_MARGIN, *apart))


NoiseFinder = Callable[[str, Conditions, str], tuple[Noise, ...]]
"""Finds the kept noise of a treatment's measure: the treatment, its conditions, the measure."""


def noise_around(study: Study) -> NoiseFinder:
    """Returns what finds the kept noise of results of this study; any build of the flavour counts.

    The regime of a treatment is known from the engine, which is asked only where everything else fits.
    """
    kept: dict[tuple[Conditions, str], list[Noise]] = defaultdict(list)
    regimes: dict[Conditions, set[str]] = defaultdict(set)
    for one in kept_noise():
        there = one.conditions.only(NOISE_OF_FLAVOUR)
        kept[there, one.measure].append(one)
        regimes[replace(there, regime="")].add(one.measure)

    @cache
    def plan() -> Plan:
        return make_plan(study, seed=0)

    def noise(treatment: str, conditions: Conditions, measure: str) -> tuple[Noise, ...]:
        here = replace(conditions, window_s=study.load.measure_s, load_kind=study.load.kind)
        here = here.only(NOISE_OF_FLAVOUR)
        if measure not in regimes.get(replace(here, regime=""), ()):
            return ()
        planned = plan().treatment(treatment)
        regime = "" if planned.server_use == NO_SERVER else regime_of(plan(), planned)
        return tuple(kept.get((replace(here, regime=regime), measure), ()))

    return noise


def setting_of(study: Study, plan: Plan) -> NoiseSetting:
    """Returns the setting of a study's noise, by its baseline. Raises HostError or InputError without its
    server.
    """
    baseline = plan.treatments[0]
    use = baseline.server_use
    if use == NO_SERVER:
        server = regime = ""
    else:
        build = None if use.startswith("dsn:") else find_build(use)
        server = f"{build.flavour.title} {build.version_number}" if build else masked(use)
        regime = regime_of(plan, baseline)
    return NoiseSetting(
        host=host_class(),
        server=server,
        workload=baseline.workload,
        regime=regime,
        window_s=study.load.measure_s,
    )


def regime_of(plan: Plan, treatment: Treatment) -> str:
    """Returns the buffer pool of a treatment of the plan against its data, in words."""
    pool = parse_size_bytes(str(treatment.variables.get(_POOL, _USUAL_POOL)))
    return _regime(pool, sizes(plan)[treatment.name].bytes)


def _regime(pool: int, data: float) -> str:
    """Returns the pool as a share of the data, to the next power of two."""
    halvings = min(round(math.log2(max(data, 1.0) / max(pool, 1))), _SMALLEST_SHARE)
    return f"pool 1/{2**halvings} of the data" if halvings > 0 else "pool holds the data"


def margin_for(study: Study, plan: Plan, folder: ResultsFolder) -> float | None:
    """Returns the margin of copies where a study asks for it: the one its results began with, otherwise the
    one kept.

    Raises InputError where there is neither.
    """
    if study.verdict.margin != OF_COPIES:
        return None
    entry = entry_of(folder)
    if entry is not None and entry.copies_margin is not None:
        return entry.copies_margin
    known = known_noise(study, plan)
    if known is None:
        raise InputError(
            f'verdict.margin: "{OF_COPIES}" needs A/A results of this server, workload and window on this'
            " machine, and none are kept",
            hint="run assay aa STUDY first, or write a number, as in margin = 0.02",
        )
    return known.margin
