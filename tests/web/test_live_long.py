"""The live page of a study of many hours, in Debian's Chromium."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import played_pages
import pytest
from played_pages import SEES_SECONDS, Played, check, until, watch
from test_web_browser import browser as chromium

pytestmark = pytest.mark.browser
browser = chromium  # the fixture of all pages
recording, play = played_pages.recording, played_pages.play


@pytest.mark.long
def test_eight_hours_stay_in_bounded_memory(browser: Any, play: Callable[[float], Played]) -> None:
    """28 800 seconds: at most so many columns, of which none loses an operation or an extreme."""
    played = play(1)
    watched = watch(browser, played)
    found = watched.page.evaluate(
        """async () => {
          const { Columns } = await import("/assets/live-data.js");
          const columns = new Columns();
          let most = 0;
          for (let t = 0; t < 28800; t += 1) {
            const n = t === 12345 ? 1 : 1000 + (t % 7);
            const ms = [1, 2, 3, t === 777 ? 900 : 4];
            columns.push({ t, d: 1, p: "measure", n, w: t * 1000, ms, h: [20, n - 1, 1], e: {} });
            most = Math.max(most, columns.length);
          }
          const sum = (get) => columns.all.reduce((all, one) => all + get(one), 0);
          return {
            most,
            n: sum((one) => one.n),
            cells: sum((one) => one.counts.reduce((all, count) => all + count, 0)),
            slowest: Math.min(...columns.all.map((one) => one.lo)),
            longest: Math.max(...columns.all.map((one) => one.ms[3])),
            seconds: sum((one) => one.d),
            last: columns.last.d,
          };
        }"""
    )
    expected = sum(1 if t == 12345 else 1000 + t % 7 for t in range(28800))
    assert found["most"] <= 1801
    assert (found["n"], found["cells"], found["seconds"]) == (expected, expected, 28800)
    assert (found["slowest"], found["longest"], found["last"]) == (1, 900, 1)
    watched.context.close()


PLAY_SECONDS = """async ([from, until]) => {
  const page = document.getElementById("live").dataset;
  const channel = new BroadcastChannel(`assay-live ${page.stream}`);
  const keys = JSON.parse(page.settings).charts.flatMap((chart) => chart.lines.map((line) => line.key));
  const post = (kind, content) => channel.postMessage({ kind, text: JSON.stringify(content), place: "" });
  for (let t = from; t < until; t += 1) {
    const cells = Array.from({ length: 24 }, (_, cell) => 1 + ((t * 7 + cell * 13) % 50));
    const n = cells.reduce((sum, count) => sum + count, 0);
    const more = { h: [20, ...cells], e: t % 60 === 0 ? { 1213: 1 } : {}, f: 8, u: 0, c: 8, w: t * 1000 };
    post("second", { t, d: 1, p: "measure", n, ms: [1, 3, 5 + (t % 9), 40], ...more });
    post("signals", { at_ms: t * 1000, values: Object.fromEntries(keys.map((key) => [key, t % 1000])) });
    if (t % 3 === 0 || t + 1 === until) {
      const item = `<li><strong>doubt ${t % 9}</strong> <span class="state">state ${t % 2}</span></li>`;
      post("part", { part: "doubts", html: `<ul data-until="${t + 1}">${item}</ul>` });
    }
    if (t % 300 === 0) await new Promise((done) => setTimeout(done)); // as a stream leaves time to draw
  }
  channel.close();
}"""


def heap(page: Any) -> tuple[float, int]:
    """Returns the megabytes of live JavaScript objects, and the number of nodes, of a page: the least of 8
    readings, since a chart that is being drawn adds to both for a moment (0.6 MB and 8 nodes were seen).
    """
    debugger = page.context.new_cdp_session(page)
    readings = []
    for _ in range(8):
        debugger.send("HeapProfiler.collectGarbage")
        used = debugger.send("Runtime.getHeapUsage")["usedSize"] / 1e6
        readings.append((used, debugger.send("Memory.getDOMCounters")["nodes"]))
        time.sleep(0.25)
    debugger.detach()
    return min(readings)


@pytest.mark.long
def test_a_page_of_four_hours_keeps_its_heap(browser: Any, play: Callable[[float], Played]) -> None:
    """Seconds of load, readings and doubts pass through a whole page, as if another tab read the stream."""
    played = play(1)
    played.hold(seconds=1)  # nothing else comes meanwhile
    watched = watch(browser, played)
    reader = watched.page
    until(reader, SEES_SECONDS.format(count=1))
    page = reader.context.new_page()
    page.goto(reader.url)
    until(page, SEES_SECONDS.format(count=1))
    used = {}
    for start, end in ((1_000, 4_600), (4_600, 14_600)):
        reader.evaluate(PLAY_SECONDS, [start, end])
        until(page, f"document.querySelector('#part-doubts ul')?.dataset.until === '{end}'")
        until(page, SEES_SECONDS.format(count=1_000))
        used[end] = heap(page)
    (first, nodes), (last, nodes_last) = used[4_600], used[14_600]
    assert last < first + 0.5
    assert nodes_last < nodes + 500
    assert "1213" in page.inner_text("#errors")
    check(watched)
    watched.context.close()
