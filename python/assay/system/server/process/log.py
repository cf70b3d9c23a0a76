"""Reads the part of a server's log that one start wrote."""

from __future__ import annotations

import re
from pathlib import Path

_CRASH = re.compile(r" got signal \d+ ;")
_LONGEST_READ = 1 << 20  # bytes; a server in trouble can write gigabytes


class ServerLog:
    """A log file that several starts append to; reading begins where the last start began."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._from = 0

    def open_new(self) -> None:
        """Marks the end of the log file as the beginning of a new start's log."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        self._from = self.path.stat().st_size

    def lines(self) -> list[str]:
        """Returns the non-empty lines that this start wrote; of a very long log only those of the last
        MiB.
        """
        try:
            with self.path.open("rb") as log:
                size = log.seek(0, 2)
                log.seek(max(self._from, size - _LONGEST_READ))
                text = log.read().decode(errors="replace")
        except OSError:
            return []
        return [line for line in text.splitlines() if line.strip()]

    def tail(self, count: int) -> str:
        """Returns the last lines before the report of a crash, and its first, which names the signal: what
        follows is a backtrace.
        """
        lines = self.lines()
        crash = next((at + 1 for at, line in enumerate(lines) if _CRASH.search(line)), len(lines))
        return "\n".join(lines[max(0, crash - count) : crash])

    def reason(self) -> str:
        """Returns the first line that the server marks as an error, otherwise its last line."""
        lines = self.lines()
        for line in lines:
            if "[ERROR]" in line:
                return line.partition("[ERROR]")[2].strip()
        return lines[-1] if lines else "it wrote no log"

    def port_taken(self) -> bool:
        return any("Address already in use" in line or "Bind on TCP/IP port" in line for line in self.lines())
