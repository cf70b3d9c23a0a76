"""The list of sampled signals that the time line shows under the load.

A new one is a row here and a phrase in words/.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    """One line of a panel: a rate (of a counter) or a level (of a gauge) of `source`, times `scale`.

    The names are those of the samplers, without `_total`. Of `names` the first that was sampled is taken, so
    that flavours that call one thing differently share a panel; `plus` are added to it. `ending` instead
    takes all names with this ending, one for each device: their sum, with `most` the highest of them, with
    `each` a line for every device where several are at work. `per`: divided by the names with that ending, as
    a time by the operations that took it.
    """

    key: str  # phrase: signal.<key>
    source: str
    names: tuple[str, ...] = ()
    plus: tuple[str, ...] = ()
    ending: str = ""
    per: str = ""
    scale: float = 1.0
    each: bool = False
    most: bool = False


@dataclass(frozen=True)
class Panel:
    """One row of small charts. `stacked`: the series are parts of a whole; `silent`: not drawn when only
    zeros were seen; `detail`: in the folded chart of the machine, not in the first one.
    """

    key: str  # phrase: panel.<key>
    unit: str
    series: tuple[Series, ...]
    stacked: bool = False
    silent: bool = False
    detail: bool = False


CORES = 1e-6  # µs of CPU per second -> cores
MIB = 1 / (1 << 20)
GIB = 1 / (1 << 30)


def _disk(key: str, ending: str, per: str = "", scale: float = 1.0) -> tuple[Series, ...]:
    return (Series(key, "disks", ending=ending, per=per, scale=scale, each=True),)


PANELS: tuple[Panel, ...] = (
    Panel(
        "cpu",
        "cores",
        (
            Series("user", "cpu", ("user_us",), ("nice_us",), scale=CORES),
            Series("system", "cpu", ("system_us",), ("irq_us", "softirq_us"), scale=CORES),
            Series("iowait", "cpu", ("iowait_us",), scale=CORES),
            Series("steal", "cpu", ("steal_us",), scale=CORES),
        ),
        stacked=True,
    ),
    Panel(
        "processes",
        "cores",
        (
            Series("server", "processes", ("server.user_us",), ("server.system_us",), scale=CORES),
            Series("generator", "processes", ("engine.user_us",), ("engine.system_us",), scale=CORES),
        ),
    ),
    Panel("dirty", "pages", (Series("dirty", "status", ("Innodb_buffer_pool_pages_dirty",)),)),
    Panel(
        "checkpoint",
        "MiB",
        (Series("checkpoint", "status", ("Innodb_checkpoint_age", "log_lsn_checkpoint_age"), scale=MIB),),
    ),
    Panel("disk_reads", "MiB/s", _disk("disk_reads", ".read_bytes", scale=MIB), silent=True),
    Panel("disk", "MiB/s", _disk("disk", ".write_bytes", scale=MIB)),
    Panel("disk_read_wait", "ms", _disk("disk_read_wait", ".read_time_us", ".reads", 1e-3), silent=True),
    Panel("disk_wait", "ms", _disk("disk_wait", ".write_time_us", ".writes", 1e-3)),
    Panel("flushes", "1/s", _disk("flushes", ".flushes"), silent=True),
    Panel(
        "run_queue",
        "threads",
        (Series("running", "cpu", ("procs_running",)), Series("blocked", "cpu", ("procs_blocked",))),
        detail=True,
    ),
    Panel(
        "busiest_core",
        "%",
        (Series("busiest_core", "cores", ending=".busy_us", scale=1e-4, most=True),),
        detail=True,
    ),
    Panel("switches", "1/s", (Series("switches", "cpu", ("context_switches",)),), detail=True),
    Panel("interrupts", "1/s", (Series("interrupts", "cpu", ("interrupts",)),), detail=True),
    Panel(
        "disk_iops",
        "1/s",
        (Series("reads", "disks", ending=".reads"), Series("writes", "disks", ending=".writes")),
        detail=True,
    ),
    Panel("disk_queue", "requests", _disk("disk_queue", ".queue_time_us", scale=1e-6), detail=True),
    Panel("disk_busy", "%", _disk("disk_busy", ".busy_us", scale=1e-4), detail=True),
    Panel(
        "pressure",
        "%",
        (
            Series("cpu_pressure", "pressure", ("cpu.some_us",), scale=1e-4),
            Series("io_pressure", "pressure", ("io.some_us",), scale=1e-4),
            Series("memory_pressure", "pressure", ("memory.some_us",), scale=1e-4),
        ),
        silent=True,
        detail=True,
    ),
    Panel(
        "memory",
        "GiB",
        (
            Series("server", "processes", ("server.rss_bytes",), scale=GIB),
            Series("available", "memory", ("available_bytes",), scale=GIB),
        ),
        detail=True,
    ),
    Panel(
        "major_faults",
        "1/s",
        (Series("major_faults", "memory", ("major_faults",)),),
        silent=True,
        detail=True,
    ),
    Panel(
        "swap",
        "1/s",
        (Series("swap", "memory", ("swap_in_pages",), ("swap_out_pages",)),),
        silent=True,
        detail=True,
    ),
    Panel(
        "network",
        "MiB/s",
        (
            Series("sent", "network", ending=".sent_bytes", scale=MIB),
            Series("received", "network", ending=".received_bytes", scale=MIB),
        ),
        silent=True,
        detail=True,
    ),
    Panel(
        "retransmits",
        "1/s",
        (Series("retransmits", "network", ("tcp.retransmitted_segments",)),),
        silent=True,
        detail=True,
    ),
    Panel("frequency", "MHz", (Series("frequency", "frequency", ("mean_mhz",)),), detail=True),
    Panel("canary", "us", (Series("canary", "canary", ("cpu_us",)),), detail=True),
)
