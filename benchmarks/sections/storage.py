"""The section on files on this disk: the engine, fio and sysbench fileio."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks import disks
from benchmarks.disks import DiskLoad
from benchmarks.rounds import Cell, Contestant
from benchmarks.rows import Line
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import Target, at_least, at_most

_IOPS, _COST = at_least(0.97), at_most(1.0)
_LITTLE = at_most(0.02)
_RING = DiskLoad("4k randread, io_uring, depth 32", "randread", 4096, "io_uring", depth=32)
_LOADS = (
    DiskLoad("4k randread, libaio, depth 32", "randread", 4096, "libaio", depth=32, mode="rndrd"),
    _RING,
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
    return [
        Cell(load.title, contestants, (settings.seconds + 1) * len(contestants))
        for load in _LOADS
        for contestants in (_contestants(load, settings.seconds),)
    ]


def _contestants(load: DiskLoad, seconds: int) -> dict[str, Contestant]:
    ways = {"ours": disks.ours, "fio": disks.fio, **({"sysbench": disks.sysbench} if load.mode else {})}
    return {name: partial(way, load, seconds) for name, way in ways.items()}


def _lines(load: DiskLoad, rate: Target, cost: Target) -> Sequence[Line]:
    """Returns rate, both costs and Little's law of a cell."""
    also = bool(load.mode)
    return (
        Line(load.title, "qps", "IOPS", {"fio": rate, **({"sysbench": rate} if also else {})}),
        Line(load.title, "cpu_us_per_query", "CPU us/IO, workers", {"fio": cost}),
        Line(
            load.title,
            "process_us_per_query",
            "CPU us/IO, process",
            {"fio": cost, **({"sysbench": None} if also else {})},
        ),
        Line(load.title, "little_gap", "Little's law", {}, _LITTLE, "off"),
    )


_LINES = [
    line
    for load in _LOADS
    for line in _lines(load, *((at_least(1.0), at_most(0.9)) if load is _RING else (_IOPS, _COST)))
]


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
    lines=_LINES,
    # A disk that others use swings by a third from second to second, one thread's rate with its processor.
    rounds=lambda pairs: 3 * pairs,
    peer=disks.versions,
)
