"""Starts the servers of a bench on first use: a private MariaDB with tables, and null servers."""

from __future__ import annotations

import itertools
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from assay.base.errors import HostError
from assay.system.server import Connection, Instance, find_build, initialise, sweep_dead
from assay.system.server.process.port import LOOPBACK
from assay.system.server.process.private import PrivateDir

from benchmarks import engine
from benchmarks.built import built
from benchmarks.child import ContestantFailed, used_s
from benchmarks.load import Endpoint, Load

VARIABLES: dict[str, str | int | float | bool] = {
    "innodb_buffer_pool_size": "1G",
    "innodb_redo_log_capacity": "1G",
    "innodb_flush_log_at_trx_commit": 2,
    "max_connections": 3000,
    "max_prepared_stmt_count": 1_000_000,
    "back_log": 4096,
}


class Servers:
    """The servers of a bench, as a context manager that stops all of them at its end."""

    def __init__(self, server: str, tables: int, table_size: int) -> None:
        self.name, self.build = server, find_build(server)
        self._tables, self._table_size = tables, table_size
        self._stack = ExitStack()
        self._real: tuple[Instance, Endpoint] | None = None
        self._nulls: dict[tuple[str, ...], Endpoint] = {}
        self._numbers = itertools.count(1)

    def __enter__(self) -> Self:
        sweep_dead()
        self._dir = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="assay-bench-")))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def folder(self) -> Path:
        """A folder for files that are as long of use as the servers."""
        return self._dir

    def real(self) -> Endpoint:
        """Returns the real server, with the tables of all OLTP workloads."""
        return self._started()[1]

    def admin(self) -> Connection:
        """Opens a connection to the real server."""
        return self._started()[0].connect()

    def pid(self) -> int:
        """Returns the process of the real server."""
        return self._started()[0].pid

    def cpu_s(self) -> float:
        """Returns the CPU time that the real server has used so far, purge and flushing included."""
        return used_s([self.pid()])

    def short_socket(self) -> Path:
        """Returns a short path of the real server's socket, for programs that truncate a long one."""
        link = self._dir / "s"
        if not link.is_symlink():
            link.symlink_to(self.real().socket)
        return link

    def null(self, *options: str) -> Endpoint:
        """Returns the null server with these options; each set of options has a process of its own."""
        if options not in self._nulls:
            self._nulls[options] = self._stack.enter_context(self._null(options))
        return self._nulls[options]

    def _started(self) -> tuple[Instance, Endpoint]:
        if self._real is None:
            data_dir = self._stack.enter_context(PrivateDir()).path / "data"
            initialise(self.build, data_dir)
            log, options = self._dir / "server.log", self._dir / "my.cnf"
            instance = self._stack.enter_context(
                Instance(self.build, data_dir, VARIABLES, log, options, listen=LOOPBACK)
            )
            endpoint = Endpoint(instance.socket, instance.port, password=instance.password or "")
            load = Load("oltp_read_write", 1, tables=self._tables, table_size=self._table_size)
            try:
                engine.prepare(load, endpoint)
            except ContestantFailed as failed:
                raise HostError(f"the tables of the bench could not be loaded: {failed}") from None
            self._real = instance, endpoint
        return self._real

    @contextmanager
    def _null(self, options: tuple[str, ...]) -> Iterator[Endpoint]:
        socket = self._dir / f"null-{next(self._numbers)}.sock"
        command: list[str | Path] = [built("assay-nullserver"), "--socket", socket, "--port", "0", *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                line = process.stdout.readline()
                if not line:
                    raise HostError(f"assay-nullserver {' '.join(options)} did not start")
                yield Endpoint(socket, json.loads(line)["port"], started=time.monotonic())
            finally:
                process.terminate()
