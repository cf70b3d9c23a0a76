"""Turns the jobs of a load on files into rows of the table `file_jobs`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_QUEUED = ("libaio", "io_uring")
"""I/O engines whose workers have `depth` operations in flight; those of the others have one."""

Row = tuple[int, str, str, bool, float, int | None, bool, int | None, int]


def file_jobs(job: Mapping[str, Any]) -> Iterator[Row]:
    """Yields number, name and the other columns of each job; nothing for a load on a server."""
    for number, one in enumerate(job.get("storage", []), start=1):
        access, io, sync = one["access"], one["io"], one.get("sync")
        size = access["read_blocks" if access["read_share"] > 0 else "write_blocks"]
        yield (
            number,
            one.get("name", ""),
            json.dumps([access, io, sync], sort_keys=True),
            access["order"] == "random",
            access["read_share"],
            size if isinstance(size, int) else None,
            bool(io.get("direct")),
            None if sync is None else sync.get("writes"),
            one.get("clones", 1) * (one.get("depth", 1) if io["kind"] in _QUEUED else 1),
        )
