"""The samplers of a run: server status and host, on the load's time line."""

from __future__ import annotations

import time
from types import TracebackType

from assay.folder import RunFolder
from assay.folder.manifest import Doubted
from assay.host import SamplerSet, Source, cpu, disks, memory, pressure, processes
from assay.host.sampler.canary import CanarySource
from assay.run.servers import StartedServer
from assay.server import StatusSource

_ONE_MORE_READING_S = 1.1
_READ_TIMEOUT_S = 30.0


class Watch:
    """Samples as long as it is entered; is told the engine's process of each rung.

    `status=False` leaves the server's counters out: of a server that is killed or restarted meanwhile.
    """

    def __init__(self, server: StartedServer, folder: RunFolder, *, status: bool = True) -> None:
        self._status = StatusSource(server.connect(read_timeout_s=_READ_TIMEOUT_S)) if status else None
        self._processes = processes({} if server.pid is None else {"server": server.pid})
        self._canary = CanarySource()
        host: list[Source] = [cpu(), memory(), disks(), pressure(), self._canary]
        counters: list[Source] = [] if self._status is None else [self._status]
        self._samplers = SamplerSet([*counters, *host, self._processes], folder.samples)

    def engine_started(self, pid: int) -> None:
        """From now on the engine is this process."""
        self._processes.watch("engine", pid)

    def server_started(self, pid: int) -> None:
        """From now on the server is this process."""
        self._processes.watch("server", pid)

    def doubts(self) -> list[Doubted]:
        """Sources that failed, and a machine that changed meanwhile."""
        noisy = self._canary.doubt()
        missing = [
            Doubted(
                kind="samples-missing",
                message=f"{report.missed} readings of {report.source} are missing: {report.error}",
                value=float(report.missed),
                limit=0.0,
            )
            for report in self._samplers.reports()
            if report.error is not None
        ]
        return missing if noisy is None else [*missing, noisy]

    def __enter__(self) -> Watch:
        self._samplers.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            time.sleep(_ONE_MORE_READING_S)  # so that the last window has a reading on either side
        self._samplers.stop()
        if self._status is not None:
            self._status.close()
