"""Nothing reaches the pages but what may, and nothing leaves them that could run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from asking import Seen, ask
from assay.front.web import Site, make_app
from assay.front.web.safety import POLICY, Safety
from starlette.applications import Starlette

TOKEN = "a-token"


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site(tmp_path_factory.mktemp("empty"), token=TOKEN)


@pytest.fixture(scope="module")
def local(empty: Site) -> Starlette:
    return make_app(empty)


@pytest.fixture(scope="module")
def remote(empty: Site) -> Starlette:
    return make_app(empty, names={"lab"}, reading_needs_token=True)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:8321", 200),
        ("127.0.0.1:8321", 200),
        ("[::1]:8321", 200),
        ("LOCALHOST", 200),
        ("evil.example", 421),
        ("evil.example:8321", 421),
        ("localhost.evil.example", 421),
        ("10.0.0.1", 421),
        ("user@localhost", 421),
        ("localhost/x", 421),
        ("localhost:port", 421),
        ("", 421),
    ],
)
def test_only_our_own_names_are_answered(local: Starlette, host: str, status: int) -> None:
    assert ask(local, "/en/", headers={"host": host}).status == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://localhost"}, 200),
        ({"origin": "http://localhost:1"}, 403),
        ({"origin": "https://localhost"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 200),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}, 403),
    ],
)
def test_what_another_site_begins_is_refused(local: Starlette, headers: dict[str, str], status: int) -> None:
    assert ask(local, "/en/", headers=headers).status == status


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("POST", {}, 401),
        ("POST", {"x-assay-token": "another"}, 401),
        ("POST", {"x-assay-token": TOKEN}, 415),
        ("POST", {"x-assay-token": TOKEN, "content-type": "text/plain"}, 415),
        ("POST", {"x-assay-token": TOKEN, "content-type": "application/x-www-form-urlencoded"}, 415),
        ("POST", {"cookie": f"assay-token={TOKEN}", "content-type": "application/json"}, 401),
        # It passes the guard, and no page takes it.
        ("POST", {"x-assay-token": TOKEN, "content-type": "application/json"}, 405),
        ("PUT", {"x-assay-token": TOKEN}, 405),
        ("DELETE", {"x-assay-token": TOKEN}, 405),
        ("OPTIONS", {"origin": "http://localhost"}, 405),
    ],
)
def test_a_change_needs_the_token_and_json(
    local: Starlette, method: str, headers: dict[str, str], status: int
) -> None:
    assert ask(local, "/en/", method=method, headers=headers).status == status


def test_a_server_for_others_needs_the_token_for_reading(remote: Starlette) -> None:
    def status(address: str, **headers: str) -> int:
        return ask(remote, address, headers={"host": "lab", **headers}).status

    assert status("/en/") == 401
    assert status("/assets/style.css") == 401
    assert status("/en/?token=wrong") == 401
    assert status("/en/", authorization=f"Bearer {TOKEN}") == 200
    assert status("/en/", authorization="Bearer wrong") == 401
    assert status("/en/", cookie=f"assay-token={TOKEN}") == 200
    assert ask(remote, "/en/", headers={"host": "10.0.0.1"}).status == 401
    assert ask(remote, "/en/", headers={"host": "evil.example"}).status == 421


def test_the_token_in_the_address_becomes_a_cookie_and_goes_away(remote: Starlette) -> None:
    answer = ask(remote, f"/en/?q=a+b&token={TOKEN}", headers={"host": "lab"})
    assert answer.status == 303
    assert answer.headers["location"] == "/en/?q=a+b"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    elsewhere = ask(remote, f"//evil.example/?token={TOKEN}", headers={"host": "lab"})
    assert not elsewhere.headers.get("location", "").startswith("//")


@pytest.mark.parametrize("address", ["/en/", "/zh/history", "/en/nothing", "/assets/style.css", "/"])
def test_every_answer_has_the_policy(local: Starlette, address: str) -> None:
    headers = ask(local, address).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers
    assert "unsafe" not in POLICY


def test_a_fault_inside_is_answered_with_the_policy_too() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("inside")

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
    with pytest.raises(RuntimeError, match="inside"):
        asyncio.run(Safety(app, token=TOKEN)(scope, None, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == 500
    assert (b"content-security-policy", POLICY.encode()) in sent[0]["headers"]
    assert b"inside" not in sent[1]["body"]


def test_a_stream_passes_as_it_comes() -> None:
    """The first part is with the reader before the second exists."""
    read, go_on = [], asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        await go_on.wait()
        await send({"type": "http.response.body", "body": b"second"})

    async def send(message: Any) -> None:
        if body := message.get("body"):
            read.append(body)
            if body == b"first":
                assert read == [b"first"]
                go_on.set()

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
    asyncio.run(Safety(app, token=TOKEN)(scope, None, send))  # type: ignore[arg-type]
    assert read == [b"first", b"second"]


@pytest.mark.parametrize(
    "address",
    [
        "/assets/../app.py",
        "/assets/..%2fapp.py",
        "/assets/%2e%2e/app.py",
        "/assets/style.css/../../app.py",
        "/en/r/..%2f..%2fetc",
        "/en/r/nothing~00000000",
        "/en/r/{rid}/run/..%2f..%2f..%2fbroken",
        "/en/r/{rid}/run/%2fetc%2fpasswd",
        "/en/r/{rid}/run/{run}/9",
        "/en/r/{rid}/run/{run}/1/events?at=-1",
        "/en/r/{rid}/run/{run}/1/events?at=999999999999",
        "/en/r/{rid}/run/{run}/1/events?at=1e3",
        "/en/r/{rid}/run/{run}/1/events?at=../../study.json",
        "/en/r/{rid}/tables/..%2f..%2fstudy.csv",
        "/en/r/{rid}/charts/nothing.svg",
        "/en/r/{rid}/charts/throughput.exe",
        "/en/r/{rid}/n/nobody/8/tps",
        "/en/r/{rid}/n/innodb_purge_threads=1/8/nothing",
        "/en/r/{rid}/n/innodb_purge_threads=1/nan/tps",
        "/en/r/{rid}/n/innodb_purge_threads=1/eight/tps",
        "/en/compare?base={rid}:nobody&new={rid}:nobody",
        "/en/compare?base=nothing:x&new=nothing:y",
        "/en/history/00000000",
        "/en/host/nowhere",
        "/en/history?by=luck",
        "/fr/",
        "/en/nothing",
    ],
)
def test_what_no_list_names_is_not_found(
    app: Starlette, rids: dict[str, str], run: str, address: str
) -> None:
    address = address.format(rid=rids["quick"], run=run)
    assert ask(app, address).status == 404, address


def test_a_hostile_address_stays_text(app: Starlette) -> None:
    answer = ask(app, "/en/?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&server=%3Cimg%20src=x%3E")
    assert answer.status == 200
    assert "<script>alert" not in answer.text
    assert "<img src=x>" not in answer.text
    assert "script" in Seen(answer.text).tags  # ours


def test_a_root_that_cannot_be_written_is_served(tmp_path: Path) -> None:
    (tmp_path / ".catalogue").write_text("a file where the folder should be")
    assert ask(make_app(Site(tmp_path)), "/en/").status == 200
