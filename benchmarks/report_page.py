"""Opens the report of a study in a browser, and says how long it is and how soon it is painted."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.testing.browser import NAMES, chromium

from benchmarks.child import ContestantFailed, last_words
from benchmarks.rows import Figures

if TYPE_CHECKING:
    from playwright.sync_api import Browser

STUDY = Path(__file__).parents[1] / "studies" / "quickstart.toml"
SCREEN_PX = 900
WIDTHS_PX = {"": 1280, "narrow_": 400}
_LIMIT_S = 900
_READ = """() => {
  const seen = (one) => one.checkVisibility();
  const count = (text) => (text.match(/[\\p{Script=Han}]|[^\\s\\p{Script=Han}]+/gu) || []).length;
  const all = document.documentElement;
  const figures = [...document.querySelectorAll('figure svg')].filter(seen);
  return {
    px: all.scrollHeight,
    words: count(document.body.innerText),
    tables: [...document.querySelectorAll('table')].filter(seen).length,
    rows: [...document.querySelectorAll('tbody tr')].filter(seen).length,
    too_wide_px: all.scrollWidth - all.clientWidth,
    picture_px: Math.min(...figures.map((one) => one.getBoundingClientRect().top + scrollY)),
    paint_ms: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    loaded_ms: performance.getEntriesByType('navigation')[0].loadEventEnd,
  };
}"""


def opened(server: str, language: str) -> Figures:
    """Returns figures of the report of the quickstart study, which is measured once: its size, the words and
    screens of what stands open, at a desk's and a phone's width, and what axe finds.
    """
    page = _results(server) / ("report.html" if language == "en" else f"report.{language}.html")
    found: dict[str, float] = {"kb": page.stat().st_size / 1000}
    with _Browser() as browser:
        for name, width in WIDTHS_PX.items():
            seen = _seen(browser, page, width)
            found |= {f"{name}{key}": float(value) for key, value in seen.items()}
    return found


def _seen(browser: Browser, page: Path, width: int) -> dict[str, Any]:
    from axe_playwright_python.sync_playwright import Axe

    shown = browser.new_page(viewport={"width": width, "height": SCREEN_PX})
    shown.goto(page.resolve().as_uri())
    found: dict[str, Any] = shown.evaluate(_READ)
    found["screens"] = found.pop("px") / SCREEN_PX
    found["violations"] = len(Axe().run(shown).response["violations"])
    shown.close()
    return found


class _Browser:
    """Chromium without a window, as a context manager."""

    def __enter__(self) -> Browser:
        program = chromium()
        if program is None:
            raise ContestantFailed(f"Chromium is missing (Debian: {NAMES[0]})")
        from playwright.sync_api import sync_playwright

        self._driver = sync_playwright().start()
        self._browser = self._driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        return self._browser

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        self._driver.stop()


@cache
def _place() -> tempfile.TemporaryDirectory[str]:
    """Returns a folder that is removed with the bench."""
    return tempfile.TemporaryDirectory(prefix="assay-bench-")


@cache
def _results(server: str) -> Path:
    """Returns the folder of the quickstart study's results on this server, which take some three minutes."""
    folder = Path(_place().name) / "quickstart"
    command = [sys.executable, "-m", "assay.front.cli", "run", str(STUDY), "--server", server]
    said = subprocess.run(
        [*command, "--results", str(folder)],
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
        check=False,
    )
    if said.returncode or not (folder / "report.html").is_file():
        raise ContestantFailed(f"the quickstart study left no report: {last_words(said.stderr)}")
    return folder
