"""sysbench's tests without files and without SQL: their options, their jobs, their own lines of text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import click

from assay.base.argument_types import WholeNumber
from assay.front.compat.sysbench.command import heading_of
from assay.front.compat.sysbench.options import Size, choice, option, switch
from assay.front.compat.sysbench.own_name import refuse, say_log
from assay.front.terminal import say

if TYPE_CHECKING:
    from assay.base.format.job import MachineLoad, MemoryAccess
    from assay.front.compat.sysbench.text import IntervalFigures
    from assay.front.compat.sysbench.totals import Totals

Values = dict[str, Any]
"""Values of a test's own options, by the name of their parameter."""

_MIB = 2**20
_WORD = 8


class MachineTest(ABC):
    """One of the tests. It has no lines of its own about settings and intervals, unless it writes them."""

    name: str
    summary: str
    example: str
    takes_events = True
    """Whether `--events` ends the test."""

    @abstractmethod
    def options(self) -> list[click.Option]:
        """Returns the test's own options, made anew for each command."""

    @abstractmethod
    def load(self, values: Values) -> MachineLoad:
        """Returns the load for the engine."""

    def settings(self, values: Values) -> str:
        """Returns the lines about the test's own options before the load."""
        return ""

    def own_line(self, values: Values, figures: IntervalFigures) -> str:
        """Returns the test's own line about an interval; empty where it has that of every test."""
        return ""

    def report(self, values: Values, totals: Totals) -> str:
        """Returns the test's own part of the statistics."""
        return "\n"


class Cpu(MachineTest):
    """Processors."""

    name = "cpu"
    summary = "Processors: an event counts the primes below a limit by trial division."
    example = "cpu run --cpu-max-prime=20000 --threads=2 --time=5"

    def options(self) -> list[click.Option]:
        """Returns the limit of primes."""
        return [
            option(
                "cpu-max-prime", WholeNumber(3, 2**32), 10_000, "Limit of the primes that an event counts."
            )
        ]

    def load(self, values: Values) -> MachineLoad:
        """Returns the load for the engine."""
        from assay.base.format.job import CpuMachineLoad

        return CpuMachineLoad(max_prime=values["cpu_max_prime"])

    def settings(self, values: Values) -> str:
        """Returns the limit of primes."""
        return f"Prime numbers limit: {values['cpu_max_prime']}\n\n"

    def report(self, values: Values, totals: Totals) -> str:
        """Returns events a second."""
        return f"CPU speed:\n    events per second: {_per_s(totals.events, totals.seconds):8.2f}\n\n"


class _BlockSize(Size):
    """A size that is a whole number of words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Returns bytes; sysbench's words for a size that is none."""
        try:
            size = super().convert(value, param, ctx)
        except click.BadParameter:
            size = 0
        if size <= 0 or size % _WORD:
            say(heading_of([] if ctx is None else ctx.meta.get("argv", [])), newline=False)
            say_log(f"FATAL: Invalid value for memory-block-size: {value}\n")
            refuse("", f"expected a size such as 4k, 1m or 2g, a multiple of {_WORD}")
        return size


