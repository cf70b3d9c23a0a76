"""The live page in Debian's Chromium, with recordings that are played: no server and no engine."""

from __future__ import annotations

import json
import random
import signal
import time
from collections.abc import Callable
from typing import Any

import played_pages
import pytest
from assay.base.numbers import number
from assay.design.folder.live import LabEnded, RunOver, StepTaken, encode_line, read_live
from assay.front.web.live.live_stream import streams
from assay.reporting.live import Course, read_notes
from played_pages import SEES_SECONDS, Played, check, seconds, until, watch
from test_web_browser import PATIENCE_S, VIEWS
from test_web_browser import browser as chromium

pytestmark = pytest.mark.browser
browser = chromium  # the fixture of all pages
recording, play = played_pages.recording, played_pages.play

INK_OF_HEAT = """() => {
  const canvas = document.querySelector("#heat-plot canvas");
  const data = canvas.getContext("2d").getImageData(70, 8, canvas.width - 90, canvas.height - 40).data;
  let ink = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] > 0) ink += 1;
  return ink / (data.length / 4);
}"""


@pytest.mark.long
def test_a_study_is_watched_to_its_end(browser: Any, play: Callable[[float], Played]) -> None:
    """From the first run on, until the page becomes that of the results."""
    played = play(6)
    watched = watch(browser, played)
    page = watched.page
    until(page, SEES_SECONDS.format(count=5))
    until(page, "document.getElementById('link').textContent.includes('behind')")
    assert "of 4" in page.inner_text("#part-top")
    assert page.evaluate(INK_OF_HEAT) > 0.02
    assert page.locator("#rate-plot canvas").count() == 1
    until(page, "document.querySelectorAll('#part-so-far tbody tr').length >= 2")
    assert "1213" in page.inner_text("#errors")
    assert "provisional" in page.inner_text("#part-doubts") or "confirmed" in page.inner_text("#part-doubts")
    page.wait_for_url(f"{played.origin}/en/r/**", timeout=PATIENCE_S * 1000)
    check(watched)
    watched.context.close()


@pytest.mark.long
def test_a_server_that_is_killed_and_started_again_loses_no_second(
    browser: Any,
    play: Callable[[float], Played],
) -> None:
    """The page says that it is not connected, and goes on with the very next line."""
    played = play(1)
    watched = watch(browser, played)
    page = watched.page
    until(page, SEES_SECONDS.format(count=2))
    played.stop()
    time.sleep(2.5)
    played.start()
    before = seconds(page)
    until(page, SEES_SECONDS.format(count=before + 3))
    page.evaluate("document.getElementById('rate-table').open = true")
    until(page, "document.querySelectorAll('#rate-table tbody tr').length > 3")
    times = page.evaluate(
        "() => [...document.querySelectorAll('#rate-table tbody tr')]"
        ".map((row) => Number(row.cells[0].textContent))"
    )
    assert times == list(range(times[0], times[0] - len(times), -1))  # no gap, none twice
    assert page.evaluate("window.refused") == []
    watched.context.close()


@pytest.mark.long
def test_a_frozen_page_counts_what_waits(browser: Any, play: Callable[[float], Played]) -> None:
    played = play(2)
    watched = watch(browser, played)
    page = watched.page
    until(page, SEES_SECONDS.format(count=2))
    page.keyboard.press("Space")
    frozen = seconds(page)
    until(page, "/[1-9]/.test(document.getElementById('freeze-count').textContent)")
    time.sleep(1)
    assert seconds(page) == frozen
    assert page.get_attribute("#freeze", "aria-pressed") == "true"
    page.keyboard.press("Space")
    until(page, f"Number(document.getElementById('live').dataset.seconds) !== {frozen}")
    check(watched)
    watched.context.close()


@pytest.mark.long
def test_seven_tabs_share_one_stream(browser: Any, play: Callable[[float], Played]) -> None:
    """A browser opens six connections to a server: with a stream each, the seventh tab would wait."""
    played = play(1)
    watched = watch(browser, played)
    pages = [watched.page]
    for _ in range(6):
        page = watched.context.new_page()
        page.goto(f"{played.origin}/en{played.path}")
        # A tab without a window counts as hidden in some builds of Chromium.
        pages.append(page)
    for page in pages:
        until(page, SEES_SECONDS.format(count=2))
    assert streams(played.folder) == 1
    pages[0].close()  # which read the stream: another one goes on
    before = seconds(pages[3])
    until(pages[3], SEES_SECONDS.format(count=before + 2))
    assert streams(played.folder) == 1
    check(watched)
    watched.context.close()


