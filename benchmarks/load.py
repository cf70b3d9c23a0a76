"""Types of a contestant's load and of its server's address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Endpoint:
    """The server of a load: root logs in through its socket without a password, through TCP with this one;
    database `assay`.
    """

    socket: Path
    port: int
    database: str = "assay"
    password: str = ""  # a null server takes any
    started: float = 0.0  # a null server's, on the monotonic clock in seconds


@dataclass(frozen=True)
class Load:
    """The load of one measurement. Either `seconds` or `transactions` ends it."""

    workload: str
    connections: int
    seconds: int = 0
    transactions: int = 0
    warm_up_s: int = 0  # ours alone
    transport: str = "unix"  # or "tcp"
    prepared: bool = True
    rate: float | None = None  # arrivals per second; None is a closed loop
    arrivals: str = "poisson"  # or "constant"; sysbench knows only its own
    tables: int = 4
    table_size: int = 100_000
    options: Mapping[str, Any] | None = (
        None  # of a workload that knows other options than tables and table_size
    )
    engine_threads: int = 0  # 0: the engine chooses
    loaders: int = 0  # connections of `prepare`; 0: the engine chooses
    interval_s: float = 1  # how often ours tells what happened

    @property
    def title(self) -> str:
        """A short name with everything that differs from the default."""
        parts = [self.workload.removeprefix("oltp_"), f"{self.connections}"]
        if self.transport != "unix":
            parts.append(self.transport)
        if not self.prepared:
            parts.append("text")
        return ", ".join(parts)
