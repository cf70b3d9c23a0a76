"""Loads a dataset on a server of its own, which is shut down cleanly, and keeps the data directory for
copies.
"""

from __future__ import annotations

import re
import shutil
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec

from assay.base.durable import write_whole
from assay.base.errors import InputError, ServerError
from assay.base.format.event import ActionResult
from assay.design.folder import Event, Scalar
from assay.design.study import digest_of
from assay.measurement.source.dataset.eviction import make_room
from assay.measurement.source.dataset.fingerprint import LoadedTable, fingerprint, loaded_tables
from assay.measurement.source.dataset.forms.data_directory import copy_data_directory, is_directory
from assay.measurement.source.dataset.inputs import changed_since, contents, digest, not_files
from assay.measurement.source.dataset.key import NO_TABLES, DatasetKey, dataset_key
from assay.measurement.source.dataset.manifest import (
    MANIFEST,
    Dataset,
    DatasetManifest,
    dataset_lock,
    datasets,
    datasets_dir,
    find_dataset,
    read_dataset,
)
from assay.measurement.source.dataset.own_tables import Loading, Settled, load_mode, settle
from assay.measurement.source.dataset.samples import samples_file
from assay.measurement.source.dataset.shaping import initialising_variables, loading_variables
from assay.measurement.source.last_words import last_words
from assay.system.engine import Interrupts, jobs, run_job
from assay.system.server import (
    Build,
    Instance,
    disk_use,
    fit_files,
    initialise,
    known_only,
    require_space,
    snapshot_copy,
)
from assay.system.server.variables import usual_values

LOADING: dict[str, Scalar] = {
    "innodb_flush_log_at_trx_commit": 0,  # a load that is cut short is thrown away as a whole
    "innodb_buffer_pool_dump_at_shutdown": "OFF",  # every run starts as cold as every other
}
"""Variables with which a server runs while it loads a dataset."""

_CLEAN_STOP_S = 600.0
_COUNTING_S = 3600.0


