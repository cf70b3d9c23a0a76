"""Takes the pictures of pages that the guides show, of real results, and puts them into docs/images.

    python -m scripts.pictures_of_pages ROOT RESULTS

ROOT is a folder of results, RESULTS one of them: a study with two treatments and a gate. It is played for the
picture of the live page. Needs Debian's Chromium (`scripts/machine browser`).
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from assay.design.folder import ResultsFolder
from assay.front.web import Site, make_app
from assay.front.web.live.watching import OneStudy
from assay.testing.browser import chromium

IMAGES = Path(__file__).parents[1] / "docs" / "images"
MOST_BYTES = 150_000
WIDTH = 1100
SPEED = 8
PLAYED_RUNS = 7
"""The picture of the live page is taken when so many runs have begun."""


@contextmanager
def served(site: Site) -> Iterator[str]:
    """Yields the origin of the pages of a site."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(
            uvicorn.Config(make_app(site), log_level="error", lifespan="off", ws="none", http="h11")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        site.is_closing = True
        server.should_exit = True
        thread.join(5)


def wait(page: Any, expression: str) -> None:
    """Waits until an expression is true in the page, at most two minutes."""
    deadline = time.monotonic() + 120
    while not page.evaluate(expression):
        if time.monotonic() > deadline:
            raise SystemExit(f"never true: {expression}")
        time.sleep(0.2)


def keep(name: str, take: Callable[[str], object]) -> None:
    """Writes a picture. Raises SystemExit for one that is too large for a repository."""
    path = IMAGES / f"{name}.png"
    take(str(path))
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{path}: {size} bytes, at most {MOST_BYTES}")
    print(f"{path.name}: {size} bytes")


def of_results(page: Any, root: Path, results: Path) -> None:
    """Takes the pictures of pages of results."""
    site = Site(root, token="")
    rows, _ = site.catalogue.rows(wait_s=None)
    (row,) = [row for row in rows if (root / row.place).resolve() == results.resolve()]
    with served(site) as origin:
        opened = site.opened(row.rid)
        other, load = opened.judged.results.treatments[1], max(opened.judged.results.loads)
        page.goto(f"{origin}/en/r/{row.rid}/n/{other}/{load:g}/{opened.judged.results.headlines[0]}")
        keep("web-number", lambda path: page.screenshot(path=path))
        page.set_viewport_size({"width": 1400, "height": 960})  # a table of more height scrolls by itself
        page.goto(f"{origin}/en/gate/{row.rid}")
        table = page.locator("#table-gates")
        keep("web-gate", lambda path: table.screenshot(path=path))
        page.set_viewport_size({"width": WIDTH, "height": 960})
        page.goto(f"{origin}/en/r/{row.rid}")
        for name in ("heat", "paired"):
            figure = page.locator(f"#chart-{name} .plot")
            keep(f"chart-{name}", lambda path, figure=figure: figure.screenshot(path=path))  # type: ignore[misc]


def of_live(page: Any, results: Path) -> None:
    """Takes the picture of the live page, of results that are played."""
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / results.name
        player = [sys.executable, "-m", "assay.testing.player", str(results), str(target)]
        with subprocess.Popen([*player, "--speed", str(SPEED)]) as playing:
            try:
                while not ResultsFolder(target).live.is_file():
                    time.sleep(0.1)
                site = OneStudy(target)
                with served(site) as origin:
                    page.goto(f"{origin}/en/live/{site.one.rid}")
                    begun = f"run {PLAYED_RUNS} of"
                    wait(page, f"document.getElementById('part-top').innerText.includes({begun!r})")
                    wait(page, "document.getElementById('part-now').innerText.includes('a second')")
                    wait(page, "Number(document.getElementById('live').dataset.seconds ?? 0) > 3")
                    keep("web-live", lambda path: page.screenshot(path=path))
            finally:
                playing.kill()


def main() -> None:
    from playwright.sync_api import sync_playwright

    root, results = (Path(text) for text in sys.argv[1:])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 960})
        of_results(page, root, results)
        of_live(page, results)
        browser.close()


if __name__ == "__main__":
    main()
