"""A statement or a text of a script of many megabytes is shown, kept and recorded shortened."""

from __future__ import annotations

import pytest
from assay.base.format.event import ScriptOutput
from assay.base.printable import MOST
from assay.design.folder import ErrorEvent, Event, decode_event
from assay.front.compat.sysbench.script_run import _short
from assay.system.engine import job_error
from assay.system.engine.process import _kept_line
from assay.system.server.connection import code_and_words

LONG = "x" * (17 << 20)
"""More than any reader of a results folder takes in one line."""
FATAL = ErrorEvent(
    at_ns=0,
    kind="server",
    message=f"SELECT '{LONG}': server error 1064 (42000): You have an error",
    fatal=True,
)


@pytest.mark.parametrize("said", [FATAL, ErrorEvent(at_ns=0, kind="job", message=LONG, fatal=True), None])
def test_an_error_of_the_engine_is_short(said: ErrorEvent | None) -> None:
    error = job_error(4, said, LONG)
    assert len(error.message) < 2 * MOST
    assert len(error.detail or "") < 2 * MOST
    assert "characters left out" in f"{error.message}{error.detail}"


def test_the_place_of_a_long_statement_stays_with_the_error() -> None:
    said = ErrorEvent(at_ns=0, kind="server", message=f"my shop.sql:7: {FATAL.message}", fatal=True)
    error = job_error(4, said, "")
    assert error.message == "my shop.sql:7: server error 1064 (42000): You have an error"
    assert str(error.detail).startswith("SELECT 'xxx")
    assert job_error(4, FATAL, "").message.startswith("server error 1064")


def test_an_error_of_a_server_is_short() -> None:
    assert len(code_and_words(Exception(1064, LONG))[1]) < 2 * MOST


@pytest.mark.parametrize("event", [FATAL, ScriptOutput(text=LONG, error=True)])
def test_a_recorded_line_can_be_read_again(event: Event) -> None:
    kept = _kept_line(event, LONG.encode())
    assert len(kept) < 2 * MOST
    assert type(decode_event(kept)) is type(event)


def test_a_line_of_the_log_is_short_and_a_short_one_stays() -> None:
    assert _short("FATAL: no\n") == "FATAL: no\n"
    log = _short(f"ALERT: {LONG}\nFATAL: no\n")
    assert len(log) < 2 * MOST
    assert log.endswith("FATAL: no\n")
