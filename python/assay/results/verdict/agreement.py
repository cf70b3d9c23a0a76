"""Frozen records of how far copies, and hosts of a fleet, agree."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CopySpread:
    """One measure of equal treatments at one load point, whose differences are all noise."""

    measure: str
    load: float
    copies: int
    blocks: int  # that have all of them
    log_sd: float  # of one run: standard deviation of the logarithm; `low`, `high`: its interval
    low: float
    high: float
    degrees: int  # of freedom
    by_position: tuple[float, ...]  # runs that come first, second … in a block, as a ratio to the mean
    position_p: float  # F test of "the position in a block does nothing"
    drift: float | None  # ratio from one block to the next; None below three blocks
    drift_p: float | None  # two-sided t test of "level"
    loads: int | None = None  # of the data, one for each copy of a block; None: copies share one
    load_sd: float | None = None  # standard deviation of the logarithms of loads' true means, by moments
    load_p: float | None = None  # F test of "loads are equal"


@dataclass(frozen=True)
class HostRatio:
    """The ratio of one comparison on one host of a fleet, with its interval over the blocks there."""

    host: str  # empty: the lab's own machine, beside hosts of a fleet
    blocks: int
    ratio: float
    low: float | None
    high: float | None

    @property
    def spoken(self) -> str:
        """The host in a sentence."""
        return self.host or "the lab's own machine"


@dataclass(frozen=True)
class HostAgreement:
    """What hosts say about one comparison. `p_value` is that of "all have one ratio", `between_sd` the
    standard deviation of the logarithms of their true ratios; None where no host has two blocks.
    """

    measure: str
    load: float
    baseline: str
    other: str
    margin: float
    by_host: tuple[HostRatio, ...]
    p_value: float | None
    between_sd: float | None
