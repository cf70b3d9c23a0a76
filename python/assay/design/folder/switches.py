"""Types of what watching a server's waits leaves beside a profile window: switch records, schedules of
threads, and the waits that the server counts itself.
"""

from __future__ import annotations

import msgspec

from assay.design.folder.manifest import Count


class ThreadTimes(msgspec.Struct, frozen=True, kw_only=True):
    """The time of several threads in a window, in nanoseconds; with that of their waits it is their number
    times the window.

    `woken_ns`: they could run after a wait, but no processor was free. `preempted_ns`: another thread took
    their processor. `unseen_ns`: no record tells what they did.
    """

    threads: Count = 0
    on_cpu_ns: Count = 0
    preempted_ns: Count = 0
    woken_ns: Count = 0
    unseen_ns: Count = 0


class WaitStack(msgspec.Struct, frozen=True, array_like=True):
    """Waits that began in one call stack, and lasted a time of the same decade.

    `frames` are places in `names`, the leaf first; empty for the waits whose stack was not taken. `decade` is
    the number of digits of a wait's nanoseconds. `late_ns`: after these waits the threads could run, but no
    processor was free.
    """

    of_load: bool
    frames: list[Count]
    decade: int
    count: Count
    ns: Count
    late_ns: Count = 0


class SwitchProfile(msgspec.Struct, frozen=True, kw_only=True):
    """`profile/switches.json.gz`: where a server's threads waited, from every context switch in a window.

    `load` are the threads of the load's connections, `others` all others of the server. `listed`: the server
    said which they are; otherwise they are those in whose stacks statements are carried out. `delays`: the
    kernel says how long threads waited for a processor; otherwise that time after a wait is in the wait.
    `every`: one in so many switches has its stack taken. `lost`: records that the kernel dropped.
    `throttled`: periods in which the quota of the server's cgroup was used up, and `throttled_ns` how long
    its threads were kept from processors for that, a sum over processors; None where that is not known.
    `purge_lags`: InnoDB holds statements back since purge lags; None where the server does not say.
    """

    flavour: str
    window_ns: Count
    names: list[str]
    stacks: list[WaitStack]
    load: ThreadTimes
    others: ThreadTimes
    listed: bool
    delays: bool
    every: Count = 1
    switches: Count = 0
    lost: Count = 0
    throttled: Count | None = None
    throttled_ns: Count | None = None
    purge_lags: bool | None = None


class ScheduledThreads(msgspec.Struct, frozen=True, kw_only=True):
    """`profile/schedstat.json.gz`: processor time and waits for a processor of the load's threads, in
    nanoseconds, over a window.
    """

    window_ns: Count
    threads: Count
    on_cpu_ns: Count
    delayed_ns: Count


class CountedWait(msgspec.Struct, frozen=True, array_like=True):
    """The growth of an event's count and time, as the server counts it; `ns` None: it has no time."""

    name: str
    count: float
    ns: float | None = None


class CountedStatement(msgspec.Struct, frozen=True, kw_only=True):
    """The growth of what a server counts for statements of one form; `text` has `?` for values. A figure that
    its version does not count is None.
    """

    text: str
    count: float
    ns: float
    rows_examined: float | None = None
    rows_sent: float | None = None
    errors: float | None = None
    cpu_ns: float | None = None


class CountedWaits(msgspec.Struct, frozen=True, kw_only=True):
    """`profile/waits.json.gz`: what performance_schema and INNODB_METRICS counted over a window.

    `waits` and `stages` are those of connections alone, `metrics` InnoDB's counters of the whole server.
    `timed` are the events that the server counted and timed, whether they grew or not; None in results of
    earlier releases, which do not say.
    """

    window_ns: Count
    waits: list[CountedWait] = []
    stages: list[CountedWait] = []
    statements: list[CountedStatement] = []
    metrics: list[CountedWait] = []
    timed: list[str] | None = None
