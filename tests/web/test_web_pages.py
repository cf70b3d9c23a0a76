"""Pages are whole: they nest, their links lead somewhere, and what a study or a server says stays text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from asking import HOSTILE, Answer, Seen, ask
from assay.web import Site
from starlette.applications import Starlette

EVERY = 101
"""Of the many pages of numbers and runs, one in so many is opened."""


def _page(app: Starlette, address: str, status: int = 200) -> tuple[Answer, Seen]:
    answer = ask(app, address)
    assert answer.status == status, (address, answer.text[:2000])
    return answer, Seen(answer.text)


def _internal(seen: Seen) -> list[str]:
    return [link.partition("#")[0] for link in seen.links if link.startswith("/")]


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


def test_a_gate_names_the_number_that_failed(app: Starlette, rids: dict[str, str]) -> None:
    answer, seen = _page(app, f"/en/gate/{rids['quick']}")
    assert "The exit code of `assay gate` for these results is 9." in answer.text
    rows = seen.tables["checks"][1:]
    failed = [row for row in rows if "failed" in row[2].text]
    assert len(failed) == 1
    assert len(failed[0][6].links) == 2
    found = ask(app, f"/en/gate/{rids['quick']}.json").json()
    assert found["outcome"] == "failed"
    assert failed[0][3].values == [found["checks"][-1]["figure"]["value"]]
    for number in failed[0][6].links:
        _page(app, number)


def test_two_results_are_compared_without_words(app: Starlette, rids: dict[str, str]) -> None:
    sides = f"base={rids['quick']}:innodb_purge_threads%3D1&new={rids['deep/again']}:innodb_purge_threads%3D4"
    answer, _ = _page(app, f"/en/compare?{sides}")
    assert "Not paired" in answer.text
    assert "▲" not in answer.text
    found = ask(app, f"/en/compare.json?{sides}").json()
    assert found["paired"] is False


def test_a_paired_comparison_has_the_words_of_the_report(app: Starlette, rids: dict[str, str]) -> None:
    rid = rids["quick"]
    sides = f"base={rid}:innodb_purge_threads%3D1&new={rid}:innodb_purge_threads%3D4"
    answer, _ = _page(app, f"/en/compare?{sides}")
    assert "Paired: both ran in 6 common blocks." in answer.text
    swapped = f"base={rid}:innodb_purge_threads%3D4&new={rid}:innodb_purge_threads%3D1"
    there, back = (
        {
            (row[0], row[2]): row[9:13]
            for row in ask(app, f"/en/compare.json?{way}").json()["tables"][0]["rows"]
        }
        for way in (sides, swapped)
    )
    judged = [place for place, row in there.items() if row[3]]
    assert judged
    for place in judged:
        ratio, low, high, word = there[place]
        other = back[place]
        assert other[0] == pytest.approx(1 / ratio)
        assert other[1] == pytest.approx(1 / high)
        assert other[2] == pytest.approx(1 / low)
        assert {word, other[3]} in ({"better", "worse"}, {"same"}, {"undecided"}, {"more", "less"})
