"""The section on files on this disk: the engine, fio and sysbench fileio."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks import disks
from benchmarks.disks import DiskLoad
from benchmarks.rounds import Cell, Contestant
from benchmarks.rows import Row, Samples, row
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_least, at_most

_IOPS = at_least(0.97)
_COST = at_most(1.0)
_RING = "4k randread, io_uring, depth 32"
_RING_IOPS = at_least(1.0)
_RING_COST = at_most(0.9)
_LITTLE = at_most(0.02)

_LOADS = (
    DiskLoad("4k randread, libaio, depth 32", "randread", 4096, "libaio", depth=32, mode="rndrd"),
    DiskLoad(_RING, "randread", 4096, "io_uring", depth=32),
    DiskLoad(
        "4k randread, io_uring registered, depth 32", "randread", 4096, "io_uring", depth=32, registered=True
    ),
    DiskLoad("4k randread, psync, depth 1", "randread", 4096, "psync", mode="rndrd"),
    DiskLoad("16k randread, psync, 16 threads", "randread", 16384, "psync", workers=16, mode="rndrd"),
    DiskLoad("1M sequential read, libaio, depth 32", "read", 1 << 20, "libaio", depth=32, mode="seqrd"),
    DiskLoad("4k randwrite, psync, fsync each", "randwrite", 4096, "psync", fsync=1, mode="rndwr"),
    DiskLoad("4k randread, mmap, in memory", "randread", 4096, "mmap", mode="rndrd"),
    DiskLoad("4k randread, null, depth 32", "randread", 4096, "null", depth=32),
)


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns the cells, which need no server."""
    seconds = settings.seconds
    return [
        Cell(load.title, _contestants(load, seconds), (seconds + 1) * (3 if load.mode else 2))
        for load in _LOADS
    ]


def _contestants(load: DiskLoad, seconds: int) -> dict[str, Contestant]:
    found: dict[str, Contestant] = {
        "ours": partial(disks.ours, load, seconds),
        "fio": partial(disks.fio, load, seconds),
    }
    if load.mode:
        found["sysbench"] = partial(disks.sysbench, load, seconds)
    return found


def rows(samples: Sequence[Samples]) -> list[Row]:
    """Returns rate, both costs and Little's law of every cell."""
    by_cell = {sample.cell: sample for sample in samples}
    found = []
    for load in _LOADS:
        if (sample := by_cell.get(load.title)) is None:
            continue
        ring = load.title == _RING
        rates = {"fio": _RING_IOPS if ring else _IOPS, **({"sysbench": _IOPS} if load.mode else {})}
        cost = _RING_COST if ring else _COST
        costs = {"fio": cost, **({"sysbench": None} if load.mode else {})}
        found += [
            row(sample, "qps", "IOPS", rates),
            row(sample, "cpu_us_per_query", "CPU us/IO, workers", {"fio": cost}),
            row(sample, "process_us_per_query", "CPU us/IO, process", costs),
            row(sample, "little_gap", "Little's law", {}, absolute=_LITTLE, unit="off"),
        ]
    return found


SECTION = Section(
    name="storage",
    title="Storage: files on this disk",
    note="One file of 1 GiB, the same for all, past the page cache (O_DIRECT); of mmap it is all in memory. "
    "Ours and fio have 200 ms of load before the window, and touch every block once before any again. CPU of "
    "the workers is that of the threads that do the I/O, as ours and fio say it of their window; of the "
    "process, all that it used from its start to its end, over the operations of its window. Little's law: "
    "how far rate times mean time is from the depth that was counted beside it. The null device does no I/O: "
    "what is left is the generator.",
    cells=cells,
    rows=rows,
    # A disk that others use swings by a third from second to second, one thread's rate with its processor.
    rounds=lambda pairs: 3 * pairs,
    peer=disks.versions,
)
