"""Protocols of the system under test, which takes the load of a run: a server, or storage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from assay.base.format.job import Target
from assay.design.folder import Doubted, HostEntry, Scalar
from assay.system.host.volume import Volume
from assay.system.server import Address, Connection


class SystemUnderTest(Protocol):
    """A server or storage that takes a run's load."""

    @property
    def target(self) -> Target | None:
        """The server that the load is sent to; None when it goes to files."""

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment variable with the password that the engine needs; empty without one."""

    @property
    def namespace(self) -> Path | None:
        """The network namespace that the engine runs in; None for the lab's own."""

    @property
    def pid(self) -> int | None:
        """The pid of the lab's own server process; None when there is none."""

    @property
    def paths(self) -> Sequence[Path]:
        """Directories whose file systems and devices matter to the measurement."""

    @property
    def host(self) -> Sequence[HostEntry]:
        """Host settings that were changed for the run, for the manifest."""

    @property
    def volume(self) -> Volume | None:
        """The volume that was made for the data; None when they lie on an existing file system."""

    @property
    def doubts(self) -> Sequence[Doubted]:
        """Doubts about the measurement that are known before the load."""

    @property
    def dataset(self) -> dict[str, Scalar]:
        """The identity of the data and how it was restored, for the manifest."""

    @property
    def description(self) -> dict[str, Scalar]:
        """The identity of the server, for the manifest; empty for storage."""


class Server(SystemUnderTest, Protocol):
    """A server under test, the lab's own or a running one."""

    @property
    def target(self) -> Target: ...

    @property
    def lab_address(self) -> Address:
        """The address at which this machine's own jobs reach the server and its tables, whoever else may log
        in.
        """

    @property
    def samples(self) -> Path | None:
        """The file of the samples that own statements draw from its data; None where no other server has
        the same data.
        """

    def connect(self, *, read_timeout_s: float | None = None) -> Connection:
        """Opens a connection with which the lab inspects the server."""

    def how_it_ended(self) -> str | None:
        """Returns a clause that says how the server ended; None while it lives. Waits a moment when it may be
        about to end.
        """

    def log_tail(self, lines: int) -> str:
        """Returns the end of the server's log; empty where it cannot be read."""


@dataclass(frozen=True)
class Storage:
    """A directory of files under test; `size_bytes` were written to them."""

    directory: Path
    size_bytes: int
    host: Sequence[HostEntry] = ()
    volume: Volume | None = None
    doubts: Sequence[Doubted] = ()
    target: None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    namespace: None = None
    pid: None = None

    @property
    def paths(self) -> Sequence[Path]:
        return [self.directory]

    @property
    def dataset(self) -> dict[str, Scalar]:
        return {"id": "files", "restore": "written", "bytes": self.size_bytes}

    @property
    def description(self) -> dict[str, Scalar]:
        return {}
