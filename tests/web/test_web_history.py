"""A change in the history is explained and closed on its page, by whoever has the terminal's token."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from asking import HOSTILE, ask
from assay.front.web import Site, make_app
from assay.front.web.history import histories
from releases import make_releases

QUERY = "?canary=mariadb@10.6"


def test_a_change_is_closed_on_its_page(tmp_path: Path) -> None:
    make_releases(tmp_path)
    site = Site(tmp_path)
    site.catalogue.rows(wait_s=None)
    app, path = make_app(site), f"/en/history/state{QUERY}"
    (shift,) = ask(app, f"/en/history.json{QUERY}").json()["shifts"]
    assert shift["state"] == "new"
    series = re.search(r'href="(/en/history/\w+\?[^"]+)"', ask(app, f"/en/history{QUERY}").text)
    assert series is not None
    said = r"\d+ builds, from [\d.]+ .* of .* to [\d.]+ .* of .*; 1 change was found\."
    address = html.unescape(series[1])
    zoomed, whole = ask(app, address).text, ask(app, f"{address}&y=zero").text
    assert re.search(said, zoomed)
    assert [bool(re.search(r">0(\.0+)?</text>", text)) for text in (zoomed, whole)] == [False, True]

    kind = {"content-type": "application/json"}
    with_token = kind | {"x-assay-token": site.token}

    def record(status: int, headers: dict[str, str] = with_token, **content: str) -> None:
        body = json.dumps({"id": shift["id"], **content}).encode()
        assert ask(app, path, method="POST", headers=headers, body=body).status == status

    record(401, kind, reason="issue 4711", closing="later")
    record(422, reason="issue 4711", closing="whenever")
    record(422, reason="", closing="later")
    record(200, reason=f"issue 4711 {HOSTILE}", closing="later")
    for language, said in (("en", "closed: left for later"), ("zh", "已关闭：留待以后处理")):
        page = ask(app, f"/{language}/history{QUERY}").text
        assert page.count(said) == 2  # the row, and the list to choose from
        assert "issue 4711" in page
        assert HOSTILE not in page
    record(200, reason="")
    (shift,) = ask(app, f"/en/history.json{QUERY}").json()["shifts"]
    assert (shift["state"], shift["closing"]) == ("new", "")


def test_what_is_still_being_computed_may_be_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_releases(tmp_path)
    site = Site(tmp_path)
    site.catalogue.rows(wait_s=None)
    monkeypatch.setattr(histories, "PATIENCE_S", 0.0)
    app = make_app(site)
    early = {path: ask(app, f"/en/history{path}") for path in ("", ".json", "/feed.atom", "/00000000")}
    assert [answer.status for answer in early.values()] == [200, 503, 503, 503]
    assert early[".json"].headers["retry-after"] == "2"
    assert site.histories.close(120)
    late = [ask(app, f"/en/history{path}").status for path in early]
    assert late == [200, 200, 200, 404]


def test_without_results_there_is_no_history_to_wait_for(tmp_path: Path) -> None:
    app = make_app(Site(tmp_path))
    assert [ask(app, f"/en/history{path}").status for path in ("", ".json", "/feed.atom")] == [200, 404, 404]
    assert "data-again" not in ask(app, "/en/history").text
