"""Keeps a summary of results beside their store, for lists of many results. The store does not know what it
says; it knows whether it is of the same files.
"""

from __future__ import annotations

import duckdb
import msgspec

from assay.base.seal import is_sealed, seal_of
from assay.base.version import VERSION
from assay.design.folder import ResultsFolder
from assay.results.store.parts import SUMMARY, folder_state
from assay.results.store.parts import VERSION as STORE_VERSION
from assay.results.store.place import place_of
from assay.results.store.views import opened_state


class _Kept(msgspec.Struct, frozen=True):
    """The file: of which files' state the summary was made, by which version, and the summary."""

    made_by: str
    stamp: str
    content: msgspec.Raw
    seal: str


def kept_summary(folder: ResultsFolder) -> bytes | None:
    """Returns the summary that was kept, as JSON; None where there is none or a file has changed since."""
    try:
        found = msgspec.json.decode((place_of(folder) / SUMMARY).read_bytes(), type=_Kept)
    except (OSError, ValueError, RecursionError):
        return None
    content = bytes(found.content)
    if not is_sealed(found.seal, found.made_by.encode(), found.stamp.encode(), content):
        return None  # what somebody else says of these results
    return content if (found.made_by, found.stamp) == (_made_by(), folder_state(folder)) else None


def keep_summary(folder: ResultsFolder, store: duckdb.DuckDBPyConnection, content: bytes) -> None:
    """Keeps a summary of what an open store holds, in JSON; where the folder cannot be written, nothing."""
    made_by, stamp = _made_by(), opened_state(store)
    seal = seal_of(made_by.encode(), stamp.encode(), content)
    kept = _Kept(made_by, stamp, msgspec.Raw(content), seal)
    try:
        (place_of(folder) / SUMMARY).write_whole(msgspec.json.encode(kept))
    except OSError:
        return


def _made_by() -> str:
    return f"{VERSION} {STORE_VERSION}"
