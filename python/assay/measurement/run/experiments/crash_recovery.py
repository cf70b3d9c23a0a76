"""The experiment on crash recovery: kills the server under load, starts it, and compares it with its
promises.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path

from assay.base.format.job import EngineOptions
from assay.design.folder import CheckOutcome, Event
from assay.measurement.run.experiments.background_load import BackgroundLoad, background_load
from assay.measurement.run.experiments.ledger import numbers_there, writing
from assay.measurement.run.experiments.stage import Stage
from assay.system.engine import workload_catalogue

LEDGER = "acknowledged.ledger"
"""Name of the ledger in the rung's folder, for workloads that keep one."""

_OF_LEDGER = "ledger-"
_MB = 1e6
_LOOK_S = 0.1
_LOG_LINES = 1000

_LSN = re.compile(r"^Log sequence number\s+(\d+)$", re.MULTILINE)
_CHECKPOINT = re.compile(r"^Last checkpoint at\s+(\d+)$", re.MULTILINE)
_TO_RECOVER = re.compile(r"InnoDB: (?:To recover:|Starting final batch to recover) (?:LSN \S+; )?(\d+) pages")
"""Log lines of MariaDB 10.5 and later, and 10.1, that state the pages to recover; other servers do not state
them.
"""


def carry_out(stage: Stage) -> Mapping[str, float]:
    """Kills the server at the window's end, and returns measures of its recovery.

    A killed process loses nothing that it has given to the operating system; only a power cut would. So
    innodb_flush_log_at_trx_commit = 2 must lose nothing here, and 0 may lose a second.
    """
    measured: dict[str, float] = {}
    own = stage.rung.path / LEDGER if _keeps_ledger(stage) else None
    writers = int(stage.options["ledger_sessions"])
    with (
        writing(stage, writers, engine=str(stage.options["ledger_engine"])) as ledger,
        # Longer than it will live: the load is there until the kill.
        background_load(stage, 3 * stage.window_s, keep=False, ledger=own) as background,
    ):
        background.measuring.wait()
        if redo_mb := float(stage.options["redo_mb"]):
            stage.step(f"loading to {redo_mb:g} MB of redo")
            stage.facts["killed_at"] = _until_redo(stage, background, redo_mb)
        else:
            background.over.wait(stage.window_s)
        background.still_there("the kill")
        if (age := _checkpoint_age(stage)) is not None:
            measured["checkpoint_age_mb"] = age / _MB
        stage.step("killing the server")
        stage.moment("killed")
        stage.server.kill()
    stage.step("recovering")
    measured["recovery_s"] = stage.restart({})
    stage.moment("ready")
    if (pages := pages_to_recover(stage.server.log_tail(_LOG_LINES))) is not None:
        measured["pages_recovered"] = float(pages)
    lost, ghosts = ledger.compare(numbers_there(stage))
    promised, gone = _check(stage, own)
    measured["acknowledged"] = float(len(ledger.acknowledged) + promised)
    measured["lost_commits"] = float(lost + gone)
    measured["ghost_rows"] = float(ghosts)
    return measured


def _keeps_ledger(stage: Stage) -> bool:
    """Returns whether the workload itself can record acknowledged commits."""
    name = stage.job("check").workload.name
    return any(entry["ledger"] for entry in workload_catalogue() if entry["name"] == name)


def _check(stage: Stage, own: Path | None) -> tuple[int, int]:
    """Checks the tables, and returns how many commits of the workload's own ledger were acknowledged, and how
    many are missing. A script without a command `check` has nothing to check.

    Missing commits are a measure, as with the writers. Raises when anything else is broken.
    """
    if not stage.checks:
        return 0, 0
    broken: dict[str, int] = {}

    def hear(event: Event) -> None:
        if isinstance(event, CheckOutcome) and event.violations:
            broken[event.name] = event.violations

    engine = None if own is None else EngineOptions(ledger=str(own))
    outcome = stage.run(stage.job("check", engine=engine), on_event=hear)
    gone = sum(count for name, count in broken.items() if name.startswith(_OF_LEDGER))
    if not gone or not all(name.startswith(_OF_LEDGER) for name in broken):
        outcome.require()
    if own is None or not own.is_file():
        return 0, 0
    with own.open(encoding="utf-8") as lines:
        return sum(not line.startswith("#") for line in lines), gone


def _until_redo(stage: Stage, background: BackgroundLoad, redo_mb: float) -> str:
    """Waits until the redo ahead of the data files reaches `redo_mb`, at most for the window; returns which
    came first.
    """
    end = time.monotonic() + stage.window_s
    while time.monotonic() < end and not background.over.wait(_LOOK_S):
        if (_checkpoint_age(stage) or 0) >= redo_mb * _MB:
            return f"{redo_mb:g} MB of redo"
    return "the window's end"


def _checkpoint_age(stage: Stage) -> int | None:
    """Returns the bytes of redo since the last checkpoint; None where the server does not state it."""
    return age_of(str(stage.ask("SHOW ENGINE INNODB STATUS")[0][2]))


def age_of(status: str) -> int | None:
    """Returns log sequence number less last checkpoint from a status text, the one place where every version
    has both.
    """
    found = _LSN.search(status), _CHECKPOINT.search(status)
    if found[0] is None or found[1] is None:
        return None
    return int(found[0][1]) - int(found[1][1])


def pages_to_recover(log: str) -> int | None:
    """Returns the largest number of pages that the log names, since it counts down during recovery; None
    without one.
    """
    return max((int(pages) for pages in _TO_RECOVER.findall(log)), default=None)
