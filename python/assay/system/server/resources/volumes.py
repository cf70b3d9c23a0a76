"""Puts data, redo log and binary log of a private server each on the file system that a study names.

Each has a directory of the run's own there, which is removed with the private directory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import HostError, ServerError
from assay.system.server.data.snapshot import move_files
from assay.system.server.data.space import require_space
from assay.system.server.process.private import PrivateDir
from assay.system.server.process.program import give_to_server, require_reachable

# MySQL 8.0.30 and later keep the redo log in a directory; MariaDB and older MySQL in one file or a few.
_REDO = ("#innodb_redo", "ib_logfile*")
_BINLOG_BYTES = 64 << 20
"""Room that a binary log must have: how long it becomes only the load knows."""


@dataclass(frozen=True)
class Volumes:
    """Parent directories of data, redo log and binary log; None keeps one in its usual place."""

    data: Path | None = None
    redo: Path | None = None
    binlog: Path | None = None

    def check(self, data_bytes: int, redo_bytes: int) -> None:
        """Raises HostError when one is no directory, out of the server's reach, or on a full file system."""
        for key, parent in (("data_dir", self.data), ("redo_dir", self.redo), ("binlog_dir", self.binlog)):
            if parent is None:
                continue
            if not parent.is_dir():
                raise HostError(
                    f"server.{key}: there is no directory {parent}",
                    hint="create it on the file system you mean; the server gets a directory of its"
                    " own in it",
                )
            require_reachable(parent / "x", f"server.{key}")
            if not os.access(parent, os.W_OK | os.X_OK):
                raise HostError(f"server.{key}: cannot write to {parent}", hint=f"chmod u+w {parent}")
        needed: dict[int, tuple[Path, int]] = {}
        for parent, size in self.needs(data_bytes, redo_bytes):
            _, sum_bytes = needed.get(parent.stat().st_dev, (parent, 0))
            needed[parent.stat().st_dev] = (parent, sum_bytes + size)
        for parent, size in needed.values():
            require_space(parent, size, "what the study puts there")

    def needs(self, data_bytes: int, redo_bytes: int) -> list[tuple[Path, int]]:
        """Returns each parent directory named by the study, with the bytes that will be put there."""
        sizes = ((self.data, data_bytes), (self.redo, redo_bytes), (self.binlog, _BINLOG_BYTES))
        return [(parent, size) for parent, size in sizes if parent is not None]

    def data_dir(self, private: PrivateDir) -> Path:
        """Returns the path where the data directory will be made; its parent exists."""
        return (private.path if self.data is None else private.elsewhere(self.data, "data")) / "data"

    def place_logs(self, private: PrivateDir, data_dir: Path) -> Layout:
        """Moves the redo log out of a stopped server's data directory, and makes a directory for the binary
        log.
        """
        redo = binlog = None
        if self.redo is not None:
            redo = private.elsewhere(self.redo, "redo")
            move_files(list(redo_files(data_dir)), redo)
            give_to_server(redo)
        if self.binlog is not None:
            binlog = private.elsewhere(self.binlog, "binlog")
        return Layout(redo, binlog)


@dataclass(frozen=True)
class Layout:
    """The parts of a server's files that lie outside its data directory."""

    redo: Path | None = None
    binlog: Path | None = None

    @property
    def paths(self) -> list[Path]:
        return [path for path in (self.redo, self.binlog) if path is not None]

    def options(self, log_bin: str) -> dict[str, str]:
        """Returns their lines of the options file. `log_bin` is the study's value for the binary log."""
        found = {}
        if self.redo is not None:
            found["innodb_log_group_home_dir"] = str(self.redo)
        if self.binlog is not None:
            found["log_bin"] = str(self.binlog / log_bin)
        return found

    def verify(self, actual: Mapping[str, str]) -> None:
        """Raises ServerError when the running server (`actual`: its global variables) writes elsewhere."""
        for variable, path, key in (
            ("innodb_log_group_home_dir", self.redo, "redo_dir"),
            ("log_bin_basename", self.binlog, "binlog_dir"),
        ):
            have = actual.get(variable)
            if path is not None and have is not None and path not in (Path(have), Path(have).parent):
                raise ServerError(f"server.{key}: asked for {path}, the server has {variable} = {have}")
        if self.redo is not None and not any(redo_files(self.redo)):
            raise ServerError(f"server.redo_dir: the server has no redo log in {self.redo}")


def redo_files(data_dir: Path) -> Iterator[Path]:
    """Yields the redo log of a data directory: files, or the directory that holds them."""
    for pattern in _REDO:
        yield from sorted(data_dir.glob(pattern))
