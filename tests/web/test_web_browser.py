"""The pages in Debian's Chromium: no errors, nothing from elsewhere, accessible, and usable by keyboard.

A missing browser skips these tests; ASSAY_BROWSER=required makes that a failure.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from assay.front.web import Site, make_app
from assay.testing.browser import NAMES, chromium

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    missing = None
    program = chromium()
    if program is None:
        missing = f"Chromium is missing (Debian: {NAMES[0]})"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing = "the package playwright is missing"
    if missing is not None:
        if os.environ.get("ASSAY_BROWSER") == "required":
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        # Where there is no GPU, Chromium computes one: most of the processor time of a page that is watched.
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def address(site: Site) -> Iterator[str]:
    """A server over the root of all tests, on a free port."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(make_app(site), log_level="error", lifespan="off", ws="none", http="h11")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


PATIENCE_S = 180.0


class Watched:
    """A page in the browser, with all that went wrong on it."""

    def __init__(self, browser: Any, origin: str, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE_S * 1000)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on(
            "console",
            lambda said: (
                said.type == "error" and self.wrong.append(f"{said.text} {said.location.get('url', '')}")
            ),
        )
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("requestfailed", self._failed)
        self.page.on(
            "request",
            lambda request: request.url.startswith(origin) or self.wrong.append(f"elsewhere: {request.url}"),
        )
        self.page.add_init_script(
            "window.refused = []; addEventListener('securitypolicyviolation',"
            " (event) => window.refused.push(event.violatedDirective + ' ' + event.blockedURI))"
        )

    def _failed(self, request: Any) -> None:
        if (
            request.failure != "net::ERR_ABORTED"
        ):  # whoever goes to the next page ends what the last one loads
            self.wrong.append(f"failed: {request.url}: {request.failure}")

    def check(self) -> None:
        """Asserts that nothing went wrong so far."""
        assert self.wrong == []
        assert self.page.evaluate("window.refused") == []


def _addresses(rids: dict[str, str], run: str) -> list[str]:
    rid = rids["quick"]
    sides = f"base={rid}:innodb_purge_threads%3D1&new={rid}:innodb_purge_threads%3D4"
    return [
        "/",
        f"/r/{rid}",
        f"/r/{rid}/n/innodb_purge_threads=1/8/tps",
        f"/r/{rid}/run/{run}",
        f"/r/{rid}/run/{run}/1",
        f"/r/{rid}/run/{run}/1/events",
        f"/compare?{sides}",
        f"/gate/{rid}",
        "/history",
        "/doubts",
        "/nothing",
    ]


