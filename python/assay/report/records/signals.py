"""Which sampled signals stand under the load on the time line.

A new one is a row here and a phrase in words/.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    """One line of a panel: a rate (of a counter) or a level (of a gauge) of `source`, times `scale`.

    The names are those of the samplers, without `_total`. Of `names` the first that was sampled is taken,
    so that
    flavours that call one thing differently share a panel; `plus` are added to it. `ending` instead sums all
    names that end so: one a device. `per`: divided by the sum of the names that end so, as a time by the
    operations that took it.
    """

    key: str  # phrase: signal.<key>
    source: str
    names: tuple[str, ...] = ()
    plus: tuple[str, ...] = ()
    ending: str = ""
    per: str = ""
    scale: float = 1.0


@dataclass(frozen=True)
class Panel:
    """One row of small charts. `stacked`: the series are parts of a whole; `silent`: not drawn when nothing
    but zero was seen."""

    key: str  # phrase: panel.<key>
    unit: str
    series: tuple[Series, ...]
    stacked: bool = False
    silent: bool = False


CORES = 1e-6  # µs of CPU per second -> cores
MIB = 1 / (1 << 20)

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
    Panel("dirty", "pages", (Series("dirty", "status", ("Innodb_buffer_pool_pages_dirty",)),)),
    Panel(
        "checkpoint",
        "MiB",
        (Series("checkpoint", "status", ("Innodb_checkpoint_age", "log_lsn_checkpoint_age"), scale=MIB),),
    ),
    Panel("disk", "MiB/s", (Series("disk", "disks", ending=".write_bytes", scale=MIB),)),
    Panel("disk_queue", "requests", (Series("disk_queue", "disks", ending=".queue_time_us", scale=1e-6),)),
    Panel(
        "disk_wait",
        "ms",
        (Series("disk_wait", "disks", ending=".write_time_us", per=".writes", scale=1e-3),),
    ),
    Panel("flushes", "1/s", (Series("flushes", "disks", ending=".flushes"),), silent=True),
    Panel("io_pressure", "%", (Series("io_pressure", "pressure", ("io.some_us",), scale=1e-4),), silent=True),
    Panel("network", "MiB/s", (Series("network", "network", ending=".sent_bytes", scale=MIB),), silent=True),
    Panel("switches", "1/s", (Series("switches", "cpu", ("context_switches",)),)),
    Panel("frequency", "MHz", (Series("frequency", "frequency", ("mean_mhz",)),)),
    Panel("canary", "us", (Series("canary", "canary", ("cpu_us",)),)),
)
