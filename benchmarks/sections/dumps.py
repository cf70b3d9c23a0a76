"""The section on loading a dump, beside the server's own client."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks import engine
from benchmarks.dump import by_client, dump_of, loaded_by, rows_of
from benchmarks.load import Endpoint
from benchmarks.rounds import Cell, Contestant
from benchmarks.rows import Figures, Line, Made, Row, Samples, check, row, some
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_least, at_most

_CLIENT = "mysql <"
_AFTER = "ours, indexes after"
_WAYS: dict[str, Callable[[Path, Endpoint, str], Figures]] = {
    "ours": engine.prepare_dump,
    _AFTER: partial(engine.prepare_dump, indexes_after=True),
    _CLIENT: by_client,
}
_LEAST_BYTES_PER_S = 10_000_000
"""For the guess how long the section takes."""


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns the dump, loaded in both ways into the same server."""
    mb = settings.dump_mb
    rows = rows_of(mb * 1_000_000)

    def loading(name: str) -> Contestant:
        def once() -> Figures:
            return loaded_by(_WAYS[name], dump_of(rows, servers.folder), servers.real(), servers.admin)

        return once

    guess_s = mb * 1_000_000 / _LEAST_BYTES_PER_S
    return [Cell(f"mysqldump of {mb} MB, 4 tables", {name: loading(name) for name in _WAYS}, guess_s)]


def _same(sample: Samples) -> Row:
    """Returns the row of checksums, which must be equal."""
    gaps = [
        abs(mine.get("checksum", math.inf) - theirs.get("checksum", 0.0))
        for mine, theirs in sample.both("ours", _CLIENT)
    ]
    return row(sample, "checksum", sample.medians("checksum"), [check("gap", some(gaps), at_most(0.0))])


SECTION = Section(
    name="dumps",
    title="Dumps: a mysqldump with two secondary indexes",
    note="Both load the same file into the same server, `mysql <` by the command `source`. A study loads into"
    " a server of its own without doublewrite buffer and binary log.",
    cells=cells,
    lines=[
        Line("", "mb_per_s", "MB/s", {_CLIENT: at_least(2.0)}),
        Line("", "mb_per_s", "MB/s, indexes after", {_CLIENT: at_least(2.0)}, mine=_AFTER),
        Line("", "cpu_s", "CPU s", {_CLIENT: None}),
        Line("", "rss_mb", "MB", {}, at_most(100.0)),
        Made("", _same),
    ],
    rounds=lambda pairs: min(pairs, 3),
)
