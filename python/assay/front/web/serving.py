"""Answers on a port until it is told to stop."""

from __future__ import annotations

import ipaddress
import os
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import uvicorn

from assay.base.errors import ConflictError, InputError
from assay.base.privileges import REFUSED, PrivilegeError, refused
from assay.front.web.app import make_app
from assay.front.web.safety import LOCAL_NAMES
from assay.front.web.site import Site
from assay.front.web.turns import LEAVING_S, Rest, keep, own_bytes
from assay.front.web.unfinished import BoundedProtocol

#: How long open streams may go on once the server is told to stop, in seconds.
_GRACE_S = 3
_CLOSE_S = 3.0  # for what reads results when the pages end


@dataclass(frozen=True)
class Listening:
    """Where the pages are. `address` opens them; where other machines can reach them it has the token,
    without which nothing can be read. `with_token` allows changes in that tab of the browser.
    """

    address: str
    with_token: str
    is_local: bool


def serve(
    site: Site,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    names: Sequence[str] = (),
    announce: Callable[[Listening], None] = lambda _: None,
) -> None:
    """Serves the pages of a site at an address of this machine until SIGINT or SIGTERM; port 0 takes a free
    one.

    `names` are further host names that the server answers to. Raises ConflictError where the port is taken,
    and InputError for an address that is not of this machine. Must be called in the main thread, which
    receives signals.
    """
    listener = _bound(host, port)
    try:
        announce(_listening(listener, host, site.token))
        _Server(_config(site, listener, host, names), site).run(sockets=[listener])
    except KeyboardInterrupt:
        return  # that is how it is told to stop
    finally:
        listener.close()


def serve_in_turns(
    root: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    names: Sequence[str] = (),
    announce: Callable[[Listening], None] = lambda _: None,
) -> None:
    """Serves the pages of all results below `root` as `serve` does, from processes that end when they rest.
    Raises what `serve` raises.
    """
    listener = _bound(host, port)
    token = Site.new_token()

    def answer(keeper: int) -> None:
        site = Site(root, token=token)
        _Turn(_config(site, listener, host, names), site, keeper).run(sockets=[listener])
        site.close(_CLOSE_S)

    try:
        announce(_listening(listener, host, token))
        keep(listener, answer)
    finally:
        listener.close()


def _listening(listener: socket.socket, host: str, token: str) -> Listening:
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}/"
    is_local = _is_loopback(listener.getsockname()[0])
    return Listening(
        address if is_local else f"{address}?token={token}", f"{address}#token={token}", is_local
    )


def _config(site: Site, listener: socket.socket, host: str, names: Sequence[str]) -> uvicorn.Config:
    is_local = _is_loopback(listener.getsockname()[0])
    known = {*LOCAL_NAMES, *names}
    if not is_local:
        known |= {host, socket.gethostname()}
    return uvicorn.Config(
        make_app(site, names=known, reading_needs_token=not is_local),
        http=BoundedProtocol,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
    )


class _Server(uvicorn.Server):
    """A server that tells open streams to end when it is told to stop."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self._site = site

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._site.is_closing = True
        super().handle_exit(sig, frame)


class _Turn(_Server):
    """A server that ends when it has rested, or when its keeper is gone. It stops listening before it ends,
    so that whoever has connected is answered.
    """

    def __init__(self, config: uvicorn.Config, site: Site, keeper: int) -> None:
        super().__init__(config, site)
        self._keeper = keeper
        self._rest = Rest(self, own_bytes)
        self._left: float | None = None

    def is_busy(self) -> bool:
        return bool(self.server_state.tasks) or self._site.is_reading

    def requests(self) -> int:
        return self.server_state.total_requests

    async def on_tick(self, counter: int) -> bool:
        if await super().on_tick(counter):
            return True
        if os.getppid() != self._keeper:
            self._site.is_closing = True
            return True
        now = time.monotonic()
        if self._left is None:
            if self._rest.is_over():
                self._left = now
                for listening in self.servers:
                    listening.close()
            return False
        return not self.is_busy() and now - self._left >= LEAVING_S


def _bound(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise InputError(f"--host {host}: is not an address: {error.strerror or error}") from None
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen()  # whoever reads the address may ask at once
    except OSError as error:
        listener.close()
        if error.errno in REFUSED:
            raise PrivilegeError(f"port {port}", refused("ports", "this process may not take it")) from None
        raise ConflictError(
            f"cannot listen on {host} port {port}: {error.strerror or error}",
            hint="give another --port, or --port 0 for a free one",
        ) from None
    return listener


def _is_loopback(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback
