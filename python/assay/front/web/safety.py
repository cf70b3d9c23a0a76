"""Guards every request of the pages: who may ask, from where, and what a browser may do with the answer.

The server listens on this machine, where every page of every other site in the same browser can reach it.
So the name that was asked for (`Host`) must be one of ours, against DNS rebinding; a request that another
site began (`Origin`, `Sec-Fetch-Site`) is refused unless it is a plain link; and nothing changes without
the token that the terminal printed. Streams pass as they come: nothing is buffered.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable, Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.base.wording import sized

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
TOKEN_HEADER = "x-assay-token"
TOKEN_COOKIE = "assay-token"
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

MOST_BODY_BYTES = 1 << 20
"""The most bytes that a request may bring."""
_TOO_LARGE = f"a request has at most {sized(MOST_BODY_BYTES)}"

_READING = frozenset({"GET", "HEAD"})


class Safety:
    """Middleware around all pages.

    `names` are the host names that a request may ask for. `token` allows writing; with
    `reading_needs_token` also reading, for a server that other machines can reach: such a server may be
    asked by any address, since DNS rebinding needs a name.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str,
        names: Iterable[str] = LOCAL_NAMES,
        reading_needs_token: bool = False,
    ) -> None:
        self._app = app
        self._token = token
        self._names = frozenset(name.lower() for name in names)
        self._reading_needs_token = reading_needs_token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets
            return

        is_answered, received = False, 0

        async def send_guarded(message: Message) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                is_answered = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        async def receive_bounded() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MOST_BODY_BYTES:
                raise HTTPException(413, _TOO_LARGE)
            return message

        try:
            await (self._refusal(scope) or self._app)(scope, receive_bounded, send_guarded)
        except Exception:
            if not is_answered:
                await _refused(500, "a fault of Assay: the terminal has the details")(
                    scope, receive, send_guarded
                )
            raise

    def _refusal(self, scope: Scope) -> Response | None:
        """Returns the answer to a request that is not allowed; None for one that is."""
        headers = Headers(scope=scope)
        host = _name_of(headers.get("host", ""))
        if host is None or not self._is_ours(host):
            return _refused(
                421, f"this server does not answer to the name {host or headers.get('host', '')!r}"
            )
        origin = headers.get("origin")
        if origin is not None and origin != f"{scope.get('scheme', 'http')}://{headers['host']}":
            return _refused(403, "the request comes from another site")
        is_reading = scope["method"] in _READING
        is_link = is_reading and headers.get("sec-fetch-mode") == "navigate"
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not is_link:
            return _refused(403, "the request comes from another site")
        if is_reading:
            return self._reader(scope, headers) if self._reading_needs_token else None
        if _said_bytes(headers) > MOST_BODY_BYTES:
            return _refused(413, _TOO_LARGE)
        if scope["method"] != "POST":
            return _refused(405, "only GET, HEAD and POST are allowed", {"allow": "GET, HEAD, POST"})
        if not self._is_token(headers.get(TOKEN_HEADER, "")):
            return _refused(401, "the token that the terminal printed is missing")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _refused(415, "a change is sent as application/json")
        return None

    def _reader(self, scope: Scope, headers: Headers) -> Response | None:
        """Returns what a reader without the token gets. The token in the address becomes a cookie, so that it
        does not stay in the history of the browser.
        """
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if given is not None and self._is_token(given):
            left = urlencode([(name, value) for name, value in query if name != "token"])
            path = "/" + scope["path"].lstrip("/\\")  # never `//elsewhere`
            answer = RedirectResponse(f"{path}?{left}" if left else path, status_code=303)
            answer.set_cookie(TOKEN_COOKIE, given, httponly=True, samesite="strict", path="/")
            return answer
        bearer = headers.get("authorization", "").removeprefix("Bearer ").strip()
        if any(map(self._is_token, (bearer, headers.get(TOKEN_HEADER, ""), _cookie(headers)))):
            return None
        return _refused(401, "open the address that the terminal printed, with its token")

    def _is_ours(self, host: str) -> bool:
        return host in self._names or (self._reading_needs_token and _is_address(host))

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())


def _said_bytes(headers: Headers) -> int:
    """Returns how many bytes a request says that it brings; 0 where it says nothing."""
    said = headers.get("content-length", "")[:20]
    return int(said) if said.isdecimal() and said.isascii() else 0


def _name_of(host: str) -> str | None:
    """Returns the name or address in a `Host` header, without the port; None for what is neither."""
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname, parts.port
    except ValueError:  # not a port, or not an address
        return None
    is_alone = port != 0 and not (parts.path or parts.username or parts.query)
    # `urlsplit` reads [::1] out of "[::1].evil".
    shown = f"[{name}]" if name and ":" in name else name or ""
    is_whole = host.lower() in (shown, f"{shown}:", f"{shown}:{port}")
    return name if name and is_alone and is_whole else None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(TOKEN_COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _refused(status: int, why: str, headers: Mapping[str, str] | None = None) -> Response:
    return PlainTextResponse(f"{why}\n", status, headers=dict(headers or {}))
