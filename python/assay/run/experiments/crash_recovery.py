"""Crash recovery: SIGKILL under load, start again, compare with what was promised."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from assay.errors import ServerError
from assay.run.experiments.ledger import numbers_there, writing
from assay.run.experiments.load_beside import load_beside
from assay.run.experiments.stage import Stage

_STATUS = "SHOW GLOBAL STATUS LIKE 'Innodb_checkpoint_age'"  # MariaDB
_METRIC = "log_lsn_checkpoint_age"  # MySQL 5.6 and later; off until it is asked for
_METRICS = (
    "SELECT NAME, COUNT FROM information_schema.INNODB_METRICS"
    f" WHERE NAME = '{_METRIC}' AND STATUS = 'enabled'"
)
_MB = 1e6


def carry_out(stage: Stage) -> Mapping[str, float]:
    """Kills the server at the window's end and measures its way back.

    A killed process loses nothing that it has given to the operating system; only a power cut would. So
    innodb_flush_log_at_trx_commit = 2 must lose nothing here, and 0 may lose a second.
    """
    measured: dict[str, float] = {}
    _watch_checkpoints(stage)
    with (
        writing(stage, int(stage.options["ledger_sessions"])) as ledger,
        # Longer than it will live: the load is there until the kill.
        load_beside(stage, 3 * stage.window_s, keep=False) as beside,
    ):
        beside.measuring.wait()
        beside.over.wait(stage.window_s)
        beside.still_there("the kill")
        if (age := _checkpoint_age(stage)) is not None:
            measured["checkpoint_age_mb"] = age / _MB
        stage.step("killing the server")
        stage.moment("killed")
        stage.server.kill()
    stage.step("recovering")
    measured["recovery_s"] = stage.restart({})
    stage.moment("ready")
    lost, ghosts = ledger.compare(numbers_there(stage))
    measured["acknowledged"] = float(len(ledger.acknowledged))
    measured["lost_commits"] = float(lost)
    measured["ghost_rows"] = float(ghosts)
    stage.run(stage.job("check")).require()
    return measured


def _watch_checkpoints(stage: Stage) -> None:
    """Turns the metric on where there is one."""
    if not stage.ask(_STATUS):
        with suppress(ServerError):
            stage.ask(f"SET GLOBAL innodb_monitor_enable = '{_METRIC}'")


def _checkpoint_age(stage: Stage) -> int | None:
    """Bytes of redo since the last checkpoint; None where the server does not tell."""
    with suppress(ServerError):
        if rows := stage.ask(_STATUS) or stage.ask(_METRICS):
            return int(rows[0][1])
    return None
