"""Derives settings of InnoDB from what a disk was measured to do, each with its reason.

These are rules of thumb, and called so: a study of the server itself decides. Sources: MySQL reference
manual, "Configuring InnoDB I/O Capacity", "Optimizing InnoDB Disk I/O"; the MySQL 5.5 evaluation report,
which set innodb_io_capacity to the operations a second of a random mix.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from assay.advice.capacity import io_capacity
from assay.advice.cells import Cell

KEPT_UP = 0.95
"""Share of a rate of pages that must have been flushed for the disk to have sustained it."""
NEARLY_ALL = 0.95
"""Share of the most operations a second that counts as all of them."""
SEEKS_MS = 2.0
"""Milliseconds above which a random read shows that no solid-state disk lies beneath: it waits for an arm or
a network.
"""
SLOW_FSYNC_MS = 5.0
_BACKLOG_S = 100
_LEAST_REDO, _MOST_REDO = 128 << 20, 32 << 30
_DIRECT = "past the page cache (direct)"
_AIO_SLOTS = 256
"""Requests that InnoDB has in flight for each I/O thread with native AIO."""


@dataclass(frozen=True)
class Advice:
    """Advice on one setting. `value` None: the measurement does not decide it; the reason then says what
    would.
    """

    setting: str
    value: str | None
    reason: str


def advise(cells: Sequence[Cell], page: int = 16384) -> Mapping[str, list[Advice]]:
    """Returns advice for each disk, in the order of the cells, for a server with pages of `page` bytes."""
    disks = dict.fromkeys(cell.disk for cell in cells)
    return {disk: _advise([cell for cell in cells if cell.disk == disk], page) for disk in disks}


def _advise(cells: Sequence[Cell], page: int) -> list[Advice]:
    return [
        *_capacity(cells, page),
        _neighbors(cells),
        *_threads(cells, page),
        _commit(cells),
        _method(cells),
    ]


def _capacity(cells: Sequence[Cell], page: int) -> Iterator[Advice]:
    carried, why = _carried(cells, page)
    if carried is None:
        for setting in ("innodb_io_capacity", "innodb_io_capacity_max", "innodb_redo_log_capacity"):
            yield Advice(setting, None, why)
        return
    half, most = io_capacity(carried)
    yield Advice(
        "innodb_io_capacity",
        f"{half}",
        f"half of what the disk carries ({why}); the rest is for reads and the log",
    )
    yield Advice("innodb_io_capacity_max", f"{most}", f"what the disk carries: {why}")
    redo = min(max(most * page * _BACKLOG_S, _LEAST_REDO), _MOST_REDO)
    yield Advice(
        "innodb_redo_log_capacity",
        _power_of_two(redo),
        f"about what {_BACKLOG_S} s of flushing at innodb_io_capacity_max write: a full log is worked off in"
        " minutes; a smaller one forces pages out early, a larger one lengthens recovery",
    )


def _carried(cells: Sequence[Cell], page: int) -> tuple[float | None, str]:
    """Returns the pages a second that the disk sustains, and how that is known: from the pattern, else from
    writes alone, else from a mix.

    Without such a measurement it returns None and what would show it; a rate that was kept above one that
    fell behind shows nothing.
    """
    rates = [cell for cell in cells if cell.pattern and cell.kind == "rate"]
    behind = [cell.load for cell in rates if cell.measures["pages_flushed_per_s"] < KEPT_UP * cell.load]
    first = min(behind, default=inf)
    if kept := [cell.load for cell in rates if cell.load < first]:
        beyond = "; a higher rate was not tried" if first == inf else ""
        return max(kept), f"{max(kept):g} pages a second were flushed beside commits and reads{beyond}"
    if rates:
        return (
            None,
            f"at {first:g} pages a second flushing fell behind: measure innodb-pattern over lower rates",
        )
    random = [cell for cell in _past_the_cache(cells) if cell.block]
    for what, share in (("random writes", 0.0), ("random reads and writes", None)):
        some = [
            cell for cell in random if (cell.read_share == 0 if share == 0.0 else 0 < cell.read_share < 1)
        ]
        if some:
            best = max(some, key=lambda cell: _pages(cell, page))
            size = f"{best.block / 1024:g} KiB"
            fewer = "" if best.block >= page else ", counted by their bytes"
            return (
                _pages(best, page),
                f"{best.measures['iops']:,.0f} {what} of {size} a second ({best.place}){fewer}",
            )
    return None, (
        f"measure random writes or a mix in blocks of a page {_DIRECT}, or innodb-pattern over rates"
    )


def _past_the_cache(cells: Sequence[Cell]) -> list[Cell]:
    """Returns cells with random operations that the disk answered, and not the page cache."""
    return [cell for cell in cells if cell.random and cell.direct and not cell.pattern]


def _pages(cell: Cell, page: int) -> float:
    return cell.measures["iops"] * min(1.0, cell.block / page)


def _neighbors(cells: Sequence[Cell]) -> Advice:
    setting = "innodb_flush_neighbors"
    single = [cell for cell in _past_the_cache(cells) if (cell.read_share, cell.in_flight) == (1, 1)]
    if not single:
        needs = f"measure random reads one at a time: one worker, a depth of 1, {_DIRECT}"
        return Advice(setting, None, needs)
    took = min(cell.measures["mean_ms"] for cell in single)
    if took < SEEKS_MS:
        return Advice(setting, "0", f"a random read takes {took:.3g} ms: adjacent pages are no cheaper")
    return Advice(setting, "1", f"a random read takes {took:.3g} ms: pages side by side save seeks")


def _threads(cells: Sequence[Cell], page: int) -> Iterator[Advice]:
    for setting, share, what in (
        ("innodb_read_io_threads", 1.0, "reads"),
        ("innodb_write_io_threads", 0.0, "writes"),
    ):
        some = [cell for cell in _past_the_cache(cells) if cell.read_share == share]
        ladder = _widest(some, page)
        if not ladder:
            yield Advice(
                setting, None, f"measure random {what} over a ladder of depths or threads, {_DIRECT}"
            )
            continue
        most = max(cell.measures["iops"] for cell in ladder)
        enough = min(cell.in_flight for cell in ladder if cell.measures["iops"] >= NEARLY_ALL * most)
        threads = min(max(-(-enough // _AIO_SLOTS), 4), 64)
        yield Advice(
            setting,
            f"{threads}",
            f"the disk gives nearly all of its {most:,.0f} random {what} a second with {enough} in flight"
            f" ({ladder[0].treatment});"
            f" with native AIO {threads} threads hold up to {threads * _AIO_SLOTS}; without it a thread holds"
            f" one: then {min(enough, 64)}",
        )


def _widest(cells: Sequence[Cell], page: int) -> list[Cell]:
    """Returns the rungs of the treatment with the highest throughput, among those of several depths; empty
    without one.
    """
    treatments: dict[str, list[Cell]] = {}
    for cell in cells:
        treatments.setdefault(cell.treatment, []).append(cell)
    ladders = [some for some in treatments.values() if len({cell.in_flight for cell in some}) > 1]
    return max(ladders, key=lambda ladder: max(_pages(cell, page) for cell in ladder), default=[])


def _commit(cells: Sequence[Cell]) -> Advice:
    setting = "innodb_flush_log_at_trx_commit"
    flushed = [cell for cell in cells if _durable(cell)]
    if not flushed:
        return Advice(setting, None, "measure appends with an fsync after each, or run innodb-pattern")
    best = max(flushed, key=_appends)
    took = best.measures.get("commit_wait_mean_ms", best.measures.get("sync_mean_ms", 0.0))
    cost = (
        "expensive: group commit (many sessions) or a battery-backed write cache helps; 2 risks the"
        " last second"
        if took > SLOW_FSYNC_MS
        else "cheap enough to keep every commit"
    )
    return Advice(
        setting,
        "1",
        f"a durable append takes {took:.3g} ms ({_appends(best):,.0f} a second, each for a group of commits;"
        f" {best.place}): {cost}",
    )


def _durable(cell: Cell) -> bool:
    """Returns whether a cell's load is appends with an fsync each; a commit flushed by itself is the only
    kind with this measure.
    """
    if cell.pattern:
        return "commit_flush_p99_ms" in cell.measures
    return cell.synced and not cell.random


def _appends(cell: Cell) -> float:
    return cell.measures.get("commits_per_s", cell.measures.get("syncs_per_s", 0.0))


def _method(cells: Sequence[Cell]) -> Advice:
    setting = "innodb_flush_method"
    if any(cell.direct for cell in cells):
        return Advice(setting, "O_DIRECT", "the file system has it, and the figures are those past its cache")
    return Advice(setting, None, f"measure {_DIRECT}")


def _power_of_two(size: float) -> str:
    """Returns the largest power of two not above a size, as a server reads it: `512M`, `4G`."""
    power = 1 << (int(size).bit_length() - 1)
    return f"{power >> 30}G" if power >= 1 << 30 else f"{power >> 20}M"
