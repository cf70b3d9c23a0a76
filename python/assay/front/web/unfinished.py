"""Ends connections whose request does not arrive: half a request would hold its connection for ever."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE_S = 20.0
"""How long a request may take to arrive, from its first byte or the connection on, with its body."""


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 with a time limit for what a client has to send."""

    patience_s = PATIENCE_S
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Begins the time limit where something is missing, and ends it where nothing is."""
        if not self._is_unfinished():
            self._stop()
        elif self._limit is None:
            self._limit = asyncio.get_running_loop().call_later(self.patience_s, self._end)

    def _is_unfinished(self) -> bool:
        state = self.conn.their_state
        waits_for_answer = self.cycle is not None and not self.cycle.response_complete
        return state is h11.SEND_BODY or (state is h11.IDLE and not waits_for_answer)

    def _stop(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _end(self) -> None:
        self._limit = None
        if self._is_unfinished() and not self.transport.is_closing():
            cast(Any, self.transport).abort()
