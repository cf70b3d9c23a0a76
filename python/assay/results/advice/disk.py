"""Derives settings of InnoDB from what a disk was measured to do, each with its reason.

These are rules of thumb, and called so: a study of the server itself decides. Sources: MySQL reference
manual, "Configuring InnoDB I/O Capacity", "Optimizing InnoDB Disk I/O"; the MySQL 5.5 evaluation report,
which set innodb_io_capacity to the operations a second of a random mix.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log

from assay.base.numbers import plain
from assay.results.advice.capacity import io_capacity
from assay.results.advice.cells import Cell, lowest, median, slowest
from assay.results.verdict import Decision

KEPT_UP = 0.95
"""Share of a rate of pages that must have been flushed for the disk to have sustained it."""
NEARLY_ALL = 0.95
"""Share of the most operations a second that counts as all of them."""
SEEKS_MS = 2.0
"""Milliseconds above which a random read shows that no solid-state disk lies beneath: it waits for an arm or
a network.
"""
SLOW_FSYNC_MS = 5.0
APART = 1.25
"""Two cells that should say one thing, and whose figures are further apart, contradict each other."""
_BACKLOG_S = 100
_LEAST_REDO, _MOST_REDO = 128 << 20, 32 << 30
_DIRECT = "past the page cache (direct)"
_AIO_SLOTS = 256
"""Requests that InnoDB has in flight for each I/O thread with native AIO."""
_COMMITS = ("commit_wait_mean_ms", "sync_mean_ms")
"""Times of a durable append: of the pattern, and of any other load that syncs each write."""


@dataclass(frozen=True)
class Advice:
    """Advice on one setting. `value` None: the measurement does not decide it; the reason then says what
    would. `decision` has what the value rests on, of the cell that `reason` names; `others` are what other
    cells say against it.
    """

    setting: str
    value: str | None
    reason: str
    decision: Decision | None
    others: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.value is None) != (self.decision is None):
            raise ValueError(f"{self.setting}: a value rests on a decision, and no other advice does")

    @property
    def is_firm(self) -> bool:
        """Whether the setting may be made: it has a value of enough independent blocks."""
        return self.decision is not None and self.decision.is_firm


def advise(cells: Sequence[Cell], page: int = 16384) -> Mapping[str, list[Advice]]:
    """Returns advice for each disk, in the order of the cells, for a server with pages of `page` bytes.

    Several cells may answer one question. None is taken for its luck: a promise of latency rests on the
    slowest, a rate on the lowest of the treatments, a kind of disk on the median.
    """
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


@dataclass(frozen=True)
class _Carried:
    """The pages a second that the disk sustains, and how that is known."""

    pages: float
    why: str
    decision: Decision
    others: tuple[str, ...]


def _capacity(cells: Sequence[Cell], page: int) -> Iterator[Advice]:
    found = _carried(cells, page)
    if isinstance(found, str):
        for setting in ("innodb_io_capacity", "innodb_io_capacity_max", "innodb_redo_log_capacity"):
            yield Advice(setting, None, found, None)
        return
    half, most = io_capacity(found.pages)
    rests_on = (found.decision, found.others)
    yield Advice(
        "innodb_io_capacity",
        f"{half}",
        f"half of what the disk carries ({found.why}); the rest is for reads and the log",
        *rests_on,
    )
    yield Advice("innodb_io_capacity_max", f"{most}", f"what the disk carries: {found.why}", *rests_on)
    redo = min(max(most * page * _BACKLOG_S, _LEAST_REDO), _MOST_REDO)
    yield Advice(
        "innodb_redo_log_capacity",
        _power_of_two(redo),
        f"about what {_BACKLOG_S} s of flushing at innodb_io_capacity_max write: a full log is worked off in"
        " minutes; a smaller one forces pages out early, a larger one lengthens recovery",
        *rests_on,
    )


def _carried(cells: Sequence[Cell], page: int) -> _Carried | str:
    """Returns the pages a second that the disk sustains: from the pattern, else from writes alone, else from
    a mix.

    Without such a measurement it returns what would show it; a rate that was kept above one that fell behind
    shows nothing.
    """
    rates = [cell for cell in cells if cell.pattern and cell.kind == "rate"]
    behind = [cell for cell in rates if cell.figure("pages_flushed_per_s") < KEPT_UP * cell.load]
    first = min((cell.load for cell in behind), default=inf)
    if kept := [cell for cell in rates if cell.load < first]:
        most = max(kept, key=lambda cell: cell.load)
        at_most = [cell for cell in kept if cell.load == most.load]
        beyond = "; a higher rate was not tried" if first == inf else ""
        why = f"{most.load:g} pages a second were flushed beside commits and reads{beyond}"
        above = [cell for cell in rates if cell.load >= first and cell not in behind]
        others = tuple(
            f"{cell.place}: {cell.figure('pages_flushed_per_s'):,.0f} pages a second" for cell in above
        )
        decision = lowest(at_most, "pages_flushed_per_s").figures["pages_flushed_per_s"]
        return _Carried(most.load, why, decision, others)
    if rates:
        return f"at {first:g} pages a second flushing fell behind: measure innodb-pattern over lower rates"
    random = [cell for cell in _past_the_cache(cells) if cell.block]
    for what, share in (("random writes", 0.0), ("random reads and writes", None)):
        some = [
            cell for cell in random if (cell.read_share == 0 if share == 0.0 else 0 < cell.read_share < 1)
        ]
        if bests := _best_of_each_treatment(_of_pages(some, page)):
            chosen = lowest(bests, "iops")
            size = f"{chosen.block / 1024:g} KiB"
            fewer = "" if chosen.block >= page else ", counted by their bytes"
            return _Carried(
                chosen.figure("iops") * min(1.0, chosen.block / page),
                f"{chosen.figure('iops'):,.0f} {what} of {size} a second ({chosen.place}){fewer}",
                chosen.figures["iops"],
                _against(chosen, bests, "iops", "a second", ",.0f"),
            )
    return f"measure random writes or a mix in blocks of a page {_DIRECT}, or innodb-pattern over rates"


def _past_the_cache(cells: Sequence[Cell]) -> list[Cell]:
    """Returns cells with random operations that the disk answered, and not the page cache."""
    return [cell for cell in cells if cell.random and cell.direct and not cell.pattern]


def _of_pages(cells: Sequence[Cell], page: int) -> list[Cell]:
    """Returns the cells whose blocks are nearest to a page, as those of the server are."""
    nearest = min((abs(log(cell.block / page)) for cell in cells if cell.block), default=0.0)
    return [cell for cell in cells if cell.block and abs(log(cell.block / page)) == nearest]


def _best_of_each_treatment(cells: Sequence[Cell]) -> list[Cell]:
    """Returns the cell with the most operations a second of each treatment: more in flight carry more, so
    that the ladder of one treatment is there to find it.
    """
    treatments = dict.fromkeys(cell.treatment for cell in cells)
    of = ([cell for cell in cells if cell.treatment == name] for name in treatments)
    return [max(some, key=lambda cell: cell.figure("iops")) for some in of]


def _against(chosen: Cell, cells: Sequence[Cell], measure: str, unit: str, digits: str) -> tuple[str, ...]:
    """Returns what cells say whose figures are far from that of the chosen one."""
    taken = chosen.figure(measure)
    return tuple(
        f"{cell.place}: {cell.figure(measure):{digits}} {unit}"
        for cell in cells
        if cell is not chosen
        and max(cell.figure(measure), taken) > APART * max(min(cell.figure(measure), taken), 1e-12)
    )


def _neighbors(cells: Sequence[Cell]) -> Advice:
    setting = "innodb_flush_neighbors"
    single = [cell for cell in _past_the_cache(cells) if (cell.read_share, cell.in_flight) == (1, 1)]
    if not single:
        needs = f"measure random reads one at a time: one worker, a depth of 1, {_DIRECT}"
        return Advice(setting, None, needs, None)
    chosen = median(single, "mean_ms")
    took = chosen.figure("mean_ms")
    rests_on = (chosen.figures["mean_ms"], _against(chosen, single, "mean_ms", "ms", ".3g"))
    if took < SEEKS_MS:
        reason = f"a random read takes {plain(took, 3)} ms: adjacent pages are no cheaper"
        return Advice(setting, "0", reason, *rests_on)
    return Advice(
        setting, "1", f"a random read takes {plain(took, 3)} ms: pages side by side save seeks", *rests_on
    )


def _threads(cells: Sequence[Cell], page: int) -> Iterator[Advice]:
    for setting, share, what in (
        ("innodb_read_io_threads", 1.0, "reads"),
        ("innodb_write_io_threads", 0.0, "writes"),
    ):
        some = [cell for cell in _past_the_cache(cells) if cell.read_share == share]
        ladder = _ladder(_of_pages(some, page))
        if not ladder:
            needs = f"measure random {what} over a ladder of depths or threads, {_DIRECT}"
            yield Advice(setting, None, needs, None)
            continue
        most = max(cell.figure("iops") for cell in ladder)
        enough = min(
            (cell for cell in ladder if cell.figure("iops") >= NEARLY_ALL * most),
            key=lambda cell: cell.in_flight,
        )
        threads = min(max(-(-enough.in_flight // _AIO_SLOTS), 4), 64)
        yield Advice(
            setting,
            f"{threads}",
            f"the disk gives nearly all of its {most:,.0f} random {what} a second with {enough.in_flight} in"
            f" flight ({ladder[0].treatment});"
            f" with native AIO {threads} threads hold up to {threads * _AIO_SLOTS}; without it a thread holds"
            f" one: then {min(enough.in_flight, 64)}",
            enough.figures["iops"],
        )


def _ladder(cells: Sequence[Cell]) -> list[Cell]:
    """Returns the rungs of a treatment with several depths, of several treatments that with the lowest
    throughput; empty without one.
    """
    treatments = dict.fromkeys(cell.treatment for cell in cells)
    of = [[cell for cell in cells if cell.treatment == name] for name in treatments]
    ladders = [some for some in of if len({cell.in_flight for cell in some}) > 1]
    return min(ladders, key=lambda some: max(cell.figure("iops") for cell in some), default=[])


def _commit(cells: Sequence[Cell]) -> Advice:
    setting = "innodb_flush_log_at_trx_commit"
    durable = [cell for cell in cells if _durable(cell)]
    for measure in _COMMITS:
        if flushed := [cell for cell in durable if measure in cell.figures]:
            break
    else:
        return Advice(setting, None, "measure appends with an fsync after each, or run innodb-pattern", None)
    chosen = slowest(flushed, measure)
    took = chosen.figure(measure)
    cost = (
        "expensive: group commit (many sessions) or a battery-backed write cache helps; 2 risks the"
        " last second"
        if took > SLOW_FSYNC_MS
        else "cheap enough to keep every commit"
    )
    others = _against(chosen, flushed, measure, "ms", ".3g")
    appends = _appends(chosen)
    each = "" if appends is None else f"{appends:,.0f} a second, each for a group of commits; "
    slow = " at worst" if others else ""
    return Advice(
        setting,
        "1",
        f"a durable append takes {plain(took, 3)} ms{slow} ({each}{chosen.place}): {cost}",
        chosen.figures[measure],
        others,
    )


def _durable(cell: Cell) -> bool:
    """Returns whether a cell's load is appends with an fsync each; a commit flushed by itself is the only
    kind with this measure.
    """
    if cell.pattern:
        return "commit_flush_p99_ms" in cell.figures
    return cell.synced and not cell.random


def _appends(cell: Cell) -> float | None:
    names = [name for name in ("commits_per_s", "syncs_per_s") if name in cell.figures]
    return cell.figure(names[0]) if names else None


def _method(cells: Sequence[Cell]) -> Advice:
    setting = "innodb_flush_method"
    direct = [cell for cell in cells if cell.direct and cell.figures]
    if not direct:
        return Advice(setting, None, f"measure {_DIRECT}", None)
    least = min(direct, key=lambda cell: min(min(one.blocks) for one in cell.figures.values()))
    decision = min(least.figures.values(), key=lambda one: min(one.blocks))
    reason = "the file system has it, and the figures are those past its cache"
    return Advice(setting, "O_DIRECT", reason, decision)


def _power_of_two(size: float) -> str:
    """Returns the largest power of two not above a size, as a server reads it: `512M`, `4G`."""
    power = 1 << (int(size).bit_length() - 1)
    return f"{power >> 30}G" if power >= 1 << 30 else f"{power >> 20}M"
