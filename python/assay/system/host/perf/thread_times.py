"""Divides the time of a server's threads by what they did: on a processor, ready to run, and in which waits.

A thread that leaves its processor although it could go on waits for a processor until it is back. One that
leaves by itself waits for something; after that it may have to wait for a processor too, which the kernel
counts (`run_delay` of schedstat) and which is taken off its waits.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assay.design.folder import SwitchProfile, ThreadTimes, WaitStack
from assay.system.host.control_groups import Throttling
from assay.system.host.perf.switch_records import (
    FrameNames,
    Leaving,
    Lost,
    Record,
    SwitchedIn,
    SwitchedOut,
)

_SERVES = re.compile(
    r"^(do_handle_one_connection|handle_one_connection|handle_connection|do_command|dispatch_command"
    r"|threadpool_process_request|tp_callback|process_event|mysql_execute_command|mysql_parse"
    r"|dispatch_sql_command|handle_select|mysql_(select|insert|update|delete))$"
)
"""Functions of threads that carry out statements, in MySQL and in MariaDB."""
_NOWHERE = -1


@dataclass
class _Thread:
    """One thread: since when it is on or off a processor, and what is known of it so far."""

    on_ns: int | None = None
    off_ns: int | None = None
    preempted: bool = False
    stack: int = _NOWHERE
    on_cpu_ns: int = 0
    preempted_ns: int = 0
    unseen_ns: int = 0
    head_ns: int = 0  # of it what lies before the first switch
    waits: list[tuple[int, int]] = field(default_factory=list)  # stack, nanoseconds
    stacks: set[int] = field(default_factory=set)

    def take(self, record: SwitchedIn | Leaving | SwitchedOut, begin_ns: int) -> None:
        if self.on_ns is None and self.off_ns is None:  # the first record of the thread
            if isinstance(record, SwitchedIn):
                self.unseen_ns += record.ns - begin_ns
                self.head_ns = record.ns - begin_ns
            else:
                self.on_ns = begin_ns
        match record:
            case SwitchedIn(ns=ns):
                if self.off_ns is not None:
                    self._was_off(ns)
                elif self.on_ns is not None:  # its leaving is lost
                    self.unseen_ns += ns - self.on_ns
                self.on_ns, self.off_ns = ns, None
            case Leaving(ns=ns, stack=stack):
                self._is_on(ns)
                self.stack = stack
                self.stacks.add(stack)
            case SwitchedOut(ns=ns, preempted=preempted):
                self._is_on(ns)
                assert self.on_ns is not None
                self.on_cpu_ns += ns - self.on_ns
                self.on_ns, self.off_ns, self.preempted = None, ns, preempted

    def end(self, ns: int) -> None:
        if self.on_ns is not None:
            self.on_cpu_ns += max(0, ns - self.on_ns)
        elif self.off_ns is not None and ns > self.off_ns:
            self._was_off(ns)

    def name_head(self, stack: int) -> None:
        """Makes a wait of the time before the first switch."""
        self.waits.append((stack, self.head_ns))
        self.unseen_ns -= self.head_ns
        self.head_ns = 0

    def _is_on(self, ns: int) -> None:
        if self.on_ns is None:  # its return is lost
            self.unseen_ns += 0 if self.off_ns is None else ns - self.off_ns
            self.on_ns, self.off_ns = ns, None

    def _was_off(self, ns: int) -> None:
        assert self.off_ns is not None
        took = ns - self.off_ns
        if self.preempted:
            self.preempted_ns += took
        else:
            self.waits.append((self.stack, took))
        self.stack = _NOWHERE


@dataclass(frozen=True)
class Recorded:
    """What was recorded of a server: all its context switches, and the call stacks of one in `every`.

    `delays` are the nanoseconds that each thread waited for a processor, None where the kernel does not say;
    `load` the threads of the load's connections, empty where the server does not say, each with what the
    server says that it waits for when the recording begins: that is the wait before its first switch.
    """

    records: Iterable[Record]
    names: FrameNames
    begin_ns: int
    end_ns: int
    every: int = 1
    delays: Mapping[int, int] | None = None
    load: Mapping[int, str] = field(default_factory=dict)


def switch_profile(recorded: Recorded, *, flavour: str, quota: Throttling | None = None) -> SwitchProfile:
    """Returns the times of all threads, and their waits by call stack."""
    begin, end = recorded.begin_ns, recorded.end_ns
    threads: dict[int, _Thread] = defaultdict(_Thread)
    lost = switches = 0
    for record in recorded.records:
        if isinstance(record, Lost):
            lost += record.count
            continue
        if record.ns < begin:
            continue
        end = max(end, record.ns)
        threads[record.tid].take(record, begin)
        switches += isinstance(record, SwitchedOut)
    for thread in threads.values():
        thread.end(end)
    names = recorded.names
    listed = bool(recorded.load)
    serving = {
        number
        for number, stack in enumerate(names.stacks)
        if any(_SERVES.match(names.names[place]) for place in stack)
    }
    load = set(recorded.load) or {tid for tid, one in threads.items() if one.stacks & serving}
    for tid in load:
        threads.setdefault(tid, _Thread(unseen_ns=end - begin, head_ns=end - begin))
    for tid, said in recorded.load.items():
        if said and threads[tid].head_ns:
            threads[tid].name_head(names.said(said))
    waits: dict[tuple[bool, int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    sides = {True: _Sum(), False: _Sum()}
    for tid, thread in threads.items():
        of_load = tid in load
        woken = _woken(thread, None if recorded.delays is None else recorded.delays.get(tid))
        sides[of_load].add(thread, sum(woken))
        for (stack, took), late in zip(thread.waits, woken, strict=True):
            kept = waits[of_load, stack, len(str(took))]
            kept[0] += 1
            kept[1] += took - late
            kept[2] += late
    return SwitchProfile(
        flavour=flavour,
        window_ns=end - begin,
        names=names.names,
        stacks=[
            WaitStack(of_load, _frames(names, stack), decade, count, ns, late)
            for (of_load, stack, decade), (count, ns, late) in sorted(
                waits.items(), key=lambda one: -one[1][1]
            )
        ],
        load=sides[True].times(),
        others=sides[False].times(),
        listed=listed,
        delays=recorded.delays is not None,
        every=recorded.every,
        switches=switches,
        lost=lost,
        throttled=None if quota is None else quota.periods,
        throttled_ns=None if quota is None else quota.ns,
    )


def _woken(thread: _Thread, delayed: int | None) -> list[int]:
    """Returns how much of each wait of a thread was a wait for a processor, after the end of its cause.

    The kernel counts all of a thread's waits for processors. What is not explained by being preempted is
    taken off its other waits in equal parts, as far as they are long enough.
    """
    left = max(0, (delayed or 0) - thread.preempted_ns)
    taken = [0] * len(thread.waits)
    open_ = sorted(range(len(taken)), key=lambda number: thread.waits[number][1])
    for place, number in enumerate(open_):
        taken[number] = min(thread.waits[number][1], left // (len(open_) - place))
        left -= taken[number]
    return taken


def _frames(names: FrameNames, stack: int) -> list[int]:
    return [] if stack == _NOWHERE else list(names.stacks[stack])


@dataclass
class _Sum:
    threads: int = 0
    on_cpu_ns: int = 0
    preempted_ns: int = 0
    woken_ns: int = 0
    unseen_ns: int = 0

    def add(self, one: _Thread, woken_ns: int) -> None:
        self.threads += 1
        self.on_cpu_ns += one.on_cpu_ns
        self.preempted_ns += one.preempted_ns
        self.woken_ns += woken_ns
        self.unseen_ns += one.unseen_ns

    def times(self) -> ThreadTimes:
        return ThreadTimes(
            threads=self.threads,
            on_cpu_ns=self.on_cpu_ns,
            preempted_ns=self.preempted_ns,
            woken_ns=self.woken_ns,
            unseen_ns=self.unseen_ns,
        )
