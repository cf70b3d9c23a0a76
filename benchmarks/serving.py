"""Opens results in `assay serve` as a browser does, follows them through pages, and writes them as a site."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from assay.testing.browser import chromium
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

from benchmarks.child import ContestantFailed
from benchmarks.rows import Figures

VIEWS = 25
REST_S = 23.0
"""Seconds after the last view, in which a process that rests has ended."""
_ASSAY = [sys.executable, "-m", "assay.front.cli"]
_FACTOR = "server.variables.innodb_purge_threads"
_LEVELS = (1, 2, 4, 8)
_LINKED = re.compile(r'href="(/en/(?:r|compare|history|doubts|gate|host)[^"#]*)')
_PATIENCE_S = 120.0


def opened() -> Figures:
    """Returns how long the first opening of a large result takes that nobody has judged or drawn, in
    milliseconds: to its first paint and to the end with all pictures; and the same once more.
    """
    with _root(large=True) as (root, home), _served(root, home) as (where, _):
        rid = _results(where)[0]
        address = f"{where.scheme}://{where.netloc}/en/r/{rid}"
        first, again = _painted(address), _painted(address)
    return {"first_paint_ms": first[0], "last_ms": first[1], "again_paint_ms": again[0], "again_ms": again[1]}


def followed() -> Figures:
    """Returns the memory of all processes of the server after views of many pages, in MB, at rest and at its
    most; and how long a new server takes to show a history that an earlier one has read.
    """
    with _root(large=False) as (root, home):
        with _served(root, home) as (where, process):
            ahead = [f"/en/r/{rid}" for rid in _results(where)] + ["/en/history", "/en/doubts"]
            most = 0.0
            for address in islice(_walked(where, ahead), VIEWS):
                _got(where, address)
                most = max(most, _memory_mb(process.pid))
            time.sleep(REST_S)
            rested = _memory_mb(process.pid)
        with _served(root, home) as (where, _):
            _got(where, "/en/")
            began = time.perf_counter()
            _got(where, "/en/history")
            history_ms = (time.perf_counter() - began) * 1e3
    return {"rested_mb": rested, "most_mb": most, "history_ms": history_ms}


def built() -> Figures:
    """Returns the seconds and the MB of a site, for each of its results."""
    with _root(large=False) as (root, home):
        count, place = len(list(root.iterdir())), root.parent / "site"
        began = time.perf_counter()
        command = [*_ASSAY, "site", "build", str(root), str(place)]
        subprocess.run(command, env=_environment(home), check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - began
        size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    return {"seconds": seconds / count, "mb": size / 1e6 / count}


@contextmanager
def _root(*, large: bool) -> Iterator[tuple[Path, Path]]:
    """Yields a folder of results whose pictures and verdicts nobody has made, and an empty home."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        root = Path(name) / "results"
        root.mkdir()
        if large:
            levels = {f"innodb_purge_threads={level}": {_FACTOR: level} for level in _LEVELS}
            study = STUDY_TOML.replace("levels = [1, 4]", f"levels = {list(_LEVELS)}")
            make_results(root / "large", study_toml=study, treatments=levels, effect=1.3)
        else:
            for number in range(3):
                truth = Truth(measure_s=10, warmup_s=2)
                make_results(
                    root / f"{number}", effect=1.2, truth=truth, seed=number, begun_s=1_750_000_000 + number
                )
        yield root, Path(name) / "home"


def _environment(home: Path) -> dict[str, str]:
    return {**os.environ, "ASSAY_HOME": str(home)}


@contextmanager
def _served(root: Path, home: Path) -> Iterator[tuple[SplitResult, subprocess.Popen[str]]]:
    command = [*_ASSAY, "serve", str(root), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_environment(home)) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line.startswith("pages: "):
                raise ContestantFailed(f"the pages did not start: {line}")
            yield urlsplit(line.removeprefix("pages: ").strip()), process
        finally:
            process.terminate()


def _got(where: SplitResult, address: str) -> str:
    connection = http.client.HTTPConnection(str(where.hostname), where.port or 80, timeout=_PATIENCE_S)
    connection.request("GET", address)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    if answer.status != 200:
        raise ContestantFailed(f"{address}: answered with {answer.status}")
    return text


def _results(where: SplitResult) -> list[str]:
    """Returns the names of all results, once the list has read them."""
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until:
        text = _got(where, "/en/")
        if "data-again" not in text:
            return list(dict.fromkeys(re.findall(r'href="/en/r/([^"/#]+)"', text)))
        time.sleep(0.2)
    raise ContestantFailed("the list was not read in time")


def _walked(where: SplitResult, ahead: list[str]) -> Iterator[str]:
    """Yields pages as somebody follows them: the given ones, then some of the links of each."""
    known = set(ahead)
    while ahead:
        address = ahead.pop(0)
        yield address
        for link in islice(map(unescape, _LINKED.findall(_got(where, address))), 400):
            if link not in known and not link.endswith((".csv", ".json", ".md", ".svg", ".atom")):
                known.add(link)
                ahead.append(link)


def _painted(address: str) -> tuple[float, float]:
    """Returns the milliseconds to the first paint of a page and to its end, in a browser of its own."""
    from playwright.sync_api import sync_playwright

    program = chromium()
    if program is None:
        raise ContestantFailed("there is no Chromium here: scripts/machine browser installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page: Any = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address, wait_until="load", timeout=_PATIENCE_S * 1e3)
        paint = page.evaluate(
            "performance.getEntriesByName('first-contentful-paint').map((one) => one.startTime)[0]"
        )
        end = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventStart")
        browser.close()
    return float(paint), float(end)


def _memory_mb(process: int) -> float:
    """Returns the memory of a process and of those that it has started, each page in shares of whoever has
    it. Source: Pss of /proc/PID/smaps_rollup.
    """
    total, ahead = 0.0, [process]
    while ahead:
        one = ahead.pop()
        try:
            text = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii")
            ahead += map(int, Path(f"/proc/{one}/task/{one}/children").read_text(encoding="ascii").split())
        except OSError:
            continue  # it has ended
        found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
        total += int(found[1]) / 1024 if found else 0.0
    return total