class Memory(MachineTest):
    """Memory."""

    name = "memory"
    takes_events = False  # its total size does
    summary = "Memory: an event reads or writes one block, a word of 64 bits after the other."
    example = "memory run --memory-block-size=1M --memory-oper=read --threads=2 --time=5"

    def options(self) -> list[click.Option]:
        """Returns sizes, scope, operation and order."""
        return [
            option(
                "memory-block-size", _BlockSize(), "1K", "Bytes of the block that an event reads or writes."
            ),
            option("memory-total-size", Size(), "100G", "Stop after this size of all blocks; 0: no limit."),
            choice("memory-scope", ["global", "local"], "global", "One block, or one for each thread."),
            switch("memory-hugetlb", False, "Put blocks in huge pages."),
            choice("memory-oper", ["read", "write", "none"], "write", "What an event does with words."),
            choice("memory-access-mode", ["seq", "rnd"], "seq", "Words in order, or at random."),
        ]

    def load(self, values: Values) -> MachineLoad:
        """Returns the load for the engine."""
        from assay.base.format.job import MemoryMachineLoad

        orders: dict[str, MemoryAccess] = {"seq": "sequential", "rnd": "random"}
        return MemoryMachineLoad(
            block_bytes=values["memory_block_size"],
            total_bytes=values["memory_total_size"],
            scope=values["memory_scope"],
            operation=values["memory_oper"],
            access=orders[values["memory_access_mode"]],
            huge_pages=values["memory_hugetlb"],
        )

    def settings(self, values: Values) -> str:
        """Returns sizes, operation and scope."""
        from assay.front.compat.sysbench.text import size_text

        return (
            "Running memory speed test with the following options:\n"
            f"  block size: {size_text(values['memory_block_size'])}\n"
            f"  total size: {values['memory_total_size'] // _MIB}MiB\n"
            f"  operation: {values['memory_oper']}\n"
            f"  scope: {values['memory_scope']}\n\n"
        )

    def own_line(self, values: Values, figures: IntervalFigures) -> str:
        """Returns the bandwidth of an interval."""
        from assay.front.compat.sysbench.text import stamp

        moved = figures.events * values["memory_block_size"] / _MIB
        return f"{stamp(figures.at_s)} {_per_s(moved, figures.seconds):4.2f} MiB/sec\n"

    def report(self, values: Values, totals: Totals) -> str:
        """Returns blocks and bytes, and their rates."""
        rate = _per_s(totals.events, totals.seconds)
        text = f"Total operations: {totals.events} ({rate:8.2f} per second)\n\n"
        if values["memory_oper"] != "none":
            moved = totals.events * values["memory_block_size"] / _MIB
            text += f"{moved:4.2f} MiB transferred ({_per_s(moved, totals.seconds):4.2f} MiB/sec)\n\n"
        return f"{text}\n"


class Threads(MachineTest):
    """The scheduler."""

    name = "threads"
    summary = "The scheduler: an event holds a lock and lets other threads run, again and again."
    example = "threads run --threads=64 --thread-yields=100 --time=5"

    def options(self) -> list[click.Option]:
        """Returns numbers of yields and locks."""
        return [
            option("thread-yields", WholeNumber(0, 2**63 - 1), 1000, "How often an event lets others run."),
            option("thread-locks", WholeNumber(1, 2**20), 8, "Number of locks; events take them in turn."),
        ]

    def load(self, values: Values) -> MachineLoad:
        """Returns the load for the engine."""
        from assay.base.format.job import ThreadsMachineLoad

        return ThreadsMachineLoad(yields=values["thread_yields"], locks=values["thread_locks"])


class Mutex(MachineTest):
    """Mutexes."""

    name = "mutex"
    summary = "Mutexes: each thread takes random ones of an array, and ends."
    example = "mutex run --threads=8 --mutex-locks=10000"

    def options(self) -> list[click.Option]:
        """Returns numbers of mutexes, locks and loops."""
        return [
            option("mutex-num", WholeNumber(1, 2**24), 4096, "Number of mutexes in the array."),
            option(
                "mutex-locks", WholeNumber(1, 2**63 - 1), 50_000, "Mutexes that a thread takes, one by one."
            ),
            option("mutex-loops", WholeNumber(0, 2**63 - 1), 10_000, "Turns of an empty loop before each."),
        ]

    def load(self, values: Values) -> MachineLoad:
        """Returns the load for the engine."""
        from assay.base.format.job import MutexMachineLoad

        return MutexMachineLoad(
            mutexes=values["mutex_num"], locks=values["mutex_locks"], loops=values["mutex_loops"]
        )


_TESTS: tuple[MachineTest, ...] = (Cpu(), Memory(), Threads(), Mutex())
MACHINE_TESTS = {test.name: test for test in _TESTS}
"""The tests by name."""


def _per_s(count: float, seconds: float) -> float:
    return count / seconds if seconds > 0 else 0.0
