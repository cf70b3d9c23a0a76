"""Carries out a study as a person would, with a viewer of its page now and then."""

from __future__ import annotations

import http.client
import os
import re
import signal
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from assay.design.folder import ResultsFolder
from assay.design.folder.viewers import viewers_of

from benchmarks.alternating import Plan, alternated, awaited, figures, share
from benchmarks.child import ContestantFailed, meanwhile, used_s
from benchmarks.rows import Figures
from benchmarks.settings import Settings

CONNECTIONS = 16
WATCHED, ALONE = "with a viewer", "no viewer"
"""Whose figures a measurement has many of."""
_ASSAY = [sys.executable, "-m", "assay.front.cli"]
_ENDS_S = 120.0

_STUDY = """
[study]
name = "watched"
title = {{ en = "One load, with a viewer and without, in turn" }}

[server]
use = "{server}"

[server.variables]
innodb_buffer_pool_size = "256M"

[workload]
use = "oltp_point_select"
tables = {tables}
table_size = {table_size}

[load]
threads = [{connections}]
warmup = "5s"
measure = "{seconds:.0f}s"

[design]
blocks = 1
"""


def study(server: str, settings: Settings, plan: Plan) -> Figures:
    """Returns figures of a study of one run that is watched and is not, in turn, and what watching took of a
    processor.

    A viewer reads the page with everything that it loads, and holds its stream open to the end. Where the
    study is not watched, the page's process is stopped, so that nothing is made and nothing arrives.
    """
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        place = Path(name)
        file, folder, told = place / "watched.toml", ResultsFolder(place / "results"), place / "told"
        file.write_text(
            _STUDY.format(
                server=server,
                tables=settings.tables,
                table_size=settings.table_size,
                connections=CONNECTIONS,
                seconds=plan.seconds,
            ),
            encoding="utf-8",
        )
        command = [*_ASSAY, "run", str(file), "--results", str(folder.path), "--no-report", "--watch"]
        with meanwhile(command, place / "said", told, ends_s=_ENDS_S) as process:
            viewer = _Viewer(awaited(process, lambda: _address(told)))
            viewer.start()
            page = awaited(process, lambda: next(iter(viewers_of(folder)), None)).pid

            def switch(to: str) -> None:
                os.kill(page, signal.SIGCONT if to == WATCHED else signal.SIGSTOP)

            try:
                windows = alternated(
                    process,
                    awaited(process, lambda: _events(folder)),
                    plan,
                    (WATCHED, ALONE),
                    switch,
                    lambda: used_s([page]),
                )
            finally:
                with suppress(ProcessLookupError):
                    switch(WATCHED)
        viewer.join(_ENDS_S)
        with suppress(ProcessLookupError):
            os.kill(page, signal.SIGTERM)  # it would stay for a while, for a browser
        if not viewer.has_seen_all:
            raise ContestantFailed("the viewer did not receive the stream to its end")
        (run,) = folder.finished_runs()
        used = share([window for window in windows if window.name == WATCHED])
        return {"share": used, **figures(windows, run.rungs()[0].events.path)}


def _address(told: Path) -> SplitResult | None:
    """Returns where the page is, once the command has told it."""
    found = re.search(r"watch it at (\S+)\n", told.read_text())
    return urlsplit(found.group(1)) if found else None


def _events(folder: ResultsFolder) -> Path | None:
    """Returns the events of the load point, once there are any."""
    return next((one.path for one in folder.runs.glob(".*.unfinished/rungs/*/events.jsonl")), None)


class _Viewer(threading.Thread):
    """A reader like a browser: of the page, its parts, and then the stream, as long as it lasts."""

    def __init__(self, where: SplitResult) -> None:
        super().__init__(daemon=True)
        self._where, self._last = where, b""

    @property
    def has_seen_all(self) -> bool:
        """Whether the stream came to its end, which is an event of its own."""
        return b"event: end\n" in self._last

    def run(self) -> None:
        path = f"/en{self._where.path}"
        page = self._get(path)
        for part in set(re.findall(rb'(?:src|href)="(/assets/[^"]+|/words[^"]*\.js)"', page)):
            self._get(part.decode())
        connection = self._connection()
        try:
            connection.request("GET", f"{path}/stream", headers={"Accept": "text/event-stream"})
            answer = connection.getresponse()
            while some := answer.read1(1 << 16):
                self._last = (self._last + some)[-1024:]
        except OSError:
            return  # the page has ended
        finally:
            connection.close()

    def _get(self, path: str) -> bytes:
        connection = self._connection()
        connection.request("GET", path)
        return connection.getresponse().read()

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(str(self._where.hostname), self._where.port or 80, timeout=60)
