"""Decides how often a study's datasets are loaded where its design does not say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from contextlib import suppress

from assay.base.errors import AssayError
from assay.design.plan import Treatment, make_treatments
from assay.design.study import Study, binaries
from assay.measurement.source.dataset.key import NO_TABLES, DatasetKey, dataset_key

USUAL_LOADS = 6
"""The loads of each dataset where treatments that are compared have data of their own: one for each block of
the shortest study that can decide, so that its intervals are no wider than by blocks.
"""


def data_loads(study: Study) -> int:
    """Returns how often each dataset of a study is loaded, if it has as many blocks: as its design says,
    otherwise once for each binary of its builds, and several times where treatments that are compared have
    data of their own.
    """
    if study.design.loads is not None:
        return study.design.loads
    if (most := max(len(binaries(use)) for use in study.servers)) > 1:
        return most  # a load for each binary of a build
    return USUAL_LOADS if has_own_data(study) else 1


def has_own_data(study: Study) -> bool:
    """Returns whether treatments that are compared have datasets of their own, so that the luck of a load is
    in what they differ in.

    No server is looked for: builds of different names count as different.
    """
    data: dict[Hashable, set[Hashable]] = defaultdict(set)
    for one in make_treatments(study):
        if (found := _data(one)) is not None:
            data[_kind_of_load(study, one)].add(found)
    return any(len(own) > 1 for own in data.values())


def _data(treatment: Treatment) -> Hashable | None:
    """Returns what is alike for treatments that share a dataset; None where none is loaded for it."""
    running = treatment.server_use.startswith("dsn:")
    empty = treatment.experiment is not None and treatment.experiment.empty
    if running or empty or treatment.storage is not None:
        return None
    with suppress(AssayError):  # of an engine that is not there, or a script that does not load: told later
        key = _key(treatment)
        return None if key.workload == NO_TABLES else key.id
    made_of = (treatment.workload, treatment.workload_options, treatment.own_data)
    return repr((treatment.server_use, made_of, treatment.variables))


def _key(treatment: Treatment) -> DatasetKey:
    return dataset_key(
        treatment.server_use,
        treatment.workload,
        treatment.workload_options,
        treatment.data_variables,
        treatment.script,
        own=treatment.own_data,
    )


def _kind_of_load(study: Study, treatment: Treatment) -> str | None:
    factor = study.workload_factor
    return None if factor is None else factor.kind_of_load(treatment.levels[factor.name])
