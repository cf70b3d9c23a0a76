"""The page of one study while it runs, as a process beside the command that runs it.

    python -m assay.front.web.live.watching FOLDER

The address is the first line of its output. It ends soon after its standard input, which the command holds
open: the page has then become that of the results.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

from assay.design.folder import ResultsFolder, read_entry
from assay.front.terminal import say
from assay.front.web.archive.catalogue import Catalogue
from assay.front.web.archive.rows import rid_of
from assay.front.web.serving import Listening, serve
from assay.front.web.site import Site

GRACE_S = 10.0
"""How long the pages stay after the command, so that a browser can turn to the results."""


class _OneFolder(Catalogue):
    """The catalogue of one results folder. Nothing is kept beside it, and its page is found without reading
    results: a study is measured meanwhile. The page of its results waits for them, however busy the machine
    is: there is nothing else to show.
    """

    for_one_s = None

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.rid = rid_of(read_entry(ResultsFolder(root)))

    def folder(self, rid: str) -> ResultsFolder:
        return ResultsFolder(self.root) if rid == self.rid else super().folder(rid)

    def _load(self) -> None:
        """Reads nothing."""

    def _keep(self) -> None:
        """Keeps nothing."""


class OneStudy(Site):
    """A site whose root is a results folder."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.catalogue = self.one = _OneFolder(root)


def watch(folder: Path) -> None:
    """Serves the pages of one study until standard input ends."""
    site = OneStudy(folder)

    def announce(listening: Listening) -> None:
        path = f"live/{site.one.rid}#token={site.token}"
        say(f"{listening.with_token.partition('#')[0]}{path}")

    threading.Thread(target=_end_with_input, daemon=True).start()
    serve(site, announce=announce)


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    time.sleep(GRACE_S)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command: the page shows how it ends
    watch(Path(sys.argv[1]))
