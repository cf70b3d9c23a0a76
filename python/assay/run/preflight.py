"""Everything that can be found wrong before the first second of load."""

from __future__ import annotations

from functools import partial

from assay.folder import ResultsFolder
from assay.host import Knobs
from assay.plan import Plan, check_kinds, check_workload
from assay.run.capacity import capacity_variables
from assay.run.engine import workload_catalogue
from assay.run.existing_server import ExistingServer
from assay.run.file_sets import FileSets
from assay.run.interrupts import Interrupts
from assay.run.private_server import PrivateServers
from assay.run.progress import RunProgress
from assay.run.servers import Servers, ServerSource
from assay.run.sweep import sweep
from assay.server import find_build, parse_dsn, require_space
from assay.study import Study
from assay.study.on_files import NO_SERVER

_BYTES_PER_RUNG_SECOND = 40_000
"""Events and samples of one second of load: histograms of a dozen labels, some 500 counters."""


def preflight(
    study: Study,
    plan: Plan,
    folder: ResultsFolder,
    *,
    interrupts: Interrupts,
    progress: RunProgress,
    knobs: Knobs | None = None,
) -> Servers:
    """Clears up after dead labs; finds engine, workload, servers; checks options, kinds in claims, variables
    and disk space; tries the settings of the machine.

    Raises the `AssayError` that the first run would have met.
    """
    for line in [*(knobs.swept if knobs else ()), *sweep()]:
        progress.note(line)
    catalogue = workload_catalogue()
    check_workload(plan, catalogue)
    check_kinds(study, plan, catalogue)
    sources = {
        treatment.server_use: _source(treatment.server_use, study, plan, interrupts, knobs)
        for treatment in {treatment.server_use: treatment for treatment in plan.treatments}.values()
    }
    servers = Servers(sources)
    servers.check(plan.treatments)
    parent = next(path for path in (folder.path, *folder.path.absolute().parents) if path.is_dir())
    require_space(
        parent,
        _results_bytes(study, plan),
        "the results",
        hint="free some space there, or give another folder with --results",
    )
    return servers


def _source(use: str, study: Study, plan: Plan, interrupts: Interrupts, knobs: Knobs | None) -> ServerSource:
    if use == NO_SERVER:
        return FileSets(plan, study.storage.passes, interrupts, knobs)
    if use.startswith("dsn:"):
        return ExistingServer(parse_dsn(use), interrupts)
    return PrivateServers(find_build(use), partial(capacity_variables, study, plan), interrupts, knobs)


def _results_bytes(study: Study, plan: Plan) -> int:
    seconds = study.load.measure_s + study.load.warmup.seconds
    return round(len(plan.runs) * len(plan.loads) * seconds * _BYTES_PER_RUNG_SECOND)
