"""The process of a server: waits until it answers, ends or kills it, and finds out how it ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass

from assay.base.errors import ConnectError, HostError, ServerError
from assay.design.study import size_text
from assay.system.server.address import Address
from assay.system.server.process.log import ServerLog
from assay.system.server.resources.memory_group import MemoryGroup
from assay.system.server.resources.quota_group import QuotaGroup

_DYING_S = 5.0
"""A killed server takes a moment to give its memory back before it is seen to be gone."""

_POLL_S = 0.02
_LOGIN_S = 5.0
_KILLED_S = 30.0
"""A killed process that is still there then waits in the kernel, for a device that does not answer."""
_NOT_YET = {1040, 1053, 2002, 2003, 2006, 2013}  # too many, shutting down, nothing there (yet), gone


@dataclass
class ServerProcess:
    """One process of a server. `name` is the server's name in errors; `group` its control group, where its
    memory is limited, `quota` the one where its processor time is.
    """

    name: str
    log: ServerLog
    process: subprocess.Popen[bytes]
    group: MemoryGroup | None = None
    quota: QuotaGroup | None = None

    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def wait_ready(self, address: Address, timeout_s: float) -> None:
        """Waits until root can log in at `address`. Raises ServerError when the server dies, refuses the
        login, or takes too long.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            if not self.alive():
                raise self.failed(f"{self.name} did not start: {self.over_memory() or self.log.reason()}")
            left_s = max(deadline - time.monotonic(), _POLL_S)
            try:
                address.connect(timeout_s=min(left_s, _LOGIN_S)).close()
            except ConnectError as error:
                if error.code is not None and error.code not in _NOT_YET:
                    raise self.failed(
                        f"{self.name} started but refuses root on its socket: {error.message}"
                    ) from error
            else:
                return
            if time.monotonic() > deadline:
                raise self.failed(f"{self.name} is not ready after {timeout_s:g} s")
            time.sleep(_POLL_S)

    def failed(self, message: str) -> ServerError:
        """Returns an error with the end of the log."""
        return ServerError(message, hint=f"the whole log: {self.log.path}", detail=self.log.tail(20) or None)

    def end(self, patience_s: float) -> bool:
        """Ends the process by SIGTERM, and by SIGKILL after `patience_s`; returns whether SIGKILL was
        needed.
        """
        self.process.terminate()
        try:
            self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_KILLED_S)
            return True
        return False

    def kill(self) -> None:
        """Kills the process (SIGKILL), as a crash does, and returns when it has ended. Raises HostError when
        the kernel cannot end it.
        """
        self.process.kill()
        try:
            self.process.wait(_KILLED_S)
        except subprocess.TimeoutExpired:
            raise HostError(
                f"{self.name} was killed but has not exited within {_KILLED_S:g} s",
                hint="it waits in the kernel: check whether the device with its data still answers",
            ) from None

    def over_memory(self) -> str | None:
        """Returns a clause when the kernel killed the server for exceeding its memory limit, otherwise
        None.
        """
        if self.group is None or self.alive() or not self.group.kills():
            return None
        return f"the server was killed for exceeding server.memory = {size_text(self.group.limit_bytes)}"

    def how_it_ended(self) -> str | None:
        """Returns a clause that says how the server ended; None while it lives. Waits a moment when it may be
        about to end.
        """
        deadline = time.monotonic() + _DYING_S
        while self.alive():
            if time.monotonic() > deadline:
                return None
            time.sleep(0.05)
        status = self.process.returncode
        return self.over_memory() or (
            f"the server was ended by signal {-status}" if status < 0 else f"the server ended with {status}"
        )
