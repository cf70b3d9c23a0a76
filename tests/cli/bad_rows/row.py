"""One row of the tables of bad inputs: what is done, and what must be answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """Where a row is tried: an empty folder, beside a server and results that all rows share."""

    folder: Path  # the working directory
    socket: Path  # of a running MariaDB, whose database `assay` has sbtest1 of 100 rows
    results: Path  # of a finished study: to be copied, not touched


@dataclass(frozen=True)
class Row:
    """`does` is a command line; `{socket}`, `{results}` and `{here}` stand for the places.

    `words` must all stand in the answer. `unclear`: why it is not as it should be yet.
    """

    id: str
    does: str
    code: int
    words: tuple[str, ...]
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[Place], None] | None = None
    unclear: str | None = None


def row(
    name: str,
    does: str,
    code: int,
    *words: str,
    files: Mapping[str, str | bytes] | None = None,
    env: Mapping[str, str] | None = None,
    before: Callable[[Place], None] | None = None,
    unclear: str | None = None,
) -> Row:
    """A row; its words one after the other."""
    return Row(name, does, code, words, files or {}, env or {}, before, unclear)
