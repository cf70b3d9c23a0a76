"""The system under test: what every load is measured on, and what besides when it is a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from assay.folder import Doubted, HostEntry, Scalar
from assay.format.job import Target
from assay.host.volume import Volume
from assay.server import Connection


class SystemUnderTest(Protocol):
    """What a run needs to know of whatever takes its load."""

    @property
    def target(self) -> Target | None:
        """The server that the load goes to; None: it goes to files."""

    @property
    def environment(self) -> Mapping[str, str]:
        """What the engine's environment must have: a password, or nothing."""

    @property
    def namespace(self) -> Path | None:
        """The network namespace that the engine is put into; None: it stays in ours."""

    @property
    def pid(self) -> int | None:
        """The lab's own process that takes the load; None: there is none."""

    @property
    def paths(self) -> Sequence[Path]:
        """Directories whose file systems and devices matter."""

    @property
    def host(self) -> Sequence[HostEntry]:
        """What was changed of the machine for it, for the manifest."""

    @property
    def volume(self) -> Volume | None:
        """What was made for its data; None: they lie on what was there."""

    @property
    def doubts(self) -> Sequence[Doubted]:
        """Reasons to distrust what is measured on it, known before the load."""

    @property
    def dataset(self) -> dict[str, Scalar]:
        """Which data it has and how they came there, for the manifest."""

    @property
    def description(self) -> dict[str, Scalar]:
        """Which server it is, for the manifest; empty where there is none."""


class Server(SystemUnderTest, Protocol):
    """A server under test, whoever started it."""

    @property
    def target(self) -> Target: ...

    def connect(self, *, read_timeout_s: float | None = None) -> Connection:
        """A connection to look at it with."""

    def how_it_ended(self) -> str | None:
        """A clause; None while it lives. Waits a moment when it is about to end."""

    def log_tail(self, lines: int) -> str:
        """The end of its log; empty where it cannot be read."""


@dataclass(frozen=True)
class Storage:
    """A directory with files under test, which `size_bytes` were written to."""

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
