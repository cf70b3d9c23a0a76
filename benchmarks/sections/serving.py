"""The section on pages of results: how soon they are there, what they take of memory, and a site of them."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks import serving
from benchmarks.rounds import Cell
from benchmarks.rows import Line
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_most

_ROUNDS = 3
_OPENED = "a large result"
_FOLLOWED = f"{serving.VIEWS} views of three results"
_BUILT = "a site of three results, each"


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns a cell for opening, one for following, one for the site. No server of a database is needed."""
    return [
        Cell(_OPENED, {"ours": serving.opened}, 30),
        Cell(_FOLLOWED, {"ours": serving.followed}, 40),
        Cell(_BUILT, {"ours": serving.built}, 30),
    ]


_LINES = (
    Line(_OPENED, "first_paint_ms", "ms to the first paint, first opening", {}, at_most(2000.0), "ms"),
    Line(_OPENED, "last_ms", "ms to the last picture, first opening", {}, at_most(5000.0), "ms"),
    Line(_OPENED, "again_paint_ms", "ms to the first paint, again", {}, None, "ms"),
    Line(_OPENED, "again_ms", "ms to the last picture, again", {}, None, "ms"),
    Line(_FOLLOWED, "rested_mb", "MB, after a rest", {}, at_most(150.0), "MB"),
    Line(_FOLLOWED, "most_mb", "MB, at most", {}, None, "MB"),
    Line(_FOLLOWED, "history_ms", "ms, a history that was read before", {}, at_most(1000.0), "ms"),
    Line(_BUILT, "seconds", "s", {}, at_most(10.0), "s"),
    Line(_BUILT, "mb", "MB", {}, at_most(2.0), "MB"),
)


SECTION = Section(
    name="serving",
    title="Serving: pages of results, their memory, and a site of them",
    note="`assay serve` over synthetic results. The large one has four treatments, three loads and six "
    "blocks; at its first opening nobody has judged it or drawn its pictures, and Chromium reads it on this "
    "machine, on the same processors. Memory is that of all processes of the server, a page that several "
    f"have in shares (Pss), {serving.REST_S:g} s after the last view, and at its most between views. The "
    "history is that of a new server over results that an earlier one has read. The site is that of `assay "
    "site build`, without pictures that were drawn before.",
    cells=cells,
    lines=_LINES,
    rounds=lambda pairs: min(pairs, _ROUNDS),
    peer=lambda: "no peer",
)
