"""The general options of sysbench, which every test has, with or without SQL."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import click

from assay.base.argument_types import MOST_CONNECTIONS, MOST_PER_SECOND, Number, Seconds, WholeNumber
from assay.base.errors import InputError
from assay.front.compat.sysbench.options import (
    BARE_SHUTDOWN,
    Checkpoints,
    ForcedShutdown,
    Shutdown,
    Size,
    option,
    switch,
)
from assay.front.compat.sysbench.text import NOTICE

_LEAST_INTERVAL_S = 0.01
_NEVER = ForcedShutdown()


@dataclass(frozen=True, kw_only=True)
class General:
    """The general options of one run. Times in seconds; 0 is no limit, no rate, no interval, a new seed."""

    threads: int = 1
    events: int = 0
    time: float = 10.0
    rate: float = 0.0
    warmup_time: float = 0.0
    forced_shutdown: ForcedShutdown = _NEVER
    report_interval: float = 0.0
    report_checkpoints: tuple[int, ...] = ()
    percentile: float = 95.0
    histogram: bool = False
    rand_seed: int = 0
    verbosity: int = NOTICE
    debug: bool = False
    validate: bool = False
    thread_init_timeout: float = 30.0
    thread_stack_size: int = 64 * 1024

    def __post_init__(self) -> None:
        if self.histogram and not self.percentile:
            raise InputError(
                "--histogram cannot be combined with --percentile=0",
                hint="leave one of them out",
            )
        if 0 < self.report_interval < _LEAST_INTERVAL_S:
            raise InputError(
                f"--report-interval {self.report_interval:g} is too short: expected 0, or at least"
                f" {_LEAST_INTERVAL_S:g} s"
            )

    @property
    def reports(self) -> bool:
        """Whether the verbosity lets reports through."""
        return self.debug or self.verbosity >= NOTICE

    @property
    def share(self) -> float:
        """The percentile as a share of all events."""
        return self.percentile / 100

    @property
    def drain_s(self) -> float | None:
        """How long events may go on after the time limit; None: until they end."""
        return self.forced_shutdown.after_s(self.time)

    @classmethod
    def taken_from(cls, values: dict[str, Any]) -> General:
        """Returns the general options among the values of a command line, and removes them there."""
        return cls(**{field.name: values.pop(field.name) for field in fields(cls)})


def general_options() -> list[click.Option]:
    """Returns the general options with sysbench's names and defaults, made anew for each command."""
    return [
        option("threads", WholeNumber(1, MOST_CONNECTIONS), 1, "Number of threads."),
        option("events", WholeNumber(0, 2**63 - 1), 0, "Stop after N events; 0: no limit."),
        option("time", Seconds(), 10.0, "Measured time; 0: no limit."),
        option(
            "rate",
            Number(0, MOST_PER_SECOND),
            0.0,
            "Events per second of all threads, arriving at random; 0: as fast as possible.",
        ),
        option("warmup-time", Seconds(), 0.0, "Load before the measured time."),
        option(
            "forced-shutdown",
            Shutdown(),
            "off",
            f"Time after --time before events are given up; without a value {BARE_SHUTDOWN}.",
        ),
        option("report-interval", Seconds(), 0.0, "Time between live lines; 0: none."),
        option(
            "report-checkpoints",
            Checkpoints(),
            "",
            "Instants at which statistics are printed and begin anew, as in 10,60.",
        ),
        option("percentile", Number(0, 100), 95.0, "Percentile of latency in the statistics; 0: none."),
        switch("histogram", False, "Print the histogram of latency."),
        option(
            "rand-seed",
            WholeNumber(0, 2**63 - 1),
            0,
            "The same seed gives the same random numbers; 0: a new seed each time.",
        ),
        option("verbosity", WholeNumber(0, 5), NOTICE, "3 and more print the report, 0 to 2 only errors."),
        switch("debug", False, "Set the verbosity to 5."),
        switch("validate", False, "Read back and check what the test has written: fileio, with one thread."),
        option("thread-init-timeout", Seconds(), 30.0, "Limit of one login of a script's thread."),
        option("thread-stack-size", Size(), "64K", "Accepted: threads have the stack that they need."),
        click.Option(
            ["--config-file"],
            type=click.Path(exists=True, dir_okay=False),
            expose_value=False,
            help="Read options from a file, one NAME=VALUE a line; the command line goes before it.",
        ),
    ]
