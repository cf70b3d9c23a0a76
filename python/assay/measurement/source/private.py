"""Provides private servers: each run has its own, started on a copy of the dataset."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace

from assay.base.errors import InputError
from assay.base.wording import sized
from assay.design.folder import RunFolder, Scalar
from assay.design.plan import SCHEMA_OPTIONS, Treatment
from assay.measurement.fleet import Reach
from assay.measurement.source.capacity import check_memory, room_for_held
from assay.measurement.source.dataset import (
    NO_TABLES,
    Dataset,
    DatasetKey,
    Loading,
    check_data_directory,
    dataset_key,
    datasets_dir,
    ensure_dataset,
    find_dataset,
    is_directory,
)
from assay.measurement.source.disk_budget import DiskBudget
from assay.measurement.source.machine_settings import check_machine, in_force, try_machine
from assay.measurement.source.named_errors import named
from assay.measurement.source.own_server import OwnServer
from assay.measurement.source.placement import hosting, make_data_parent, redo_bytes, volume_spec, volumes
from assay.measurement.source.representatives import telling
from assay.measurement.source.session_check import check_session
from assay.measurement.source.sources import Listener, Step
from assay.measurement.source.topology import check_topology, replicas_of, source_variables
from assay.measurement.source.trial_starts import Trials, try_starts
from assay.measurement.source.trial_statements import asks_for_statements, try_statements
from assay.measurement.source.writing import writes_rows
from assay.system.engine import Interrupts, workload_size
from assay.system.host import Knobs
from assay.system.server import (
    Build,
    ClientNetwork,
    Instance,
    PrivateDir,
    check_variables,
    fit_files,
    require_space,
    snapshot_copy,
)
from assay.system.server.flavour import Version
from assay.system.server.process import LOOPBACK
from assay.system.server.variables import (
    check_engine,
    check_engine_loaded,
    check_writing,
    is_built_in,
    try_running,
    usual_values,
)

_HASTY_S = 3.0

ENGINE_OPTION = SCHEMA_OPTIONS["schema.engine"]

Capacity = Callable[[Treatment], Mapping[str, Scalar]]


@dataclass(frozen=True)
class PrivateServers:
    """Private servers of one build. `capacity` holds the variables that the ladder needs on top of a
    treatment's. `reach` is how generators on other machines reach them; None: the load comes from this one.
    """

    build: Build
    capacity: Capacity
    interrupts: Interrupts
    reason: str = "for the connections of the load"  # of what `capacity` raises
    knobs: Knobs | None = None  # None when no treatment has settings of the machine
    reach: Reach | None = None
    loaded_now: dict[str, Dataset] = field(default_factory=dict)  # by key: held for the length of `loaded`

    def version(self) -> tuple[str, Version]:
        """Returns flavour and version of the build."""
        return self.build.flavour_name, self.build.version

    def check(
        self,
        treatments: Sequence[Treatment],
        budget: DiskBudget,
        *,
        trying: bool = True,
        trials: Trials | None = None,
    ) -> None:
        """Checks every treatment's variables with the binary, and its directories, disk space and volumes.
        With `trying`, also variables set at run time, and volumes and host settings by making them; with
        `trials`, also the start of servers.
        """
        treatments = [self._reached(treatment) for treatment in treatments]
        for treatment in telling(treatments):
            self._check_variables(treatment)
        needs = []
        there: dict[str, Dataset | None] = {}
        for treatment in treatments:
            check_topology(self.build, treatment)
            hosting(treatment, self.build).check(trying=trying)
            room_for_held(treatment.experiment)
            key = self._key(treatment.of_loads[0])
            kept = there[key.id] = there[key.id] if key.id in there else find_dataset(key)
            redo = redo_bytes(treatment, None if kept is None else kept.data_dir)
            if treatment.client == "netns" and trying:
                with PrivateDir() as trial:
                    trial.client_network(treatment.delay_ms)
            budget.dataset(key.id, key.estimated_bytes() if kept is None else 0)
            for other in map(self._key, treatment.of_loads[1:]):
                budget.dataset(other.id, 0 if find_dataset(other) else other.estimated_bytes())
            copy = (key.estimated_bytes() if kept is None else kept.manifest.bytes) + _growth(treatment)
            where, spec = volumes(treatment), volume_spec(treatment)
            own = copy if spec is None else spec.bytes
            where.check(own, redo)
            here = replicas_of(treatment) * copy + (own if where.data is None else 0)
            budget.run([*where.needs(own, redo), (datasets_dir(), here)])
            needs.append((treatment, copy + (redo if where.redo is None else 0)))
        check_machine(treatments)
        if trying:
            try_machine(self.knobs, needs)
            self._try_dynamic([treatment for treatment in treatments if treatment.dynamic])
        if trials is not None:
            named = list(telling(treatments))
            try_starts(self.build, named, self._named_variables, self._without_tables, trials)
            self._try_engines(named)
            self._try_own(treatments)

    def _check_variables(self, treatment: Treatment) -> None:
        check_memory(treatment)
        raised = self.capacity(treatment).keys() - treatment.variables.keys()
        check_variables(
            self.build,
            {**self._variables(treatment), **treatment.dynamic},
            because=dict.fromkeys(raised, self.reason),
        )
        if writes_rows(treatment):
            check_writing(treatment.variables)
        check_engine(self.build, str(treatment.workload_options.get(ENGINE_OPTION, "")), treatment.variables)

    def _try_engines(self, treatments: Sequence[Treatment]) -> None:
        """Asks a server without tables for engines that its build does not name."""
        for treatment in treatments:
            engine = str(treatment.workload_options.get(ENGINE_OPTION, ""))
            question = ("engine", engine, repr(sorted(self._variables(treatment).items())))
            if engine and not is_built_in(engine) and not self.build.answers.get(question, bool):
                with self._without_tables(treatment) as server, closing(server.connect()) as connection:
                    check_engine_loaded(connection, engine)
                self.build.answers.keep(question, True)

    def _try_dynamic(self, treatments: Sequence[Treatment]) -> None:
        """Sets the treatments' run-time variables on a server without tables, since only a running server
        knows which can be set.
        """
        by_start: dict[str, list[Treatment]] = {}
        for treatment in treatments:
            by_start.setdefault(repr(sorted(self._variables(treatment).items())), []).append(treatment)
        for alike in by_start.values():
            with self._without_tables(alike[0]) as server, closing(server.connect()) as connection:
                for treatment in alike:
                    try_running(self.build.flavour, connection, treatment.dynamic, str(self.build))
                    check_session(connection, treatment, f"{treatment.name}: {self.build}")

    def _try_own(self, treatments: Sequence[Treatment]) -> None:
        """Makes the tables of data of one's own, without rows, on a server without tables, and has it prepare
        the statements of a file: what it refuses is known with file and line before the load.
        """
        tried: dict[str, list[Treatment]] = {}
        for treatment in treatments:
            if is_directory(treatment.own_data):
                check_data_directory(treatment.own_data, self.build)
            elif treatment.own_data is not None:
                key = self._key(treatment)
                asks = asks_for_statements(self.build, key.id, treatment)
                if asks or find_dataset(key) is None:
                    tried.setdefault(key.id, []).append(treatment)
        for alike in tried.values():
            own = alike[0].own_data
            assert own is not None
            with self._without_tables(alike[0]) as server:
                with named(alike, treatments):
                    made, _ = Loading(self.build, own, self.interrupts).carry_out(server, structure_only=True)
                for treatment in alike:
                    with named([treatment], treatments):
                        try_statements(
                            self.build, self._key(treatment).id, treatment, server, made, self.interrupts
                        )

    @contextmanager
    def _without_tables(self, treatment: Treatment) -> Iterator[Instance]:
        """Yields a server without tables that was started with the treatment's variables."""
        key = self._empty(treatment)
        variables = self._variables(treatment)
        with (
            PrivateDir() as private,
            ensure_dataset(self.build, key, variables, interrupts=self.interrupts) as empty,
        ):
            snapshot_copy(empty.data_dir, private.path / "data")
            fit_files(self.build, private.path / "data", variables)
            log, options = private.records / "server.log", private.records / "kept.cnf"
            with Instance(self.build, private.path / "data", variables, log, options) as server:
                yield server

    @contextmanager
    def loaded(
        self, treatments: Sequence[Treatment], *, step: Step, note: Step, listener: Listener
    ) -> Iterator[None]:
        """Builds missing datasets, and keeps all of them from being removed for the length of the block."""
        users: dict[str, list[Treatment]] = {}
        for treatment in treatments:
            users.setdefault(self._key(treatment).id, []).append(treatment)
        with ExitStack() as use:
            # First those that are there: no room is made of them for the others.
            for alike in sorted(users.values(), key=lambda these: find_dataset(self._key(these[0])) is None):
                key = self._key(alike[0])
                if find_dataset(key) is None:
                    step(f"loading the dataset {key.label}: {_size(key) + _which(alike[0])}")
                with named(alike, treatments):
                    self.loaded_now[key.id] = use.enter_context(self._dataset(alike[0], note, listener))
            try:
                yield
            finally:
                self.loaded_now.clear()

    @contextmanager
    def started(self, treatment: Treatment, work: RunFolder, step: Step) -> Iterator[OwnServer]:
        """Restores the dataset, starts the server on it, and reads every variable back."""
        treatment = self._reached(treatment)
        with PrivateDir() as private:
            if volume_spec(treatment):
                step("making the volume")
            on, volume = make_data_parent(treatment, private)
            where = replace(volumes(treatment), data=on) if volume else volumes(treatment)
            data_dir = where.data_dir(private)
            with self._dataset(treatment, step) as dataset:
                step("restoring the dataset")
                began = time.monotonic()
                need = dataset.manifest.bytes + _growth(treatment)
                require_space(data_dir, need, "the run's copy of the dataset")
                how = snapshot_copy(dataset.data_dir, data_dir)
                restored = {"restore": how, "restore_s": time.monotonic() - began}
                dataset.check_copy(data_dir)
                variables = self._variables(treatment)
                fit_files(self.build, data_dir, variables)
                layout = where.place_logs(private, data_dir)
            step("starting the server")
            network = private.client_network(treatment.delay_ms) if treatment.client == "netns" else None
            with (
                in_force(self.knobs, treatment, data_dir) as host,
                Instance(
                    self.build,
                    data_dir,
                    variables,
                    work.server_log.path,
                    work.options_file.path,
                    hosting=hosting(treatment, self.build),
                    layout=layout,
                    listen=_listens(treatment, network, self.reach),
                ) as instance,
            ):
                try:
                    instance.verify()
                    instance.set_running(treatment.dynamic)
                    if network is not None:
                        instance.admit(network.client_address)
                    elif self.reach is not None:
                        instance.admit(*self.reach.clients)
                    yield OwnServer(
                        self.build,
                        instance,
                        dataset,
                        dataset.data_id(self._key(treatment)),
                        restored,
                        treatment,
                        network,
                        host=host,
                        volume=volume,
                    )
                except BaseException:
                    instance.stop(patience_s=_HASTY_S)  # nobody wants what it would still write
                    raise

    def _reached(self, treatment: Treatment) -> Treatment:
        """Returns the treatment as its generators reach it. Raises `InputError` where they cannot, as other
        machines.
        """
        if self.reach is None:
            return treatment
        if treatment.client not in (None, "tcp"):
            raise InputError(
                f'load.client = "{treatment.client}": generators on other machines reach the server of'
                f" {treatment.name} over the network",
                hint='leave load.client out, or set it to "tcp"',
            )
        return replace(treatment, client="tcp")

    def _dataset(
        self, treatment: Treatment, note: Step, listener: Listener | None = None
    ) -> AbstractContextManager[Dataset]:
        """Holds the treatment's dataset: the one that was loaded for the study, though a file that its script
        read may have changed meanwhile.
        """
        key = self._key(treatment)
        if (loaded := self.loaded_now.get(key.id)) is not None:
            return loaded.held()
        return ensure_dataset(
            self.build,
            key,
            treatment.variables,
            interrupts=self.interrupts,
            on_event=listener,
            note=note,
        )

    def _variables(self, treatment: Treatment) -> dict[str, Scalar]:
        given = {**self.capacity(treatment), **treatment.variables}
        return {**source_variables(self.build, treatment, given), **given}

    def _named_variables(self, treatment: Treatment) -> Mapping[str, Scalar]:
        """Returns the variables of a treatment's server; none where the study names none, so that it is one
        as every other.
        """
        return self._variables(treatment) if treatment.variables else {}

    def _key(self, treatment: Treatment) -> DatasetKey:
        if treatment.experiment is not None and treatment.experiment.empty:
            return self._empty(treatment)
        return dataset_key(
            self.build.key,
            treatment.workload,
            treatment.workload_options,
            treatment.data_variables,
            treatment.script,
            defaults=usual_values(self.build),
            load=treatment.data_load,
            own=treatment.own_data,
        )

    def _empty(self, treatment: Treatment) -> DatasetKey:
        """Returns the key of the treatment's data directory without tables."""
        found, defaults = treatment.data_variables, usual_values(self.build)
        return dataset_key(self.build.key, NO_TABLES, {}, found, defaults=defaults)


def _listens(treatment: Treatment, network: ClientNetwork | None, reach: Reach | None) -> str | None:
    """Returns the address at which client and replicas reach the server over TCP; None when it has its socket
    alone.
    """
    if network is not None:
        return network.server_address
    if reach is not None:
        return reach.listen
    return LOOPBACK if treatment.client == "tcp" or replicas_of(treatment) else None


def _which(treatment: Treatment) -> str:
    """Returns which load of a dataset a treatment has; nothing of the only one."""
    return f" (load {treatment.data_load})" if (treatment.data_loads, treatment.data_load) != (1, 1) else ""


def _size(key: DatasetKey) -> str:
    if key.own is not None:
        return f"of {key.own.use}, at most {sized(key.estimated_bytes())}"
    if key.script is not None:
        return "as large as its script makes it"
    rows = 0 if key.workload == NO_TABLES else workload_size(key.workload, key.options).rows
    return f"about {rows:,} rows, at most {sized(key.estimated_bytes())}"


def _growth(treatment: Treatment) -> int:
    """Returns the bytes of tables that an experiment itself makes in its copy of an empty server."""
    makes_them = treatment.experiment is not None and treatment.experiment.empty
    return workload_size(treatment.workload, treatment.workload_options).bytes if makes_them else 0
