"""Starts, watches and ends private servers as processes, and sweeps those of dead labs."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.server.process.alive import ProcessId
    from assay.server.process.port import LOOPBACK
    from assay.server.process.program import first_line, launch, server_account, start, why_as_root
    from assay.server.process.started import Started, claim, find_started, record, started, stop_started
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "LOOPBACK",
    "ProcessId",
    "Started",
    "claim",
    "find_started",
    "first_line",
    "launch",
    "record",
    "server_account",
    "start",
    "started",
    "stop_started",
    "why_as_root",
]
