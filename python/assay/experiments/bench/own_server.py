"""Provides private servers with the tables for `assay bench … --server NAME`, removed afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from assay.base.errors import InputError
from assay.design.folder import RunFolder, Scalar
from assay.design.plan import OwnData, Treatment
from assay.experiments.bench.progress import ServerProgress
from assay.experiments.bench.rate_over_starts import Start
from assay.experiments.bench.request import Bench
from assay.measurement.run import sweep
from assay.measurement.source import PrivateServers, Sources, room_for
from assay.system.engine import Interrupts
from assay.system.server import PrivateDir, find_only_build


@contextmanager
def own_servers(
    bench: Bench,
    use: str,
    variables: Mapping[str, Scalar],
    progress: ServerProgress,
    own_data: OwnData | None = None,
) -> Iterator[Start]:
    """Starts fresh servers with the workload's tables, one at a time, and yields the bench for each.

    The tables are a dataset like a study's: loaded once for a server build, kept, copied; `own_data`, where
    there is any, in place of the workload's. Raises InputError
    for an action other than run, and the errors of a server that cannot start.
    """
    if bench.action != "run":
        raise InputError(
            f"--server cannot be combined with {bench.action}: its server is removed after one measurement",
            hint=f"leave {bench.action} out: a run prepares its own tables; to keep a server: assay"
            " server start",
        )
    build = find_only_build(use)
    treatment = Treatment(
        name="bench",
        levels={},
        server_use=use,
        variables=dict(variables),
        workload=bench.workload,
        workload_options=dict(bench.options),
        script=bench.script,
        own_data=own_data,
        ps_mode="disable" if bench.ps_mode == "disable" else "auto",
    )

    for line in sweep():
        progress.note(line)
    servers_end = ExitStack()
    with Interrupts() as interrupts, servers_end:
        private_servers = PrivateServers(build, lambda one: room_for(one, [bench.threads]), interrupts)
        sources = Sources({use: private_servers})
        sources.check([treatment])
        loaded = sources.loaded([treatment], step=progress.step, note=progress.step, listener=progress.event)
        servers_end.enter_context(loaded)

        @contextmanager
        def start() -> Iterator[Bench]:
            with (
                PrivateDir() as private,
                private_servers.started(treatment, RunFolder(private.path), progress.step) as server,
            ):
                target = server.target
                progress.note(f"{build} on {target.socket}")
                yield replace(
                    bench,
                    socket=target.socket,
                    user=target.user,
                    db=target.database,
                    password=None,
                    ssl_mode="disabled",
                    server_session=tuple(variables),
                )

        yield start
