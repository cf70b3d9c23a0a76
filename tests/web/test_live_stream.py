"""The live page and its stream, without a browser: what is told, once each, escaped, in both languages."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from asking import Seen, ask
from assay.design.folder import Hello, Interval, ResultsFolder, decode_event
from assay.design.folder.live import LabBegan, RunBegun, RunOver, StepTaken, encode_line, read_live
from assay.design.folder.viewers import viewers_of
from assay.front.web import Site, make_app
from assay.front.web.links import Links
from assay.front.web.live.live_parts import PARTS, LiveParts
from assay.front.web.live.live_stream import FIRST, LiveStream, stream
from assay.front.web.live.watching import OneStudy
from assay.front.web.page import PageRequest
from assay.reporting.live import (
    Course,
    EngineEvent,
    Follower,
    RungFacts,
    Second,
    add_note,
    encode_second,
    is_a_rate,
    second_of,
)
from assay.reporting.report import load_words
from assay.testing.player import Player
from assay.testing.results_folder import make_results
from assay.testing.run_folder import Truth

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    truth = Truth(measure_s=6, warmup_s=2, deadlocks=3.0)
    return make_results(tmp_path_factory.mktemp("r") / "results", blocks=2, loads=(1, 8), truth=truth)


@pytest.fixture(scope="module")
def whole(recording: ResultsFolder, tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    """The recording, played to its end."""
    folder = ResultsFolder(tmp_path_factory.mktemp("whole") / "results")
    Player(recording, folder, sleep=lambda seconds: None).play()
    return folder


def parts_of(folder: ResultsFolder, language: str = "en") -> LiveParts:
    asked = PageRequest(cast(Any, None), cast(Any, None), language, load_words(language), Links(language))
    return LiveParts(asked, "rid~1", folder)


class Message(msgspec.Struct):
    """One server-sent event."""

    event: str
    place: str
    data: Any


def messages(blocks: Iterator[bytes]) -> list[Message]:
    found = []
    for block in blocks:
        fields = dict(line.split(": ", 1) for line in block.decode().strip().split("\n"))
        found.append(Message(fields["event"], fields.get("id", ""), json.loads(fields["data"])))
    return found


def seconds_of(told: list[Message]) -> list[float]:
    return [one.data["t"] for one in told if one.event == "second"]


def test_whoever_reconnects_is_told_each_second_once(recording: ResultsFolder, tmp_path: Path) -> None:
    """A new stream every few looks, from the id of the last event, while the study is played."""
    folder = ResultsFolder(tmp_path / "played")
    told: list[Message] = []
    now: list[LiveStream] = []
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if not folder.live.exists():
            return
        if not now or looks % 40 == 0:
            place = next((one.place for one in reversed(told) if one.place), None)
            for old in now:
                old.close()
            now[:] = [LiveStream(folder, parts_of(folder), place)]
        told.extend(messages(now[0].step()))

    Player(recording, folder, sleep=lambda seconds: look()).play()
    look()
    expected: list[float] = []
    epoch = 0
    for one in Follower(folder).read():
        if isinstance(one, EngineEvent):
            if type(one.event).__name__ == "Hello":
                epoch = one.event.epoch_wall_ns  # type: ignore[union-attr]
            elif isinstance(one.event, Interval) and is_a_rate(one.event):
                expected.append(json.loads(encode_second(second_of(one.event, epoch)))["t"])  # type: ignore[arg-type]
    assert seconds_of(told) == expected
    rungs = [one.data["rung"] for one in told if one.event == "rung"]
    assert list(dict.fromkeys(rungs)) == ["01-threads-1", "02-threads-8"]
    assert now[0].is_over
    assert now[0].is_whole


STEPS = (
    "threads 8",
    "conditions of the tables",
    "restarting the server",
    "killing the source",
    "h1: reading",
)


@pytest.mark.parametrize("told", ["step", "step-first", "next-run", "run-over", "again", "result-alone"])
def test_without_a_load_the_study_is_at_work_and_connected(
    recording: ResultsFolder, tmp_path: Path, told: str
) -> None:
    """Whatever follows the seconds of a load point, in whatever order it is read: no load, never a lost
    connection, and the step with its age. `step-first`: the step is read before the last seconds are.
    """
    folder = _played(recording, tmp_path)
    lines = list(read_live(folder.live))
    last = max(at for at, line in enumerate(lines) if isinstance(line, RunBegun))
    lines = lines[: last + 2]  # the first load point of the last run
    folder.live.write_bytes(b"".join(map(encode_line, lines)))
    begun = cast(RunBegun, lines[last])
    run = folder.run_or_unfinished(begun.run)
    assert run is not None
    first, *others = run.rungs()
    for other in others:
        shutil.rmtree(other.path)
    events = first.events.read_bytes().splitlines(keepends=True)
    is_result = [json.loads(line)["event"] == "result" for line in events]
    whole = b"".join(events)
    loaded = b"".join(line for line, over in zip(events, is_result, strict=True) if not over)
    first.events.write_bytes(b"" if told == "step-first" else whole if told == "result-alone" else loaded)
    live = LiveStream(folder, parts_of(folder), None)
    list(live.step())
    if told not in ("result-alone", "step-first"):
        assert live.applied is not None  # the load goes on, however old its newest second
    at_ns = max(int(second.end_ns) for second in _intervals(loaded)) + _epoch(loaded) + 1_000_000
    for step in STEPS:
        between: list[Any] = {
            "next-run": [msgspec.structs.replace(begun, at_wall_ns=at_ns)],
            "run-over": [RunOver(at_wall_ns=at_ns, run=begun.run, headline="")],
            "again": [msgspec.structs.replace(_begin_of(folder), at_wall_ns=at_ns)],
        }.get(told, [])
        with folder.live.open("ab") as out:
            out.write(b"".join(map(encode_line, [*between, StepTaken(at_wall_ns=at_ns, what=step)])))
        if told == "step-first":
            first.events.write_bytes(loaded)
        told_now = messages(live.step())
        tick = live.tick()
        assert live.applied is None, (told, step)
        assert tick["behind"] == 0.0
        assert tick["step"]
        assert tick["since"] < 3600  # by the file's own clock: these lines are of another year
        now = [one.data["html"] for one in told_now if one.event == "part" and one.data["part"] == "now"]
        said = "has just ended" if step.startswith("threads") else "No load is applied now"
        assert not now or said in now[-1]
        at_ns += 1_000_000
    live.close()


def _begin_of(folder: ResultsFolder) -> LabBegan:
    return next(line for line in read_live(folder.live) if isinstance(line, LabBegan))


def _intervals(events: bytes) -> list[Any]:
    found = [decode_event(line) for line in events.splitlines()]
    return [one for one in found if isinstance(one, Interval)]


def _epoch(events: bytes) -> int:
    return next(one.epoch_wall_ns for one in map(decode_event, events.splitlines()) if isinstance(one, Hello))


def test_now_has_what_each_kind_of_transaction_did() -> None:
    """A second of TPC-C has the rate of each kind, and tpmC."""
    second = Second(
        t_s=0.0,
        at_ms=0,
        seconds=2.0,
        phase="measure",
        transactions=90,
        kinds={"new_order": 40, "payment": 50},
    )
    facts = RungFacts("r", "01", kind="threads", load=8.0, number=1, warmup_s=0, measure_s=9, interval_s=1)
    for language, said in (("en", "new_order 20/s"), ("zh", "tpmC")):
        html = parts_of(ResultsFolder(Path("x")), language).all(Course(), [], facts, second, ["now"])["now"]
        assert said in html
        assert "1,200" in html  # 40 new orders in two seconds, in a minute


def test_the_first_thing_is_a_comment(whole: ResultsFolder) -> None:
    """At once, before any file is read, so that a browser knows that it is connected."""
    import asyncio

    async def first() -> list[bytes]:
        live = LiveStream(whole, parts_of(whole), None)
        return [part async for part in stream(live, whole)]

    parts = asyncio.run(first())
    assert parts[0] == FIRST
    assert parts[0].startswith(b":")
    assert b"retry: 1000" in parts[0]
    end = messages(iter([parts[-1]]))[0]
    assert (end.event, end.data) == ("end", {"over": True, "whole": True})  # a stream of what is over ends
    assert viewers_of(whole) == []  # and the viewer is gone


@pytest.mark.parametrize("language", ["en", "zh"])
def test_parts_have_what_the_course_tells(whole: ResultsFolder, language: str) -> None:
    course = Course.of(read_live(whole.live))
    parts = parts_of(whole, language).all(course, [], None, None)
    assert tuple(parts) == PARTS
    for html in parts.values():
        Seen(html)  # tags nest
        assert "web.live" not in html
    assert "/r/rid~1" in parts["top"]
    assert parts["plan"].count('class="run done"') == 4
    assert parts["so-far"].count("<tr>") == 1 + 4
    words = load_words(language)
    words_of_verdicts = {words(f"word.{word}") for word in ("better", "worse", "same")}
    assert not {word for word in words_of_verdicts if word in re.sub("<[^>]*>", "", parts["so-far"])}
    assert "▲" not in parts["so-far"]


def test_a_study_under_way_says_where_it_is(recording: ResultsFolder, tmp_path: Path) -> None:
    folder = ResultsFolder(tmp_path / "played")
    seen: list[dict[str, str]] = []

    def look() -> None:
        if not folder.live.exists() or len(seen) > 60:
            return
        live = LiveStream(folder, parts_of(folder), None)
        told = messages(live.step())
        seen.append({one.data["part"]: one.data["html"] for one in told if one.event == "part"})
        live.close()

    Player(recording, folder, sleep=lambda seconds: look()).play()
    texts = [unescape(re.sub(r"\s+", " ", parts["top"])) for parts in seen]
    assert any("block 1 of 2 · run 1 of 4" in text and "by the plan's guess" in text for text in texts)
    assert any('aria-current="step"' in parts["steps"] for parts in seen)
    assert any("transactions a second, p95" in parts["now"] for parts in seen)
    assert any("error" in parts["doubts"] and "provisional" in parts["doubts"] for parts in seen)


def test_nothing_that_a_study_says_is_markup(recording: ResultsFolder, tmp_path: Path) -> None:
    folder = ResultsFolder(tmp_path / "results")
    folder.path.mkdir()
    lines = list(read_live(_played(recording, tmp_path).live))
    with folder.live.open("wb") as out:
        for line in lines:
            if isinstance(line, LabBegan):
                plan = [msgspec.structs.replace(run, treatment=HOSTILE) for run in line.plan]
                line = msgspec.structs.replace(line, study=HOSTILE, plan=plan)
            text = encode_line(line).decode()
            out.write(text.replace("threads 8", HOSTILE).encode())
    add_note(folder, HOSTILE, author=HOSTILE)
    course = Course.of(read_live(folder.live))
    for html in parts_of(folder).all(course, [], None, None).values():
        assert "<script" not in html
        assert "script" not in Seen(html).tags


def _played(recording: ResultsFolder, tmp_path: Path) -> ResultsFolder:
    folder = ResultsFolder(tmp_path / "once")
    Player(recording, folder, sleep=lambda seconds: None).play()
    return folder


@pytest.fixture(scope="module")
def live_site(whole: ResultsFolder) -> OneStudy:
    return OneStudy(whole.path)


def test_the_page_of_a_study_that_is_over_has_no_stream(live_site: OneStudy) -> None:
    app = make_app(live_site)
    sent = ask(app, f"/live/{live_site.one.rid}", headers={"accept-language": "zh"})
    assert (sent.status, sent.headers["location"]) == (307, f"/zh/live/{live_site.one.rid}")
    for language in ("en", "zh"):
        answer = ask(app, f"/{language}/live/{live_site.one.rid}")
        assert answer.status == 200
        seen = Seen(answer.text)
        assert len(seen.ids) == len(set(seen.ids))
        assert "style" not in seen.attributes  # the policy allows none
        assert not [link for link in seen.links if link.endswith("live.js")]
        assert "script" in answer.headers["content-security-policy"]


def test_the_page_of_a_study_under_way(recording: ResultsFolder, tmp_path: Path) -> None:
    folder = _played(recording, tmp_path)
    lines = list(read_live(folder.live))
    last = max(at for at, line in enumerate(lines) if isinstance(line, RunBegun))
    folder.live.write_bytes(b"".join(map(encode_line, lines[: last + 1])))
    site = OneStudy(folder.path)
    app = make_app(site)
    rid = site.one.rid
    answer = ask(app, f"/en/live/{rid}")
    seen = Seen(answer.text)
    assert "/assets/live.js" in seen.links
    assert not re.search(r"<figure[^>]* role=", answer.text)  # its own role is the one that it may have
    assert answer.text.count('aria-live="polite"') == 1  # one place speaks, and bounds how often
    for link in seen.links:
        if link.startswith("/assets/"):
            assert ask(app, link).status == 200, link
    for name in PARTS:
        assert f"part-{name}" in seen.ids
    place = re.search(r'data-place="([^"]*)"', answer.text)
    assert place
    run = lines[last].run  # type: ignore[union-attr]
    assert place[1].startswith("live.jsonl:")
    assert run in place[1]

    query = f"run={run}&rung=02-threads-8"
    before = ask(app, f"/live/{rid}/before?{query}")
    assert [one["p"] for one in before.json()] == ["warmup"] * 2 + ["measure"] * 6
    (same,) = ask(app, f"/live/{rid}/same-before?{query}").json()
    assert same["block"] == 1
    assert len(same["rates"]) == 8
    for wrong in ("run=../x&rung=02-threads-8", f"run={run}&rung=..", "run=&rung="):
        assert ask(app, f"/live/{rid}/before?{wrong}").status == 404
    assert not (folder.path / ".catalogue").exists()


def test_only_the_terminals_address_may_ask_and_note(recording: ResultsFolder, tmp_path: Path) -> None:
    site = OneStudy(_played(recording, tmp_path).path)
    app = make_app(site)
    path = f"/live/{site.one.rid}/note"
    kind = {"content-type": "application/json"}
    body = json.dumps({"text": "the disk was full", "author": "ada"}).encode()
    assert ask(app, path, method="POST", headers=kind, body=body).status == 401
    with_token = kind | {"x-assay-token": site.token}
    foreign = with_token | {"origin": "http://evil.example"}
    assert ask(app, path, method="POST", headers=foreign, body=body).status == 403
    assert ask(app, path, method="POST", headers=with_token, body=body).status == 200
    assert ask(app, path, method="POST", headers=with_token, body=b"{}").status == 422
    assert "the disk was full" in ask(app, f"/en/live/{site.one.rid}").text
    asks = f"/live/{site.one.rid}/ask"
    assert ask(app, asks, method="POST", headers=with_token, body=b'{"what": "stop"}').status == 409
    assert ask(app, asks, method="POST", headers=with_token, body=b'{"what": "kill"}').status == 422


def test_a_shelf_finds_the_page(whole: ResultsFolder) -> None:
    site = Site(whole.path.parent)
    rows, _ = site.catalogue.rows(wait_s=None)
    assert ask(make_app(site), f"/en/live/{rows[0].rid}").status == 200
