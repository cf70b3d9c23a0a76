"""The server's own log, as far as one start wrote it."""

from __future__ import annotations

from pathlib import Path

_LONGEST_READ = 1 << 20  # bytes; a server in trouble can write gigabytes


class ServerLog:
    """A log file that several starts append to; reading begins where the last start began."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._from = 0

    def open_new(self) -> None:
        """A start begins: what follows is its log."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        self._from = self.path.stat().st_size

    def lines(self) -> list[str]:
        """Lines that this start wrote, without empty ones; only the last MiB of a very long log."""
        try:
            with self.path.open("rb") as log:
                size = log.seek(0, 2)
                log.seek(max(self._from, size - _LONGEST_READ))
                text = log.read().decode(errors="replace")
        except OSError:
            return []
        return [line for line in text.splitlines() if line.strip()]

    def tail(self, count: int) -> str:
        return "\n".join(self.lines()[-count:])

    def reason(self) -> str:
        """The first line that the server calls an error, or its last line."""
        lines = self.lines()
        for line in lines:
            if "[ERROR]" in line:
                return line.partition("[ERROR]")[2].strip()
        return lines[-1] if lines else "it wrote no log"

    def port_taken(self) -> bool:
        return any("Address already in use" in line or "Bind on TCP/IP port" in line for line in self.lines())
