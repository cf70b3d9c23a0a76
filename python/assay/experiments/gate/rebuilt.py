"""Finds results of server files that are others by now."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from assay.base.printable import line
from assay.experiments.lab import Judged
from assay.results.verdict import Lack, lack


def rebuilt(found: Judged) -> Iterator[tuple[str, Lack]]:
    """Yields the treatments whose server file is another one by now.

    A build is often made anew under the same path, and results of its predecessor say nothing of it.
    """
    present: dict[str, str | None] = {}
    for treatment, binary, sha256 in found.store.execute(
        "SELECT DISTINCT treatment, server_binary, server_sha256 FROM runs"
        " WHERE status = 'complete' AND server_binary IS NOT NULL AND server_sha256 IS NOT NULL"
    ).fetchall():
        if binary not in present:
            present[binary] = _sha256(Path(binary))
        if present[binary] not in (None, sha256):
            yield treatment, lack("rebuilt", file=line(binary), treatment=line(treatment))


def _sha256(file: Path) -> str | None:
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        return None
