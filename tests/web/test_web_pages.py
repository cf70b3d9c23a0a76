"""Pages are whole: they nest, their links lead somewhere, and what a study or a server says stays text."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from asking import HOSTILE, Answer, Seen, ask
from assay.design.study import Conditions
from assay.front.web import Site, make_app
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.compare.likeness import obstacles
from assay.front.web.result import result_page
from assay.reporting.report import Table
from assay.testing.results_folder import Truth, make_results
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse

EVERY = 101
"""Of the many pages of numbers and runs, one in so many is opened."""


def _page(app: Starlette, address: str, status: int = 200) -> tuple[Answer, Seen]:
    answer = ask(app, address)
    assert answer.status == status, (address, answer.text[:2000])
    return answer, Seen(answer.text)


def _internal(seen: Seen) -> list[str]:
    return [link.partition("#")[0] for link in seen.links if link.startswith("/")]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_link_leads_to_a_whole_page(app: Starlette, rids: dict[str, str], language: str) -> None:
    others = [rids["deep/again"], rids["unfinished"]]  # much the same once more
    others += [rids["hostile <b>"]] if language == "zh" else []
    ahead, known, many = [f"/{language}/"], {f"/{language}/"}, 0
    while ahead:
        address = ahead.pop()
        answer = ask(app, address)
        assert answer.status == 200 or "hostile" in address, (address, answer.text[:1500])
        if answer.kind != "text/html":
            continue
        said_twice = re.search(r"[(（]([^)）]+)[)）]\s*[(（]\1[)）]", re.sub(r"<[^>]+>", "", answer.text))
        assert not said_twice, (address, said_twice)
        seen = Seen(answer.text)
        assert len(seen.ids) == len(set(seen.ids)), address
        assert not {"style", "iframe", "object", "img", "base"} & seen.tags, address
        inline = {name for name in seen.attributes if name.startswith("on") or name == "style"}
        assert not inline, address
        assert not [link for link in seen.links if not re.match(r"[/#]", link)], address
        assert f'lang="{"zh-CN" if language == "zh" else "en"}"' in answer.text
        for link in _internal(seen):
            if link in known or not link.startswith(f"/{language}/") or any(one in link for one in others):
                continue
            known.add(link)
            is_one_of_many = bool(re.search(r"/n/|/run/|/compare\?|/charts/|/tables/", link))
            many += is_one_of_many
            if not is_one_of_many or (language == "en" and many % EVERY == 0):
                ahead.append(link)
    for name in (
        "/history",
        "/doubts",
        "/compare",
        "/gate/",
        "/host/",
        "/n/",
        "/run/",
        ".json",
        ".csv",
        ".md",
    ):
        assert any(name in link for link in known), name


def test_the_first_address_takes_the_language_of_the_browser(app: Starlette) -> None:
    def language(accepted: str) -> str:
        answer = ask(app, "/", headers={"accept-language": accepted})
        assert answer.status == 307
        assert answer.headers["vary"] == "accept-language"
        return answer.headers["location"]

    assert language("") == "/en/"
    assert language("zh-CN,zh;q=0.9,en;q=0.8") == "/zh/"
    assert language("de,fr;q=0.9") == "/en/"
    assert language("de,zh-TW;q=0.5,en;q=0.4") == "/zh/"
    assert language("en;q=0,zh;q=0.1") == "/zh/"
    assert language("zh;q=x") == "/en/"
    assert ask(app, "/en").headers["location"] == "/en/"


def test_each_page_leads_to_itself_in_the_other_language(app: Starlette, rids: dict[str, str]) -> None:
    _, seen = _page(app, f"/en/r/{rids['quick']}")
    assert f"/zh/r/{rids['quick']}" in seen.links
    _, filtered = _page(app, "/en/?q=purge&state=whole")
    assert "/zh/?q=purge&state=whole" in filtered.links


def test_folders_that_cannot_be_read_are_rows_with_the_reason(app: Starlette, site: Site) -> None:
    answer, _ = _page(app, "/en/")
    for place in ("quick", "deep/again", "unfinished", "broken", "cut", "photos"):
        assert f"<code>{place}</code>" in answer.text
    assert "study.json is damaged" in answer.text
    assert "contains no results of a study" in answer.text
    assert "7 of 7 folders" in answer.text
    assert site.root.joinpath("cut", "study.toml").read_text() == "[study"  # nothing is mended


def test_broken_results_say_why(app: Starlette, rids: dict[str, str]) -> None:
    answer, _ = _page(app, f"/en/r/{rids['cut']}", status=422)
    assert "study.toml" in answer.text


def test_results_are_found_by_words_and_filters(app: Starlette) -> None:
    def places(query: str) -> set[str]:
        return {row["place"] for row in ask(app, f"/en/results.json?{query}").json()["results"]}

    every = places("")
    assert {"quick", "deep/again", "unfinished", "photos"} <= every
    assert places("q=deep") == {"deep/again"}
    assert places("q=release+quick") == {"quick"} or places("q=quick") == {"quick"}
    assert places("state=part") == {"unfinished"}
    assert places("state=foreign") == {"photos"}
    assert "quick" in places("server=mariadb+10.11.14")
    assert places("server=nothing") == set()
    assert ask(app, "/en/results.csv?q=deep").text.count("\n") == 2
    assert "| deep/again |" in ask(app, "/en/results.md?q=deep").text


@pytest.mark.usefixtures("undrawn")
def test_an_unfinished_study_has_no_words(app: Starlette, rids: dict[str, str], root: Path) -> None:
    answer, _ = _page(app, f"/en/r/{rids['unfinished']}")
    assert "Interim: 10 of 12 runs are done." in answer.text
    for word in ("▲", "▼", "supported", "refuted"):
        assert word not in answer.text, word
    assert not (root / "unfinished" / "looks.json").exists()
    _page(app, f"/en/gate/{rids['unfinished']}")
    assert not (root / "unfinished" / "looks.json").exists()


def test_the_catalogue_takes_no_look(root: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(root / "quick", tmp_path / "quick", ignore=shutil.ignore_patterns("looks.json"))
    Site(tmp_path).catalogue.rows(wait_s=None)
    assert not (tmp_path / "quick" / "looks.json").exists()


def test_what_studies_and_servers_say_stays_text(app: Starlette, site: Site, rids: dict[str, str]) -> None:
    rid = rids["hostile <b>"]
    page = ask(app, f"/en/r/{rid}").text
    run = next(iter(site.opened(rid).runs))
    for address in ("/en/", f"/en/r/{rid}", "/zh/", f"/en/r/{rid}/run/{run}", "/en/doubts", "/en/history"):
        answer = ask(app, address)
        assert HOSTILE not in answer.text, address
        assert "<b>" not in answer.text, address
        assert Seen(answer.text).links, address
    assert "&lt;script src=//evil.example/x.js&gt;" in page
    assert not [link for link in Seen(page).links if "evil" in link and not link.startswith("/en/")]


def test_the_way_down_from_a_number_to_the_event(app: Starlette, rids: dict[str, str], root: Path) -> None:
    _, shelf = _page(app, "/en/")
    result = next(link for link in shelf.links if link == f"/en/r/{rids['quick']}")
    _, page = _page(app, result)
    number = next(link for row in page.tables["tps"] for cell in row for link in cell.links)
    _, number_page = _page(app, number)
    rung = number_page.tables["blocks"][1][2].links[0]
    _, rung_page = _page(app, rung)
    second = rung_page.tables["seconds"][1][-1]
    event = second.links[0]
    answer, _ = _page(app, event.partition("#")[0])
    assert '<tr id="e' in answer.text

    read = ask(app, event.partition("?")[0] + ".json?" + event.partition("?")[2].partition("#")[0]).json()
    assert str(read["byte"]) == second.text
    with (root / "quick" / read["file"]).open("rb") as file:
        file.seek(read["byte"])
        assert file.readline().decode().rstrip("\n") == read["raw"]
    assert read["event"]["event"] == "interval"


def test_every_line_of_events_is_listed(app: Starlette, rids: dict[str, str], run: str, root: Path) -> None:
    address = f"/en/r/{rids['quick']}/run/{run}/1/events"
    rows = ask(app, f"{address}.csv").text.splitlines()[1:]
    (file,) = (root / "quick" / "runs" / run / "rungs").glob("01-*/events.jsonl")
    assert len(rows) == len(file.read_bytes().splitlines())
    assert sum(int(row.split(",")[1]) for row in rows) == file.stat().st_size


def test_a_last_line_that_was_cut_short_is_shown(app: Starlette, site: Site, rids: dict[str, str]) -> None:
    rid = rids["deep/again"]
    run = next(iter(site.opened(rid).runs))
    (file,) = site.opened(rid).folder.run(run).path.glob("rungs/01-*/events.jsonl")
    whole = file.read_bytes()
    try:
        file.write_bytes(whole + b'{"event":"interv')
        answer, _ = _page(app, f"/en/r/{rid}/run/{run}/1/events?at={len(whole)}")
        assert "The line has no end" in answer.text
    finally:
        file.write_bytes(whole)


def test_the_feed_is_atom(app: Starlette) -> None:
    from xml.etree import ElementTree

    answer = ask(app, "/en/history/feed.atom")
    assert answer.kind == "application/atom+xml"
    assert ElementTree.fromstring(answer.text).tag == "{http://www.w3.org/2005/Atom}feed"


@pytest.mark.long
def test_a_gate_names_the_number_that_failed(app: Starlette, rids: dict[str, str]) -> None:
    answer, seen = _page(app, f"/en/gate/{rids['quick']}")
    assert "The exit code of assay gate for these results is 9." in answer.text
    rows = seen.tables["gates"][1:]
    failed = [row for row in rows if "failed" in row[2].text]
    assert len(failed) == 1
    assert len(failed[0][6].links) == 2
    found = ask(app, f"/en/gate/{rids['quick']}.json").json()
    assert found["outcome"] == "failed"
    assert failed[0][3].values == [found["checks"][-1]["figure"]["value"]]
    remark = answer.text.partition('class="answers"')[2].partition("</ul>")[0]
    assert "2 @ 8 threads" in remark  # what failed, before the table
    assert [link in remark for link in failed[0][6].links] == [True, True]
    for number in failed[0][6].links:
        _, page = _page(app, number)
        back = [row for row in page.tables["claims"][1:] if "failed" in row[1].text]
        assert [row[0].links for row in back] == [[f"/en/gate/{rids['quick']}"]]
        assert back[0][2].values == failed[0][3].values
    # A gate about both treatments is decided by one of them, and rests on the other's number, too.
    pages = [f"/en/r/{rids['quick']}/n/innodb_purge_threads={level}/8/p95_ms" for level in (1, 4)]
    told = [_page(app, page)[1].tables["claims"][-1] for page in pages]
    assert [row[0].text for row in told] == ["p95_ms <= 1000"] * 2
    assert sorted(row[2].text == "–" for row in told) == [False, True]
    # The result's own page leads from the same row to the rungs of its runs.
    _, result = _page(app, f"/en/r/{rids['quick']}")
    (row,) = [row for row in result.tables["gates"][1:] if "failed" in row[2].text]
    assert row[3].values == failed[0][3].values
    assert len(row[-2].links) == 12
    rung, _ = _page(app, row[-2].links[0])
    assert "8 threads" in rung.text
    assert "a gate judges complete studies only" in ask(app, f"/en/r/{rids['unfinished']}").text


def test_the_head_of_a_result_is_sent_before_its_tables_are_made(
    site: Site, rids: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def reached(self: OpenResults, language: str) -> list[Table]:
        raise RuntimeError("planted")

    monkeypatch.setattr(OpenResults, "tables", reached)
    sent: list[bytes] = []

    async def read() -> None:
        scope = {
            "type": "http", "app": make_app(site), "path": f"/en/r/{rids['quick']}", "headers": [],
            "query_string": b"", "path_params": {"language": "en", "rid": rids["quick"]},
        }  # fmt: skip
        answer = result_page.page(Request(scope))
        assert isinstance(answer, StreamingResponse)
        async for part in answer.body_iterator:
            sent.append(part.encode() if isinstance(part, str) else bytes(part))

    with pytest.raises(RuntimeError, match="planted"):
        asyncio.run(read())
    assert b"<h1>Purge" in b"".join(sent)


def test_two_results_are_compared_without_words(app: Starlette, rids: dict[str, str]) -> None:
    sides = f"base={rids['quick']}:innodb_purge_threads%3D1&new={rids['deep/again']}:innodb_purge_threads%3D4"
    answer, _ = _page(app, f"/en/compare?{sides}")
    assert "Not paired" in answer.text
    assert "▲" not in answer.text
    found = ask(app, f"/en/compare.json?{sides}").json()
    assert found["paired"] is False
    assert {"blocks", "load"} <= set(found["obstacles"])
    assert "one side has too few blocks" in answer.text


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_two_results_that_are_alike_have_looks_and_no_words(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / "quick", tmp_path / "one")
    study = (root / "quick" / "study.toml").read_text(encoding="utf-8")
    truth = Truth(measure_s=4, warmup_s=1)
    make_results(tmp_path / "two", study_toml=study, loads=(1, 8), effect=1.2, truth=truth, seed=9)
    for number, run in enumerate([*tmp_path.glob("*/runs/*")]):
        reading = {"values": {"cpu_us": 400.0 + number % 3}, "cost_us": 1.0, "late_us": 1.0}
        lines = (run / "samples" / "status.jsonl").read_text(encoding="utf-8").splitlines()
        said = [json.dumps({**reading, "wall_ns": json.loads(line)["wall_ns"]}) + "\n" for line in lines]
        (run / "samples" / "canary.jsonl").write_text("".join(said), encoding="utf-8")
    site = Site(tmp_path, token="t")
    rids = {row.place: row.rid for row in site.catalogue.rows(wait_s=None)[0]}
    app = make_app(site)
    sides = f"base={rids['one']}:innodb_purge_threads%3D1&new={rids['two']}:innodb_purge_threads%3D4"
    answer, seen = _page(app, f"/en/compare?{sides}")
    assert "that is no verdict" in answer.text
    assert "▲" not in answer.text
    told = {row[-1].text for row in seen.tables["headline"][2:]}
    assert "looks better" in told
    assert told <= {"looks better", "looks worse", "looks the same", "undecided", "", "–"}
    back, _ = _page(
        app,
        f"/zh/compare?base={rids['two']}:innodb_purge_threads%3D4&new={rids['one']}:innodb_purge_threads%3D1",
    )
    assert "看起来更差" in back.text
    # A slower machine makes no worse server, and what is unknown is not equal.
    one, two = (site.opened(rids[name]) for name in ("one", "two"))
    known = Conditions(host="h", dataset="d", workload="w", canary_us=400.0)
    assert list(obstacles(one, two, known, replace(known, canary_us=480.0))) == ["canary"]
    unknown = replace(known, dataset="", canary_us=None)
    assert list(obstacles(one, two, unknown, unknown)) == ["data", "canary"]
    # Each server build has a dataset of its own, of the same data.
    data = replace(known, data="d")
    assert not list(obstacles(one, two, data, replace(data, dataset="e")))


def test_a_paired_comparison_has_the_words_of_the_report(app: Starlette, rids: dict[str, str]) -> None:
    rid = rids["quick"]
    sides = f"base={rid}:innodb_purge_threads%3D1&new={rid}:innodb_purge_threads%3D4"
    answer, _ = _page(app, f"/en/compare?{sides}")
    assert "Paired: both ran in 6 common blocks." in answer.text
    swapped = f"base={rid}:innodb_purge_threads%3D4&new={rid}:innodb_purge_threads%3D1"
    there, back = (
        {
            (row[0], row[2]): row[start : start + 4]
            for table in ask(app, f"/en/compare.json?{way}").json()["tables"][:1]
            for start in [[column["name"] for column in table["columns"]].index("ratio")]
            for row in table["rows"]
        }
        for way in (sides, swapped)
    )
    # The gate that this study fails has its limit where its ratio is shown.
    limit = "≥ 2 of the gate tps[innodb_purge_threads=4]/tps[innodb_purge_threads=1] &gt;= 2"
    assert limit in answer.text
    assert "≥ 2 · gate" in answer.text
    # What passes from base to new is the same limit the other way round.
    assert "≤ 0.500 of the gate" in ask(app, f"/en/compare?{swapped}").text
    judged = [place for place, row in there.items() if row[3]]
    assert judged
    for place in judged:
        ratio, low, high, word = there[place]
        other = back[place]
        assert other[0] == pytest.approx(1 / ratio)
        assert other[1] == pytest.approx(1 / high)
        assert other[2] == pytest.approx(1 / low)
        assert {word, other[3]} in ({"better", "worse"}, {"same"}, {"undecided"}, {"more", "less"})


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_notes_stand_on_the_page_of_a_result(
    app: Starlette, site: Site, rids: dict[str, str], root: Path
) -> None:
    rid = rids["deep/again"]
    assert "data-note-edit" not in ask(app, f"/en/r/{rid}").text
    said = {"content-type": "application/json", "x-assay-token": site.token}
    body = json.dumps({"text": f"a backup ran {HOSTILE}", "author": "ada", "run": "b99-gone"}).encode()
    assert ask(app, f"/live/{rid}/note", method="POST", headers=said, body=body).status == 200
    try:
        for language in ("en", "zh"):
            page = ask(app, f"/{language}/r/{rid}").text
            assert "a backup ran " in page
            assert HOSTILE not in page
            assert page.count("data-note-edit") == 1
            assert "b99-gone" not in page  # no page to lead to
    finally:
        (root / "deep/again/notes.jsonl").unlink()
