"""Checks everything that can be found wrong before any load, by one list for `plan` and `run`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from assay.base.errors import AssayError, InputError
from assay.design.folder import ResultsFolder
from assay.design.plan import Plan, check_kinds, check_workload, place_of
from assay.design.study import Study, StudyText, level_text
from assay.design.study.storage import NO_SERVER
from assay.measurement.fleet import Backend
from assay.measurement.run import journal
from assay.measurement.run.progress import RunProgress
from assay.measurement.run.sweep import sweep
from assay.measurement.source import (
    ExistingServer,
    FileSets,
    Loaders,
    Need,
    PrivateServers,
    Source,
    Sources,
    Trials,
    capacity_variables,
    check_capacity,
    check_flavours,
    check_named,
    check_reads_only,
    check_running,
    check_version,
    connections,
    left_variables,
)
from assay.system.engine import UNREAD, Interrupts, check_statements, script_listings, workload_catalogue
from assay.system.host import Knobs
from assay.system.server import NotStartedError, find_build, nearest_directory, parse_dsn, require_space
from assay.system.server.release import Missing, missing_servers, none_of, require_obtainable

_BYTES_PER_RUNG_SECOND = 40_000
"""Events and samples of one second of load: histograms of a dozen labels, some 500 counters."""


@dataclass(frozen=True)
class Looked:
    """The result of a look. `refusal` is the error with which `run` would refuse here, where the study itself
    is right.
    """

    needs: tuple[Need, ...] = ()
    refusal: AssayError | None = None
    unchecked: tuple[str, ...] = ()
    """What was not looked at: it would have run code of the study, or needs a server that is not here."""
    fetches: tuple[Missing, ...] = ()
    """Servers that `run` fetches first."""


def look(
    study: Study,
    plan: Plan,
    folder: ResultsFolder,
    source: StudyText,
    backend: Backend | None = None,
    trials: Trials | None = None,
) -> Looked:
    """Makes the checks of `preflight` that make and change nothing, and starts servers only with `trials`.
    Raises InputError when the study is wrong.
    """
    needs: list[Need] = []
    unchecked: list[str] = []
    fetches: list[Missing] = []
    refusal = None
    try:
        _checked(
            study,
            plan,
            folder,
            source,
            Interrupts(),
            None,
            backend,
            needs,
            unchecked,
            trying=False,
            trials=trials,
            fetches=fetches,
        )
    except InputError:
        raise
    except AssayError as error:
        refusal = error
    return Looked(tuple(needs), refusal, tuple(unchecked), tuple(fetches))


def preflight(
    study: Study,
    plan: Plan,
    folder: ResultsFolder,
    source: StudyText,
    *,
    interrupts: Interrupts,
    progress: RunProgress,
    knobs: Knobs | None = None,
    backend: Backend | None = None,
    needs: list[Need] | None = None,
) -> Sources:
    """Sweeps after dead labs, makes all checks of `look`, and tries what only a trial can show: host
    settings, volumes, variables of a running server. `backend` is where generators run;
    `needs` is filled with the room on disks that the study takes.

    Raises the `AssayError` that the first run would have met.
    """
    for line in [*(knobs.swept if knobs else ()), *sweep()]:
        progress.note(line)
    trials = Trials(every=False, step=progress.note)
    found = [] if needs is None else needs
    return _checked(
        study, plan, folder, source, interrupts, knobs, backend, found, [], trying=True, trials=trials
    )


def _checked(
    study: Study,
    plan: Plan,
    folder: ResultsFolder,
    source: StudyText,
    interrupts: Interrupts,
    knobs: Knobs | None,
    backend: Backend | None,
    needs: list[Need],
    unchecked: list[str],
    *,
    trying: bool,
    trials: Trials | None,
    fetches: list[Missing] | None = None,
) -> Sources:
    """Makes the checks; `needs` is filled with the disk space needed, also where there is too little, and
    `unchecked` with what may not be found out here. Servers that are not here are an error, unless there is
    a list of `fetches`, which gets those of the catalogue.
    """
    check_running(plan, source)  # before anything shows an address that may hold a password
    listings = script_listings(plan, source)
    for listing in listings:
        if UNREAD in listing:
            unread = f"what {listing['name']} declares is known to a run alone ({listing[UNREAD]})"
            unchecked.append(f"{unread}, so its options are not checked")
    if not trying and any(one.server_use.startswith("dsn:") for one in plan.treatments):
        unchecked += left_variables()
    catalogue = [*workload_catalogue(), *listings]
    check_workload(plan, catalogue, source)
    check_statements(plan, source)
    check_reads_only(study, plan, source)
    check_kinds(study, plan, catalogue, source)
    check_capacity(study, plan, source)
    check_flavours(study, source)
    by_use: dict[str, Source] = {}
    missing = {one.use: one for one in missing_servers(one.server_use for one in plan.treatments)}
    # A build of several binaries stands here, too: they must have one version.
    of_use = {one.server_use: one for of in plan.treatments for one in (of, *of.on_binaries)}
    for treatment in of_use.values():
        try:
            check_named(study, treatment.server_use)
            if treatment.server_use in missing:
                continue
            own = _source(treatment.server_use, study, plan, interrupts, knobs, backend)
            by_use[treatment.server_use] = own
            if study.server.applies and (version := own.version()):
                check_version(study, treatment.server_use, *version)
        except NotStartedError as not_started:
            unchecked.append(not_started.message)
        except InputError as error:
            where = source.at(*place_of(treatment, "server.use"))
            raise InputError(f"{where}: {error.message}", hint=error.hint, detail=error.detail) from error
    if missing and fetches is None:
        raise none_of(missing.values())
    require_obtainable(missing.values())
    if missing and fetches is not None:
        fetches += missing.values()
        absent = ", ".join(missing)
        unchecked.append(
            f"not on this machine until a run fetches it, so variables are not checked: {absent}"
        )
    sources = Sources(by_use)
    needs.append(require_room(study, plan, folder))
    try:
        on_binaries = [one for treatment in plan.treatments for one in treatment.on_binaries]
        sources.check(on_binaries, needs=needs, trying=trying, trials=trials)
    except InputError as error:
        raise _of_the_file(error, source) from error
    journal.check_same_study(folder, study, seed=plan.seed)
    return sources


def require_room(study: Study, plan: Plan, folder: ResultsFolder) -> Need:
    """Returns the room that the results take. Raises `HostError` where their disk has less."""
    parent = nearest_directory(folder.path)
    results = Need(parent, _results_bytes(study, plan), "the results")
    require_space(
        parent,
        results.bytes,
        results.what,
        hint="free some space there, or give another folder with --results",
    )
    return results


def _of_the_file(error: InputError, source: StudyText) -> InputError:
    return InputError(f"{source.path}: {error.message}", hint=error.hint, detail=error.detail)


def _source(
    use: str,
    study: Study,
    plan: Plan,
    interrupts: Interrupts,
    knobs: Knobs | None,
    backend: Backend | None,
) -> Source:
    if use == NO_SERVER:
        return FileSets(plan, study.storage.passes, interrupts, knobs)
    if use.startswith("dsn:"):
        loaders = None
        if backend is not None and study.load.generators is not None and backend.placed_on():
            loaders = Loaders(study.load.generators, backend)
        most = max(connections(study, load) for load in plan.loads)
        return ExistingServer(parse_dsn(use), interrupts, loaders, most, read_only=study.server.read_only)
    reason = f"for load.{study.load.kind} = {level_text(max(plan.loads))}"
    return PrivateServers(
        find_build(use),
        partial(capacity_variables, study, plan),
        interrupts,
        knobs=knobs,
        reason=reason,
        reach=None if backend is None else backend.reach(),
    )


def _results_bytes(study: Study, plan: Plan) -> int:
    seconds = study.load.measure_s + study.load.warmup.seconds
    return round(len(plan.runs) * len(plan.loads) * seconds * _BYTES_PER_RUNG_SECOND)
