"""A block that an agent carries out: a lab process on this host, and the runs that it leaves."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from assay.base.errors import HostError
from assay.measurement.fleet.agents.channel import Channel
from assay.measurement.fleet.agents.leftovers import block_folder
from assay.system.server.process import start

_BEAT_S = 1.0
_ENDS_S = 60.0
"""Seconds that a lab may take to stop its server in good order."""
_SAID = 1 << 16
_PIECE = 1 << 18
"""Bytes of a file in one frame: a lease of some seconds must not pass meanwhile."""


class HostedBlock:
    """A session that carries one block out. Must be served in a thread that lives as long as the block: the
    kernel asks the lab to end when that thread does.

    `command` starts the lab process, which reads `order` as one line and writes lines. `say` takes a line on
    what happens.
    """

    def __init__(self, command: Sequence[str], order: dict[str, Any], channel: Channel) -> None:
        self._channel = channel
        self._folder = block_folder()
        self._over = threading.Event()
        order = {**order, "folder": str(self._folder / "results")}
        self._said = (self._folder / "said").open("w+b")
        try:
            self._process = start(
                command,
                [f"death={signal.SIGTERM:d}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
            )
        except OSError as error:
            self._remove()
            raise HostError(f"cannot start a lab: {error}") from error
        self.pid = self._process.pid
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.close()

    def serve(self) -> None:
        """Passes lines on until the lab ends, then the runs that it has finished, then how it ended."""
        threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._forward_lines, self._beat, self._obey)
        ]
        try:
            for thread in threads:
                thread.start()
            threads[0].join()
            complaint = os.pread(self._said.fileno(), _SAID, 0).decode(errors="replace").strip()
            if not self._over.is_set():
                self._ship()
        finally:
            was_over = self._over.is_set()
            self._end()
            self._remove()
            self._over.set()
        if not was_over:  # last, so that this host is free for the next block
            self._channel.send({"ended": {"code": self._process.returncode, "complaint": complaint}})

    def _forward_lines(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with suppress(OSError):
                self._channel.send_lines(line)
        self._process.wait()

    def _beat(self) -> None:
        while not self._over.wait(_BEAT_S):
            with suppress(OSError):
                self._channel.send({"beat": time.monotonic_ns()})

    def _obey(self) -> None:
        """Passes signals on; ends the lab when the coordinator is gone, or silent for the lease."""
        try:
            while not self._over.is_set():
                command = self._channel.message()
                if "signal" in command:
                    self._process.send_signal(int(command["signal"]))
        except OSError:
            if not self._over.is_set():
                self._over.set()
                self._end()

    def _end(self) -> None:
        """Ends the lab in good order; kills it where that takes too long."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(_ENDS_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _ship(self) -> None:
        """Sends every file of the runs that are over. Nothing is sent before the lab has ended: the network
        and the disk are those of the measured host.
        """
        for path in finished_files(self._folder / "results" / "runs"):
            digest, size = hashlib.sha256(), path.stat().st_size
            name = path.relative_to(self._folder / "results" / "runs").as_posix()
            self._channel.send({"file": name, "bytes": size})
            with path.open("rb") as file:
                while piece := file.read(_PIECE):
                    digest.update(piece)
                    self._channel.send_lines(piece)
            self._channel.send({"whole": name, "sha256": digest.hexdigest()})

    def _remove(self) -> None:
        self._said.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def finished_files(runs: Path) -> Iterator[Path]:
    """Yields the regular files of every run that has a manifest, which comes last of its run."""
    for run in sorted(runs.iterdir()) if runs.is_dir() else ():
        manifest = run / "run.json"
        if not manifest.is_file() or run.name.endswith(".unfinished"):
            continue
        for path in sorted(run.rglob("*")):
            if path.is_file() and not path.is_symlink() and path != manifest:
                yield path
        yield manifest
