"""Starts, watches and ends private servers as processes, and sweeps those of dead labs."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.system.server.process.alive import ProcessId
    from assay.system.server.process.port import LOOPBACK
    from assay.system.server.process.program import first_line, launch, server_account, start, why_as_root
    from assay.system.server.process.started import (
        Started,
        claim,
        find_started,
        record,
        started,
        stop_started,
    )
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
