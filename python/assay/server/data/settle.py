"""Waiting until a server has nothing left to do in the background: purge done, dirty pages written."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass

from assay.errors import ServerError
from assay.server.connection import Connection
from assay.server.flavour import flavour_of
from assay.server.status import StatusSource
from assay.server.variables.reading import global_variables, server_version

_POLL_S = 0.1
_FLUSH_TARGETS = ("innodb_max_dirty_pages_pct", "innodb_max_dirty_pages_pct_lwm")


@dataclass(frozen=True)
class Settled:
    """How it ended. `quiet`: before the time was up. A count is None where the server does not say."""

    quiet: bool
    seconds: float
    history_list: int | None
    dirty_pages: int | None


def settle(
    connection: Connection, *, timeout_s: float = 120.0, history_list: int = 100, dirty_pages: int = 10
) -> Settled:
    """Wait until history list and dirty pages are at most as many as said, no longer than `timeout_s`.

    Flushing is asked for by lowering innodb_max_dirty_pages_pct, which is put back; without the right to set
    it, this only waits.
    """
    text, _ = server_version(connection)
    signals = flavour_of(text).signals
    status = StatusSource(connection)
    started = time.monotonic()
    with _flushing(connection):
        while True:
            values = status.read()
            history, dirty = values.get(signals["history_list"]), values.get(signals["dirty_pages"])
            quiet = (history or 0) <= history_list and (dirty or 0) <= dirty_pages
            seconds = time.monotonic() - started
            if quiet or seconds >= timeout_s:
                return Settled(quiet, seconds, _count(history), _count(dirty))
            time.sleep(_POLL_S)


@contextlib.contextmanager
def _flushing(connection: Connection) -> Iterator[None]:
    before = global_variables(connection)
    kept = {name: before[name] for name in _FLUSH_TARGETS if name in before}
    try:
        for name in kept:
            _set(connection, name, "0")
        yield
    finally:
        for name, value in kept.items():
            _set(connection, name, value)


def _set(connection: Connection, name: str, value: str) -> None:
    with (
        contextlib.suppress(ServerError),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"SET GLOBAL {name} = {float(value):g}")


def _count(value: float | None) -> int | None:
    return None if value is None else int(value)
