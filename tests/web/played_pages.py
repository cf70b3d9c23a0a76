"""A recording that is played, with the live page over it in a browser: no server and no engine."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from assay.design.folder import ResultsFolder
from assay.design.folder.live import LabBegan, read_live
from assay.front.web import make_app
from assay.front.web.live.watching import OneStudy
from assay.testing.results_folder import make_results
from assay.testing.run_folder import Truth
from test_web_browser import PATIENCE_S, Watched


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    """Four runs of two load points, some 50 seconds in all."""
    truth = Truth(measure_s=8, warmup_s=2, deadlocks=3.0)
    return make_results(tmp_path_factory.mktemp("recording") / "results", blocks=2, loads=(1, 8), truth=truth)


class Played:
    """A recording that is being played, with pages over it."""

    def __init__(self, source: ResultsFolder, target: Path, speed: float) -> None:
        self.folder = ResultsFolder(target)
        command = [sys.executable, "-m", "assay.testing.player", str(source.path), str(target)]
        self.player = subprocess.Popen([*command, "--speed", str(speed)])
        self.wait_for(LabBegan)
        self.site = OneStudy(self.folder.path)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.start()

    @property
    def path(self) -> str:
        return f"/live/{self.site.one.rid}"

    def wait_for(self, kind: type, count: int = 1) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while sum(isinstance(line, kind) for line in read_live(self.folder.live)) < count:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def hold(self, seconds: int) -> None:
        """Stops the study once so many seconds of a load are written, however slow a page is to show them."""
        deadline = time.monotonic() + PATIENCE_S
        while self._written() < seconds:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        self.player.send_signal(signal.SIGSTOP)

    def _written(self) -> int:
        """Returns the most seconds that a load point of the run under way has."""
        with suppress(FileNotFoundError):  # the run has ended meanwhile, and its folder has another name
            files = (self.folder.path / "runs").glob(".*.unfinished/rungs/*/events.jsonl")
            return max((file.read_bytes().count(b'"interval"') for file in files), default=0)
        return 0

    def go_on(self) -> None:
        self.player.send_signal(signal.SIGCONT)

    def start(self) -> None:
        """Serves the pages, at the same port as before."""
        self.site.is_closing = False
        if self.listener.fileno() < 0:
            self.listener = socket.create_server(("127.0.0.1", self.port))
        config = uvicorn.Config(
            make_app(self.site),
            log_level="error", lifespan="off", ws="none", http="h11", timeout_graceful_shutdown=1,
        )  # fmt: skip
        self.server = uvicorn.Server(config)
        listener = self.listener
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listener]}, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def stop(self) -> None:
        self.site.is_closing = True
        self.server.should_exit = True
        self.thread.join(10)
        self.listener.close()

    def close(self) -> None:
        self.player.kill()
        self.player.wait()
        self.stop()


@pytest.fixture
def play(recording: ResultsFolder, tmp_path: Path) -> Iterator[Callable[[float], Played]]:
    begun: list[Played] = []

    def playing(speed: float) -> Played:
        begun.append(Played(recording, tmp_path / f"played-{len(begun)}", speed))
        return begun[-1]

    yield playing
    for one in begun:
        one.close()


def watch(
    browser: Any, played: Played, *, language: str = "en", token: bool = False, **options: Any
) -> Watched:
    watched = Watched(browser, played.origin, **options)
    mark = f"#token={played.site.token}" if token else ""
    watched.page.goto(f"{played.origin}/{language}{played.path}{mark}")
    return watched


def until(page: Any, expression: str, timeout_s: float = PATIENCE_S) -> None:
    """Waits until an expression is true in the page. The browser's own waiting would need `eval`, which the
    policy of the pages forbids.
    """
    deadline = time.monotonic() + timeout_s
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, expression
        time.sleep(0.05)


def check(watched: Watched) -> None:
    """Asserts that nothing went wrong. A stream that the page itself ended counts as a failed request."""
    watched.wrong = [one for one in watched.wrong if not (one.startswith("failed") and "/stream?" in one)]
    if not watched.page.is_closed():
        watched.check()


def seconds(page: Any) -> int:
    return int(page.get_attribute("#live", "data-seconds") or 0)


SEES_SECONDS = "Number(document.getElementById('live').dataset.seconds ?? 0) >= {count}"
