"""A private server with its own directory, socket, loopback port and options file; it ends when the lab
does.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import time
import weakref
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from assay.base.errors import HostError, ServerError
from assay.design.folder import Scalar
from assay.system.server.address import Address, Tls, new_password
from assay.system.server.connection import Connection
from assay.system.server.data.snapshot import forget_cached_below
from assay.system.server.process.accounts import admit_root
from assay.system.server.process.log import ServerLog
from assay.system.server.process.options import binlog_name, options_text, write_options
from assay.system.server.process.port import LOOPBACK, free_port, require_free
from assay.system.server.process.private import PrivateDir
from assay.system.server.process.program import give_to_server, launch, require_reachable, server_account
from assay.system.server.process.server_process import ServerProcess
from assay.system.server.release.build import Build
from assay.system.server.resources.hosting import Hosting
from assay.system.server.resources.summary import given_to
from assay.system.server.resources.volumes import Layout
from assay.system.server.variables.catalogue import catalogue, loads_of
from assay.system.server.variables.check import check_in_force, check_variables, numbered_by
from assay.system.server.variables.dynamic import set_running
from assay.system.server.variables.plugins import check_plugins
from assay.system.server.variables.reading import global_variables
from assay.system.server.variables.translate import settings

ALL_OF_IT = Hosting()
IN_ONE_PLACE = Layout()

_PORT_TRIES = 3


class Instance:
    """One start of one build on one data directory; a context manager that stops it and cleans up on every
    exit.

    `data_dir` must have been made by `initialise` or restored from a snapshot of one; it is given to the user
    that servers run as, and stays when the server stops (put it into a `PrivateDir` if it should not).
    `variables` go into the options file, which is written to `options_path` and kept; the server's log goes
    to `log_path`. `hosting`: its processors, allocator and memory; `layout`: what lies outside the data
    directory.

    It takes connections on its socket alone, whose directory is closed to others. With `listen` it also takes
    them at that address, where root needs `password`; the default address with a `port` is 127.0.0.1, and
    without a `port` a free one is taken. Start it from a thread that lives as long as the server must.
    """

    def __init__(
        self,
        build: Build,
        data_dir: Path,
        variables: Mapping[str, Scalar],
        log_path: Path,
        options_path: Path,
        port: int | None = None,
        hosting: Hosting = ALL_OF_IT,
        layout: Layout = IN_ONE_PLACE,
        listen: str | None = None,
    ) -> None:
        self.build = build
        self.hosting = hosting
        self.layout = layout
        self.listen = LOOPBACK if listen is None and port is not None else listen
        self.password = None if self.listen is None else new_password()
        self.data_dir = data_dir.absolute()
        self.variables = dict(variables)
        self.options_path = options_path
        self.log = ServerLog(log_path)
        self._wanted_port = port
        self._port = port
        self._private: PrivateDir | None = None
        self._socket: Path | None = None
        self._process: ServerProcess | None = None
        self._owner = os.getpid()
        self._admitted: tuple[str, ...] = ()
        self.dynamic: dict[str, Scalar] = {}
        self.launched_s = 0.0  # when the process was started last, on the monotonic clock

    def start(self, *, ready_timeout_s: float = 120.0) -> None:
        """Checks the variables, starts the server, and returns when it takes connections.

        Raises what `check_variables` raises; raises HostError when the port is taken or a directory out of
        reach; Raises ServerError with the last log lines when the server dies or is not ready in time.
        """
        if self.alive():
            return
        check_variables(self.build, self.variables)
        self.hosting.check()
        require_reachable(self.data_dir, "the data directory")
        if not self.data_dir.is_dir():
            raise HostError(
                f"cannot find the data directory {self.data_dir}", hint="initialise it, or restore a snapshot"
            )
        if self._wanted_port is not None and self.listen is not None:
            require_free(self._wanted_port, self.listen)
        give_to_server(self.data_dir)
        if self.hosting.memory_bytes is not None:
            for folder in (self.data_dir, *self.layout.paths):
                forget_cached_below(folder)
        for attempt in range(1, _PORT_TRIES + 1):
            if self.listen is not None:
                self._port = self._wanted_port or free_port(self.listen)
            try:
                self._start_once(ready_timeout_s)
            except ServerError:
                # Somebody took the free port between our looking and the server's binding.
                if self.listen is None or not self.log.port_taken():
                    raise
                if self._wanted_port is not None:
                    require_free(self._wanted_port, self.listen)
                    raise
                if attempt == _PORT_TRIES:
                    raise
            else:
                return

    def _start_once(self, ready_timeout_s: float) -> None:
        self._private = PrivateDir()
        _running.add(self)
        try:
            self._socket = self._private.socket()
            own_options = self._write_options(self._private)
            limit, processors = self.hosting.memory_bytes, self.hosting.cpu_quota
            group = None if limit is None else self._private.memory_group(limit)
            quota = None if processors is None else self._private.quota_group(processors)
            self.log.open_new()
            with self.log.path.open("ab") as log:
                self.launched_s = time.monotonic()
                process = launch(
                    [*self.build.command, f"--defaults-file={own_options}"],
                    record=self._private.record,
                    environment={**self.build.environment, **self.hosting.environment},
                    cpus=self.hosting.cpus,
                    numa=None if self.hosting.numa is None else self.hosting.numa.word,
                    groups=[one.members for one in (group, quota) if one is not None],
                    sync_delay_us=self.hosting.sync_delay_us,
                    stdout=log,
                    stderr=log,
                )
            self._process = ServerProcess(str(self.build), self.log, process, group, quota)
            self._process.wait_ready(self.address, ready_timeout_s)
            if self.listen == LOOPBACK:
                self.admit(LOOPBACK)
        except BaseException:
            self.stop(patience_s=5)
            raise

    def _write_options(self, private: PrivateDir) -> Path:
        """Writes the options file that is kept, and returns a copy that the server's user can read."""
        temporary = private.path / "tmp"
        temporary.mkdir(mode=0o700)
        places = {
            "datadir": str(self.data_dir),
            "socket": str(self.socket),
            **(
                {"skip_networking": "ON"}
                if self.listen is None
                else {"port": str(self.port), "bind_address": self.listen}
            ),
            "pid_file": str(private.path / "server.pid"),
            "tmpdir": str(private.own(temporary)),
        }
        if os.geteuid() == 0 and server_account() is None:
            places["user"] = "root"  # servers refuse to be root's unless they are told so
        if "tmpdir" in self.variables:
            del places["tmpdir"]
        said = {setting.name: setting for setting in settings(self.build, self.variables)}
        log_bin = said["log_bin"].value if "log_bin" in said else None
        for name, value in self.layout.options(binlog_name(log_bin)).items():
            if name in said:
                said[name] = replace(said[name], value=value)
            else:
                places[name] = value
        text = options_text(self.build, places=places, variables=list(said.values()))
        write_options(self.options_path, text)
        own = private.records / "my.cnf"
        write_options(own, text)
        own.chmod(0o644)  # whatever the umask
        return own

    def stop(self, *, clean: bool = False, patience_s: float = 60.0) -> None:
        """Stops the server by SIGTERM, by SIGKILL after `patience_s`, and removes the private directory; does
        nothing when it is not running.

        `clean`: purge and flush everything first (innodb_fast_shutdown=0), for a snapshot without recovery. A
        clean stop that does not end in time is a ServerError: its data directory is no snapshot.
        """
        process, killed = self._process, False
        if process is not None and process.alive():
            if clean:
                with contextlib.closing(self.connect()) as connection, connection.cursor() as cursor:
                    cursor.execute("SET GLOBAL innodb_fast_shutdown = 0")
            killed = process.end(patience_s)
        if self._private is not None:
            self._private.remove()
            self._private = None
        _running.discard(self)
        if process is not None:
            process.group = None  # gone with the directory
            if clean and (killed or self.exit_status() != 0):
                raise process.failed(f"{self.build} did not shut down cleanly within {patience_s:g} s")

    @property
    def pid(self) -> int:
        """The pid of the server process; only after `start()`."""
        return self._started.process.pid

    @property
    def socket(self) -> Path:
        """The path of the server's socket; only after `start()`."""
        assert self._socket is not None, "not started"
        return self._socket

    @property
    def port(self) -> int:
        """The TCP port at `listen`; only for a server that listens, and after `start()` unless the port was
        given.
        """
        assert self._port is not None, "it does not listen, or is not started"
        return self._port

    @property
    def address(self) -> Address:
        """The address of root on the socket, without a password."""
        return Address(user="root", socket=self.socket, database="assay")

    @property
    def tcp_address(self) -> Address:
        """The server's address over TCP, with root's password. Only for a server that listens."""
        assert self.listen is not None, "it does not listen"
        key = self.data_dir / "public_key.pem"  # made by MySQL for passwords that travel encrypted
        return Address(
            user="root",
            host=self.listen,
            port=self.port,
            database="assay",
            # Its load is not of TLS unless that is asked for.
            tls=Tls(mode="disabled", server_public_key=str(key) if key.is_file() else None),
            password=self.password,
        )

    def set_running(self, variables: Mapping[str, Scalar]) -> None:
        """Sets variables while the server runs, and reads them back. Raises ServerError, in the server's
        words, when it refuses.

        The values end with the process; `dynamic` keeps them for a later start.
        """
        self.dynamic = dict(variables)
        if not variables:
            return
        with contextlib.closing(self.connect()) as connection:
            set_running(self.build.flavour, connection, variables, str(self.build))

    def admit(self, *hosts: str) -> None:
        """Lets root log in over TCP with a password from these addresses, and from no other. The accounts are
        not replicated.

        Nothing is done where these accounts exist already, from an earlier start.
        """
        if self._admitted == hosts:
            return
        assert self.password is not None, "it does not listen"
        with contextlib.closing(self.connect()) as connection:
            admit_root(connection, hosts, self.password)
        self._admitted = hosts

    @property
    def _started(self) -> ServerProcess:
        assert self._process is not None, "not started"
        return self._process

    def alive(self) -> bool:
        return self._process is not None and self._process.alive()

    def kill(self) -> None:
        """Kills the server (SIGKILL), as a crash does, and returns when it has ended. Raises HostError when
        the kernel cannot end it.

        Only after `start()`.
        """
        self._started.kill()

    def wait(self) -> int:
        """Waits until the server ends by itself, and returns its exit status. Only after `start()`."""
        return self._started.process.wait()

    def exit_status(self) -> int | None:
        """The server's exit status: None before it ends or starts, negative for the signal that ended it."""
        return None if self._process is None else self._process.process.poll()

    def over_memory(self) -> str | None:
        """Returns a clause when the kernel killed the server for exceeding its memory limit, otherwise None.
        Only until `stop()`.
        """
        return None if self._process is None else self._process.over_memory()

    def how_it_ended(self) -> str | None:
        """Returns a clause that says how the server ended; None while it lives. Waits a moment when it may be
        about to end. Only after `start()`.
        """
        return self._started.how_it_ended()

    def given(self) -> dict[str, Scalar]:
        """Returns the machine's resources that the study asked for and this server has, for a manifest. Only
        after `start()`.
        """
        return given_to(self.hosting, self.layout, self._started.group)

    def connect(self, *, read_timeout_s: float | None = None) -> Connection:
        """Opens a connection as root, with autocommit and no database.

        Raises ConnectError when the server does not answer.
        """
        return self.address.connect(read_timeout_s=read_timeout_s)

    def log_tail(self, lines: int) -> str:
        """Returns the last lines that this start wrote to the log."""
        return self.log.tail(lines)

    def verify(self) -> dict[str, str]:
        """Reads every set variable back, and returns the values in force by name.

        Raises ServerError, which lists unknown, clamped and ignored variables, also when the server has other
        resources than it was given.
        """
        self.hosting.verify(self.pid)
        if (group := self._started.group) is not None:
            group.verify(self.pid)
        if (quota := self._started.quota) is not None:
            quota.verify(self.pid)
        with contextlib.closing(self.connect()) as connection:
            actual = global_variables(connection)
            check_plugins(connection, self.variables, str(self.build))
        self.layout.verify(actual)
        options = catalogue(self.build, self.variables).options
        return check_in_force(
            self.variables,
            actual,
            where=str(self.build),
            log=self.log.lines(),
            options=options,
            is_numbered=numbered_by(self.build, loads_of(self.build, self.variables)),
        )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.stop()

    def stop_if_ours(self) -> None:
        """Stops the server when this process started it: at exit, a forked child must not stop its parent's
        server.
        """
        if self._owner == os.getpid():
            self.stop(patience_s=20)


_running: weakref.WeakSet[Instance] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for instance in list(_running):
        with contextlib.suppress(Exception):  # the others must be stopped too
            instance.stop_if_ours()
