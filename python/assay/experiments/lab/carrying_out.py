"""Carries a study out into its results folder."""

from __future__ import annotations

from assay.base.errors import InputError
from assay.design.folder import ResultsFolder
from assay.design.plan import Plan, choose_seed, make_plan
from assay.design.study import Study, study_hash
from assay.experiments.lab.noise import margin_for
from assay.experiments.lab.opening import OpenedStudy
from assay.experiments.lab.progress import progress_of
from assay.measurement.fleet import Backend, BlockHosts
from assay.measurement.run import Outcome, RunProgress, execute, execute_over
from assay.measurement.source.dataset import data_loads
from assay.reporting.live import recorded


def planned(study: Study, folder: ResultsFolder, seed: int | None = None) -> Plan:
    """Returns the plan of a study: by `seed`, by the seed that the folder was begun with, or by the study's
    own.

    A folder keeps the rules of ordering, and the number of loads of its data, that it was begun with.
    """
    begun = progress_of(folder, study_hash(study))
    seeds = (seed, begun.seed, choose_seed(study))
    return make_plan(
        study,
        seed=next(one for one in seeds if one is not None),
        ordering=begun.ordering,
        data_loads=data_loads(study) if begun.seed is None else begun.data_loads,
    )


def carry_out(
    opened: OpenedStudy,
    folder: ResultsFolder,
    progress: RunProgress,
    *,
    seed: int | None = None,
    backend: Backend | None = None,
    hosts: BlockHosts | None = None,
) -> Outcome:
    """Carries out every run that is not finished, and leaves a folder for each. The generators of a load run
    where `backend` has them; None: on this machine. `hosts` carry the blocks out; None: this machine does.

    Raises ConflictError when the folder holds another study's results or another seed's, the pre-flight's
    errors before any load, Interrupted after a signal; finished runs stay. Must be called in the main thread,
    which receives signals. The course of it goes into `live.jsonl`, which pages follow.
    """
    if (on := opened.study.server.on) is not None and hosts is None:
        raise InputError(
            f'{opened.text.at("server", "on")}: server.on = "{on}" names hosts of a fleet',
            hint="name the fleet's file: assay run STUDY --fleet fleet.toml",
        )
    plan = planned(opened.study, folder, seed)
    margin = margin_for(opened.study, plan, folder)
    with recorded(progress, folder) as record:
        record.planned(opened.study, plan, hosts=1 if hosts is None else len(hosts.agents))
        if hosts is not None:
            return execute_over(opened.study, plan, folder, record, opened.text, hosts)
        return execute(opened.study, plan, folder, record, opened.text, margin, backend)