@contextmanager
def ensure_dataset(
    build: Build,
    key: DatasetKey,
    variables: Mapping[str, Scalar],
    *,
    interrupts: Interrupts,
    on_event: Callable[[Event], None] | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Iterator[Dataset]:
    """Yields the dataset, built first if it is missing; it is not removed for the length of the block.

    `variables` are the treatment's, for the sizes and limits of the load. `note` is called with
    datasets that were removed to make room. Of two processes that want the same dataset, the second waits for
    the first.
    """
    with ExitStack() as use:
        with dataset_lock(key.id):
            dataset = find_dataset(key) or _built(build, key, variables, interrupts, on_event, note)
            dataset.touch()
            use.enter_context(dataset.held())
        yield dataset


def _built(
    build: Build,
    key: DatasetKey,
    variables: Mapping[str, Scalar],
    interrupts: Interrupts,
    on_event: Callable[[Event], None] | None,
    note: Callable[[str], None],
) -> Dataset:
    """Builds the dataset and returns it; the caller holds the lock of its key."""
    part = datasets_dir() / f".{key.id}.part"
    shutil.rmtree(part, ignore_errors=True)  # left by a builder that was killed: it would hold the lock
    make_room(key.estimated_bytes(), note)
    require_space(datasets_dir(), key.estimated_bytes(), f"the dataset {key.id}")
    part.mkdir()
    try:
        name = _load(build, key, variables, part, interrupts, on_event, note)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    whole = datasets_dir() / name
    part.rename(whole)
    return read_dataset(whole)


def _load(
    build: Build,
    key: DatasetKey,
    variables: Mapping[str, Scalar],
    part: Path,
    interrupts: Interrupts,
    on_event: Callable[[Event], None] | None,
    note: Callable[[str], None],
) -> str:
    """Loads the tables into `part`; returns the id of the dataset, which depends on the files that a script
    read.
    """
    began, began_wall_ns = time.monotonic(), time.time_ns()
    data_dir = part / "data"
    loading = loading_variables(key.variables, variables, usual_values(build))
    settings = {**loading, **known_only(build, LOADING)}
    taking = settings
    if key.own is not None:  # a study may allow more than is usual, and less than a load needs
        taking = {**settings, **known_only(build, load_mode(settings)), **key.variables}
    own, notes = Settled([], {}), []
    _require_the_files(key)
    if is_directory(key.own):
        notes = copy_data_directory(key.own, build, data_dir, settings, part)
    elif key.workload == NO_TABLES:
        initialise(build, data_dir, initialising_variables(key.variables))
    else:
        empty = dataset_key(key.build, NO_TABLES, {}, key.variables)
        with ensure_dataset(build, empty, variables, interrupts=interrupts, note=note) as without_tables:
            snapshot_copy(without_tables.data_dir, data_dir)
        (data_dir / "auto.cnf").unlink(missing_ok=True)  # MySQL's name of this one server
    fit_files(build, data_dir, taking)
    with (
        Instance(build, data_dir, taking, part / "server.log", part / "my.cnf") as server,
        last_words(server),
    ):
        tables: list[LoadedTable] = []
        done: ActionResult | None = None
        if is_directory(key.own):
            pass  # the tables are there
        elif key.own is not None:
            done, notes = Loading(build, key.own, interrupts, part / "events.jsonl", on_event).carry_out(
                server
            )
        elif key.workload != NO_TABLES:
            tables, done = _prepared(server, key, part, interrupts, on_event)
        server.stop(
            clean=True, patience_s=_CLEAN_STOP_S
        )  # purged and merged: no run inherits the load's debts
    if key.own is not None:
        fit_files(build, data_dir, settings)
        with (
            Instance(build, data_dir, settings, part / "server.log", part / "my.cnf") as server,
            last_words(server),
        ):
            own = settle(server, key.own, done)
            tables = own.tables
            server.stop(clean=True, patience_s=_CLEAN_STOP_S)
        notes += differing(key, own)
        for one in notes:
            note(f"{key.workload}: {one}")
    _require_the_files(key)  # a file may have changed since
    files = contents(done.files_read if done else [])
    changed = [f"{name}, which changed during the load" for name in changed_since(files, began_wall_ns)]
    others = [*(done.other_inputs if done else []), *not_files(files), *changed]
    if others:
        note(
            f"{key.workload} reads what Assay does not see ({', '.join(others)}): its tables are loaded again"
            " for each study"
        )
    suffix = uuid.uuid4().hex[:8] if others else digest(files) if files else ""
    name = f"{key.id}-{suffix}" if suffix else key.id
    manifest = DatasetManifest(
        id=name,
        build=key.build,
        workload=key.workload,
        options=key.options,
        variables=key.variables,
        seed=key.seed,
        load=key.load,
        script=key.identity,
        data=None if key.own is None else key.own.digest,
        database=own.database,
        checksums=own.checksums,
        notes=notes,
        files_read=files,
        other_inputs=others,
        tables=len(tables),
        rows=sum(table.rows for table in tables),
        bytes=disk_use(data_dir),
        seconds=time.monotonic() - began,
        created_wall_ns=time.time_ns(),
        fingerprint=fingerprint(tables, data_dir, own.database),
    )
    write_whole(part / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return name


def _require_the_files(key: DatasetKey) -> None:
    """Raises InputError where the data are no longer those that the key was made of."""
    own = key.own
    if own is None or not own.digest:
        return
    try:
        found = digest_of(Path(own.place))
    except OSError as error:
        raise InputError(
            f"{own.use}: cannot read {error.filename or own.place}: {error.strerror or error}"
        ) from error
    if found != own.digest:
        raise InputError(
            f"{own.use} has changed since this command read it first",
            hint="give the command again once nobody writes to it any more",
        )


def differing(key: DatasetKey, own: Settled) -> list[str]:
    """Returns sentences about tables that other servers have made otherwise of the same data: of other rows,
    or, where the flavour is the same and so the checksum's rule, of another sum.
    """
    found = []
    rows = {table.name: table.rows for table in own.tables}
    for dataset in datasets():
        manifest = dataset.manifest
        if key.own is None or manifest.data != key.own.digest or manifest.fingerprint is None:
            continue
        if manifest.build == key.build:
            continue
        theirs = {name: table.rows for name, table in manifest.fingerprint.tables.items()}
        for name in sorted(rows.keys() | theirs.keys()):
            if rows.get(name) != theirs.get(name):
                found.append(f"{name} has {rows.get(name)} rows, and {theirs.get(name)} on {manifest.build}")
            elif _flavour(manifest.build) == _flavour(key.build):
                sums = own.checksums.get(name), manifest.checksums.get(name)
                if None not in sums and sums[0] != sums[1]:
                    found.append(f"{name} has another checksum than on {manifest.build}")
    return found


def _flavour(build: str) -> str:
    return re.split(r"[-@ ]", build, maxsplit=1)[0]


def _prepared(
    server: Instance,
    key: DatasetKey,
    part: Path,
    interrupts: Interrupts,
    on_event: Callable[[Event], None] | None,
) -> tuple[list[LoadedTable], ActionResult]:
    """Loads the tables and returns them as the server describes them, with what the engine says of the load.
    Raises ServerError when they differ from what the engine sent.
    """
    job = jobs.job(
        "prepare",
        target=jobs.target(server.address),
        workload=key.workload,
        options=key.options,
        seed=key.seed,
        load=None if key.script is None else jobs.closed_loop(key.script.threads),
        script=key.script,
        samples=samples_file(key.data_id),
    )
    outcome = run_job(job, interrupts=interrupts, events_path=part / "events.jsonl", on_event=on_event)
    interrupts.raise_if_requested()
    done = outcome.require().done
    assert done is not None
    with closing(server.connect(read_timeout_s=_COUNTING_S)) as connection:
        tables = loaded_tables(connection)
    interrupts.raise_if_requested()
    rows = sum(table.rows for table in tables)
    if key.script is not None:
        return tables, done  # only the script knows what it sent
    if (len(tables), rows) != (done.tables, done.rows):
        raise ServerError(
            f"after the load the server has {rows} rows in {len(tables)} tables,"
            f" but {done.rows} in {done.tables} were sent",
            detail="\n".join(f"{table.name}: {table.rows}" for table in tables) or None,
        )
    return tables, done
