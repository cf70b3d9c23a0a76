"""Requests have an end: of their bytes, and of the time in which they arrive."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import uvicorn
from asking import ask
from assay.front.web import Site, make_app
from assay.front.web.safety import MOST_BODY_BYTES, TOKEN_HEADER
from assay.front.web.unfinished import BoundedProtocol


@pytest.mark.parametrize(
    "host",
    [
        "[::1].evil",
        "[::1].evil:80",
        "[::1]x",
        "127.0.0.1.evil",
        "localhost.evil",
        "localhost:80.evil",
        "x[::1]",
    ],
)
def test_a_name_that_begins_like_ours_is_another(tmp_path: Path, host: str) -> None:
    assert ask(make_app(Site(tmp_path)), "/en/", headers={"host": host}).status == 421


@pytest.mark.parametrize("host", ["[::1]", "[::1]:80", "127.0.0.1:1234", "LOCALHOST", "localhost:"])
def test_our_names_are_answered(tmp_path: Path, host: str) -> None:
    assert ask(make_app(Site(tmp_path)), "/en/", headers={"host": host}).status == 200


@pytest.mark.parametrize("said", [True, False])
def test_a_body_that_is_too_large_is_refused(tmp_path: Path, said: bool) -> None:
    site = Site(tmp_path)
    body = b" " * (MOST_BODY_BYTES + 1)
    headers = {TOKEN_HEADER: site.token, "content-type": "application/json"}
    headers |= {"content-length": str(len(body))} if said else {}
    answer = ask(make_app(site), "/r/x/notes", method="POST", headers=headers, body=body)
    assert answer.status in (404, 413)
    assert answer.status == 413 or not said


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTT",
        b"GET / HTTP/1.1\r\nhost: localhost\r\nx: ",
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhalf",
    ],
)
def test_a_request_that_does_not_arrive_ends_its_connection(
    tmp_path: Path, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedProtocol, "patience_s", 0.2)

    async def run() -> bytes:
        config = uvicorn.Config(
            make_app(Site(tmp_path)),
            http=BoundedProtocol,
            ws="none",
            lifespan="off",
            log_level="error",
            port=0,
        )
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        try:
            return await asyncio.wait_for(reader.read(), 10)
        except ConnectionError:
            return b""
        finally:
            writer.close()
            server.should_exit = True
            await task

    assert b" 500 " not in asyncio.run(run())