def test_a_hidden_tab_has_no_stream_and_comes_back(browser: Any, play: Callable[[float], Played]) -> None:
    played = play(2)
    watched = watch(browser, played)
    page = watched.page
    until(page, SEES_SECONDS.format(count=2))
    hide = """(hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, True)
    deadline = time.monotonic() + 10
    while streams(played.folder):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    before = seconds(page)
    time.sleep(1)
    page.evaluate(hide, False)
    until(page, f"Number(document.getElementById('live').dataset.seconds) !== {before}")
    check(watched)
    watched.context.close()


def test_the_keyboard_reads_the_charts(browser: Any, play: Callable[[float], Played]) -> None:
    played = play(2)
    watched = watch(browser, played)
    page = watched.page
    until(page, SEES_SECONDS.format(count=4))
    page.focus("figure[data-cursor]")
    page.keyboard.press("Home")
    until(page, "document.getElementById('readout').textContent.includes('transactions per second')")
    first = page.inner_text("#readout")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#readout") != first
    page.keyboard.press("ArrowDown")
    assert "p50" in page.inner_text("#readout")
    until(page, "document.getElementById('say').textContent.includes('p50')")
    check(watched)
    watched.context.close()


def test_a_person_stops_the_study_and_notes_why(browser: Any, play: Callable[[float], Played]) -> None:
    """The study stands still until everything is asked: what the page says is then there to stay, however
    slow it is.
    """
    played = play(2)
    played.hold(seconds=3)
    reader = watch(browser, played)
    reader.page.click("#stop")
    reader.page.click("#stop-form button[value=ask]")
    until(reader.page, "document.getElementById('stop-error').textContent.length > 0")
    assert "terminal" in reader.page.inner_text("#stop-error")
    reader.context.close()

    watched = watch(browser, played, token=True)
    page = watched.page
    until(page, SEES_SECONDS.format(count=2))
    told = [line.at_wall_ns for line in read_live(played.folder.live)]
    killed = StepTaken(at_wall_ns=max(told) + 3_000_000_000, what="killing the source")
    with played.folder.live.open("ab") as course:
        course.write(encode_line(killed))
    until(page, "document.getElementById('part-steps').textContent.includes('killing the source')")
    page.click("#rate-plot", position={"x": 200, "y": 60})
    until(page, "/^[0-9]/.test(document.getElementById('note-about').textContent)")  # "3 s, measuring: …"
    page.fill("#note-text", "the disk is <b>slow</b>")
    page.click("#note-form button[value=save]")
    until(page, "document.getElementById('part-notes').textContent.includes('<b>slow</b>')")
    (note,) = read_notes(played.folder)
    assert note.text == "the disk is <b>slow</b>"
    assert note.from_wall_ns is not None
    page.click("#stop")
    assert "runs are finished and kept" in page.inner_text("#part-kept")
    page.click("#stop-form button[value=ask]")
    until(page, "document.getElementById('part-asked').textContent.includes('after this run')")
    played.go_on()
    assert played.player.wait(PATIENCE_S) == 0
    until(page, "document.getElementById('part-top').textContent.includes('stopped')")
    course = Course.of(read_live(played.folder.live))
    assert isinstance(course.ended, LabEnded)
    assert 1 <= course.counted("done") < 4
    check(watched)
    watched.context.close()


def test_a_lab_that_is_gone_is_told(browser: Any, play: Callable[[float], Played]) -> None:
    played = play(2)
    watched = watch(browser, played)
    until(watched.page, SEES_SECONDS.format(count=2))
    played.player.send_signal(signal.SIGKILL)
    played.player.wait()
    until(watched.page, "document.getElementById('part-top').textContent.includes('is gone')")
    check(watched)
    watched.context.close()


@pytest.mark.long
def test_the_live_page_is_accessible(browser: Any, play: Callable[[float], Played]) -> None:
    """In both languages, themes and widths, of a study that waits meanwhile."""
    from axe_playwright_python.sync_playwright import Axe

    played = play(2)
    played.wait_for(RunOver)
    played.hold(seconds=2)
    bad = []
    for language, theme, width in VIEWS:
        view = {"width": width, "height": 900}
        watched = watch(browser, played, language=language, color_scheme=theme, viewport=view)
        until(watched.page, SEES_SECONDS.format(count=2))
        found = Axe().run(watched.page)
        place = f"{language} {theme} {width}"
        bad += [
            f"{place}: {one['id']}: {one['nodes'][0]['html'][:200]}" for one in found.response["violations"]
        ]
        wide = watched.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0, f"{place}: {wide} px too wide"
        check(watched)
        watched.context.close()
    assert not bad, "\n".join(bad)


def test_numbers_are_written_as_the_report_writes_them(browser: Any, play: Callable[[float], Played]) -> None:
    played = play(1)
    watched = watch(browser, played)
    draw = random.Random(1)
    values = [0, 1, 12, 1000, 999.95, 1234.5, 0.5, 0.00012345, -3.25, 4.5678e-8, -2e-12, 123456789]
    values += [draw.lognormvariate(0, 4) for _ in range(300)]
    shown = watched.page.evaluate(
        "async (values) => values.map((await import('/assets/live-data.js')).number)",
        json.loads(json.dumps(values)),
    )
    assert shown == [number(value) for value in values]
    watched.context.close()
