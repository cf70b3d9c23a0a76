"""`assay bench … --server NAME`: a private server for one measurement, with the tables, gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from assay.bench.request import Bench
from assay.engine.interrupts import Interrupts
from assay.errors import InputError
from assay.folder import Event, Progress, RunFolder
from assay.folder.manifest import Scalar
from assay.plan import Treatment
from assay.run.sweep import sweep
from assay.server import PrivateDir, find_build
from assay.source.capacity import room_for
from assay.source.private import PrivateServers
from assay.source.servers import Servers
from assay.terminal import console
from assay.terminal.loading import LoadDisplay


@contextmanager
def on_own_server(bench: Bench, use: str, variables: Mapping[str, Scalar]) -> Iterator[Bench]:
    """The bench as it goes to a fresh server of its own, with the workload's tables in it.

    The tables are a dataset like a study's: loaded once for a server build, kept, copied. InputError for an
    action other than run; what a server that cannot start raises.
    """
    if bench.action != "run":
        raise InputError(
            f"--server starts a server for one measurement and removes it: {bench.action} leaves nothing",
            hint="run alone prepares what it needs; for a server that stays: assay server start",
        )
    out = console(stderr=True)
    build = find_build(use)
    treatment = Treatment(
        name="bench",
        levels={},
        server_use=use,
        variables=dict(variables),
        workload=bench.workload,
        workload_options=dict(bench.options),
        ps_mode="disable" if bench.ps_mode == "disable" else "auto",
    )

    def say(text: str) -> None:
        out.print(f"{text} …", markup=False)

    for line in sweep():
        out.print(line, markup=False)
    servers_end = ExitStack()
    with Interrupts() as interrupts, PrivateDir() as private, servers_end:
        private_servers = PrivateServers(build, lambda one: room_for(one, [bench.threads]), interrupts)
        servers = Servers({use: private_servers})
        servers.check([treatment])
        with LoadDisplay(out) as display:  # over before the measurement: a live display would disturb it

            def hear(event: Event) -> None:
                if isinstance(event, Progress):
                    display.show(event)

            servers_end.enter_context(servers.loaded([treatment], step=say, note=say, listener=hear))
        with servers.started(treatment, RunFolder(private.path), say) as server:
            target = server.target
            assert target is not None
            out.print(f"{build} on {target.socket}", markup=False)
            yield replace(
                bench,
                socket=target.socket,
                user=target.user,
                db=target.database,
                password=None,
                ssl_mode="disabled",
            )
