"""Answers on a port until it is told to stop."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType

import uvicorn

from assay.base.errors import ConflictError, InputError
from assay.front.web.app import make_app
from assay.front.web.safety import LOCAL_NAMES
from assay.front.web.site import Site
from assay.front.web.unfinished import BoundedProtocol

#: How long open streams may go on once the server is told to stop, in seconds.
_GRACE_S = 3


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
    """Serves the pages at an address of this machine until SIGINT or SIGTERM; port 0 takes a free one.

    `names` are further host names that the server answers to. Raises ConflictError where the port is taken,
    and InputError for an address that is not of this machine. Must be called in the main thread, which
    receives signals.
    """
    listener = _bound(host, port)
    is_local = _is_loopback(listener.getsockname()[0])
    known = {*LOCAL_NAMES, *names}
    if not is_local:
        known |= {host, socket.gethostname()}
    app = make_app(site, names=known, reading_needs_token=not is_local)
    config = uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
    )
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}/"
    announce(
        Listening(
            address if is_local else f"{address}?token={site.token}",
            f"{address}#token={site.token}",
            is_local,
        )
    )
    try:
        _Server(config, site).run(sockets=[listener])
    except KeyboardInterrupt:
        return  # that is how it is told to stop
    finally:
        listener.close()


class _Server(uvicorn.Server):
    """A server that tells open streams to end when it is told to stop."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self._site = site

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._site.is_closing = True
        super().handle_exit(sig, frame)


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
        raise ConflictError(
            f"cannot listen on {host} port {port}: {error.strerror or error}",
            hint="give another --port, or --port 0 for a free one",
        ) from None
    return listener


def _is_loopback(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback
