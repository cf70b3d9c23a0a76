"""Keeps a summary of results beside their store, for lists of many results. The store does not know what it
says; it knows whether it is of the same files.
"""

from __future__ import annotations

import duckdb
import msgspec

from assay.durable import write_whole
from assay.folder import ResultsFolder
from assay.store.parts import SUMMARY, folder_state
from assay.store.parts import VERSION as STORE_VERSION
from assay.store.views import opened_state
from assay.version import VERSION


class _Kept(msgspec.Struct, frozen=True):
    """The file: of which files' state the summary was made, by which version, and the summary."""

    made_by: str
    stamp: str
    content: msgspec.Raw


def kept_summary(folder: ResultsFolder) -> bytes | None:
    """Returns the summary that was kept, as JSON; None where there is none or a file has changed since."""
    try:
        found = msgspec.json.decode((folder.store / SUMMARY).read_bytes(), type=_Kept)
    except (OSError, ValueError):
        return None
    return (
        bytes(found.content) if (found.made_by, found.stamp) == (_made_by(), folder_state(folder)) else None
    )


def keep_summary(folder: ResultsFolder, store: duckdb.DuckDBPyConnection, content: bytes) -> None:
    """Keeps a summary of what an open store holds, in JSON; where the folder cannot be written, nothing."""
    kept = _Kept(_made_by(), opened_state(store), msgspec.Raw(content))
    try:
        write_whole(folder.store / SUMMARY, msgspec.json.encode(kept))
    except OSError:
        return


def _made_by() -> str:
    return f"{VERSION} {STORE_VERSION}"