VIEWS = [("en", "light", 360), ("en", "dark", 1280), ("zh", "light", 1280), ("zh", "dark", 360)]
"""Language, theme and width: every two of them together. Contrast is that of a theme, and what fits that of a
width with a language.
"""


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("language", "theme", "width"), VIEWS)
def test_pages_are_accessible(
    browser: Any, address: str, rids: dict[str, str], run: str, language: str, theme: str, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    watched = Watched(
        browser, address, color_scheme=theme, viewport={"width": width, "height": 900}, bypass_csp=False
    )
    bad = []
    every = _addresses(rids, run)
    # All pages in one of the four: the others differ in colours, width and words, not in structure.
    is_whole = (language, theme, width) == ("zh", "dark", 360)
    for path in every if is_whole else (every[0], every[2], every[7]):
        watched.page.goto(f"{address}/{language}{path}")
        # A list that is still being read loads itself again, and would take the page from under axe.
        watched.page.locator("[data-again]").wait_for(state="detached")
        found = Axe().run(watched.page)
        bad += [
            f"{path}: {one['id']}: {one['nodes'][0]['html'][:200]} ({len(one['nodes'])})"
            for one in found.response["violations"]
        ]
        wide = watched.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        bad += [f"{path}: {wide} px too wide"] if wide > 0 else []
        if path != "/nothing":  # whose status the console names
            watched.check()
        watched.wrong.clear()
    watched.context.close()
    assert not bad, "\n".join(bad)


def test_the_way_from_the_first_page_to_an_event_by_keyboard(
    browser: Any, address: str, rids: dict[str, str]
) -> None:
    watched = Watched(browser, address, viewport={"width": 1280, "height": 900})
    page = watched.page
    page.goto(f"{address}/en/")

    def press_on(selector: str, most: int = 300) -> None:
        """Moves by Tab until the focus is on what the selector names, which must be seen, and presses
        Enter.
        """
        for _ in range(most):
            page.keyboard.press("Tab")
            if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none"
                with page.expect_navigation():
                    page.keyboard.press("Enter")
                return
        raise AssertionError(f"no way by keyboard to {selector} on {page.url}")

    press_on(f"tbody th a[href='/en/r/{rids['quick']}']")
    press_on("#table-tps td a[href*='/n/']")
    press_on("td a[href*='/run/'][href$='/1'], td a[href*='/run/'][href$='/2']")
    press_on("td a[href*='/events?at=']")
    assert page.locator("tr.at").count() == 1
    assert "interval" in page.locator("pre.raw").inner_text()
    watched.check()
    watched.context.close()


def test_keys_are_listed_and_do_nothing_while_typing(browser: Any, address: str) -> None:
    watched = Watched(browser, address)
    page = watched.page
    page.goto(f"{address}/en/")
    page.keyboard.press("?")
    assert page.locator("dialog#keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog#keys").is_visible()
    page.keyboard.press("/")
    page.keyboard.type("deep?")
    assert page.locator("input[type=search]").input_value() == "deep?"
    assert not page.locator("dialog#keys").is_visible()
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=deep**")
    assert page.locator("#results tbody tr").count() == 1
    watched.check()
    watched.context.close()


def test_tables_are_sorted_by_their_numbers(
    browser: Any, address: str, rids: dict[str, str], run: str
) -> None:
    watched = Watched(browser, address)
    page = watched.page
    page.goto(f"{address}/en/r/{rids['quick']}/run/{run}/1")
    heading = page.locator("#table-seconds th button").nth(3)
    rows = "[...document.querySelectorAll('#table-seconds tbody tr')]"
    read = f"{rows}.map((row) => +row.cells[3].querySelector('data').value)"
    heading.click()
    rising = page.evaluate(read)
    assert rising == sorted(rising)
    heading.click()
    assert page.evaluate(read) == sorted(rising, reverse=True)
    assert page.locator("#table-seconds th").nth(3).get_attribute("aria-sort") == "descending"
    watched.check()
    watched.context.close()


def test_the_address_of_a_view_is_copied(browser: Any, address: str) -> None:
    """Into the clipboard; where there is none, it stands on the page, selected."""
    watched = Watched(browser, address, permissions=["clipboard-read", "clipboard-write"])
    page = watched.page
    page.goto(f"{address}/en/?q=deep")
    page.click("#copy")
    page.wait_for_function("document.getElementById('copy-said').textContent === 'Copied.'")
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}/en/?q=deep"
    assert not page.is_visible("#address")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.click("#copy")
    page.wait_for_selector("#address")
    assert page.evaluate("getSelection().toString()") == f"{address}/en/?q=deep"
    assert page.evaluate("document.activeElement.id") == "address"
    watched.check()
    watched.context.close()


def test_the_token_goes_from_the_address_into_the_tab(browser: Any, address: str) -> None:
    watched = Watched(browser, address)
    page = watched.page
    page.goto(f"{address}/en/#token=abc-123")
    page.wait_for_function("location.hash === ''")
    assert page.evaluate("sessionStorage.getItem('assay-token')") == "abc-123"
    page.goto(f"{address}/en/doubts")
    assert page.evaluate("sessionStorage.getItem('assay-token')") == "abc-123"
    watched.check()
    watched.context.close()


@pytest.mark.long
def test_a_note_is_written_and_removed_on_the_page_of_a_result(
    browser: Any, address: str, rids: dict[str, str], site: Site, root: Path
) -> None:
    watched = Watched(browser, address)
    page, rid = watched.page, rids["deep/again"]
    page.goto(f"{address}/en/r/{rid}#token={site.token}")
    page.click("#note")
    page.fill("#note-text", "a backup ran")
    page.click("#note-form button[value=save]")
    page.wait_for_selector("#notes li")
    page.wait_for_load_state()  # loaded anew: before its script is there, its buttons do nothing
    assert page.inner_text("#notes li .text") == "a backup ran"
    page.click("[data-note-edit]")
    page.click("#note-remove")
    page.wait_for_selector("#notes li", state="detached")
    watched.check()
    watched.context.close()
    (root / "deep/again/notes.jsonl").unlink()


@pytest.mark.long
def test_pages_work_without_scripts_and_print(browser: Any, address: str, rids: dict[str, str]) -> None:
    watched = Watched(browser, address, java_script_enabled=False, reduced_motion="reduce")
    page = watched.page
    page.goto(f"{address}/en/r/{rids['quick']}#table-costs")  # an address opens what is closed around it
    assert page.locator("#table-costs").is_visible()
    assert not page.locator("#table-runs").is_visible()
    page.emulate_media(media="print")
    assert page.locator("#table-runs").is_visible()
    assert page.locator("h1").inner_text() == "Purge threads"
    assert not page.locator("header.bar").is_visible()
    assert len(page.pdf()) > 20_000
    assert watched.wrong == []
    watched.context.close()


def test_scripts_and_styles_are_small() -> None:
    from assay.front.web.assets import assets

    own = {name: text for name, text in assets().items() if not name.startswith("uplot-")}
    assert sum(map(len, own.values())) < 120_000
