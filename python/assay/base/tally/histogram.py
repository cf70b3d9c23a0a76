"""HDR histograms as arrays: decoded from the engine's text, merged, and read at percentiles.

Format: HdrHistogram V2, DEFLATE, base64 (https://github.com/HdrHistogram/HdrHistogram, class
`AbstractHistogram`, "encodeIntoCompressedByteBuffer").

The rank rule: the percentile of a share is the highest value that the bin of the ceil(share * count)-th
smallest value can hold, the first value at least. It is the engine's (`Histogram::quantile_ns` in
crates/tally), so a percentile is never below the truth and at most 0.1 % above it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.base.tally.unpacking import rank, unpack

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Layout:
    """The numbering of a histogram's bins: each power of two is cut into `1 << half_bits` equal bins."""

    unit_bits: int
    half_bits: int

    def lowest(self, index: Ints) -> Ints:
        """Returns the smallest value of each bin."""
        half = 1 << self.half_bits
        sub = np.where(index < 2 * half, index, index % half + half)
        return np.left_shift(sub, self._shift(index))

    def highest(self, index: Ints) -> Ints:
        """Returns the largest value of each bin."""
        return self.lowest(index) + np.left_shift(np.int64(1), self._shift(index)) - 1

    def middle(self, index: Ints) -> Floats:
        """Returns the value in the middle of each bin, which stands for the bin in a mean."""
        half = np.left_shift(np.int64(1), self._shift(index)) // 2
        return np.asarray(self.lowest(index) + half, dtype=np.float64)

    def _shift(self, index: Ints) -> Ints:
        return np.asarray(np.maximum((index >> self.half_bits) - 1, 0) + self.unit_bits, dtype=np.int64)


@dataclass(frozen=True)
class Histogram:
    """Counts of a histogram's bins that are not empty, in ascending order of value."""

    layout: Layout
    index: Ints
    counts: Ints

    @property
    def total(self) -> int:
        """Number of recorded values."""
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """Mean of the values; nan when empty."""
        total = self.total
        return float(self.layout.middle(self.index) @ self.counts) / total if total else float("nan")

    @property
    def max(self) -> float:
        """The largest recorded value, to the precision of its bin; nan when empty."""
        return float(self.layout.highest(self.index[-1:])[0]) if self.index.size else float("nan")

    @property
    def min(self) -> float:
        """The smallest recorded value, to the precision of its bin; nan when empty."""
        return float(self.layout.lowest(self.index[:1])[0]) if self.index.size else float("nan")

    @property
    def stdev(self) -> float:
        """Standard deviation of the recorded values, computed from the middles of their bins; nan when
        empty.
        """
        total = self.total
        if not total:
            return float("nan")
        distance = self.layout.middle(self.index) - self.mean
        return float(np.sqrt(distance**2 @ self.counts / total))

    def percentile(self, share: float) -> float:
        """Returns the value at one share (0.95 is the 95th percentile); nan when empty."""
        return float(self.percentiles([share])[0])

    def percentiles(self, shares: Sequence[float]) -> Floats:
        """Returns the values at `shares`, in the recorded unit; nan when empty."""
        return self.percentiles_among(shares, self.total) if self.total else np.full(len(shares), np.nan)

    def percentiles_among(self, shares: Sequence[float], total: int) -> Floats:
        """Returns the values at `shares` of `total` values, of which those that are not here are larger than
        all; infinite where one of them has the rank.
        """
        at = np.searchsorted(np.cumsum(self.counts), ranks(shares, total))
        values = self.layout.highest(np.append(self.index, 0)[at]).astype(np.float64)
        return np.where(at < self.index.size, values, np.inf)

    def without(self, other: Histogram) -> Histogram:
        """Returns the values that remain when those of `other` are taken away."""
        found = merge([self, Histogram(other.layout, other.index, -other.counts)])
        left = found.counts > 0
        return Histogram(found.layout, found.index[left], found.counts[left])

    def beyond(self, limit: float) -> int:
        """Returns how many values are in bins that lie beyond a limit, whole."""
        return int(self.counts[self.layout.lowest(self.index) > limit].sum())

    def counts_between(self, edges: Sequence[float]) -> list[int]:
        """Returns the number of values between consecutive edges: below the first, from each edge to the
        next, and from the last on.

        All values of a bin count where its middle lies.
        """
        places = np.searchsorted(np.asarray(edges, dtype=float), self.layout.middle(self.index), side="right")
        counts = np.zeros(len(edges) + 1, dtype=np.int64)
        np.add.at(counts, places, self.counts)
        return [int(count) for count in counts]


def ranks(shares: Sequence[float], total: int) -> Ints:
    """Returns the ranks of `shares` among `total` values, from 1. Raises what `rank` raises."""
    return np.array([rank(share, total) for share in shares], dtype=np.int64)


def ranked(values: Sequence[float], share: float) -> float:
    """Returns a percentile of plain values, by the same rule as of a histogram; nan when there are none."""
    return sorted(values)[rank(share, len(values)) - 1] if values else float("nan")


def decode(text: str) -> Histogram:
    """Decodes one histogram. Raises `ValueError` when the text is not one."""
    return decode_many([text])[0]


def decode_many(texts: Sequence[str]) -> list[Histogram]:
    """Decodes many histograms in one pass, several times faster than one at a time."""
    if not texts:
        return []
    layouts, bodies = zip(*map(_unpack, texts), strict=True)
    lengths = np.array([len(body) for body in bodies])
    data = np.frombuffer(b"".join(bodies), dtype=np.uint8)
    if not data.size:
        none = np.empty(0, dtype=np.int64)
        return [Histogram(layout, none, none) for layout in layouts]
    words, ends = _words(data)
    # A word is a count, or minus the length of a run of empty bins.
    steps = np.where(words < 0, -words, 1)
    after = np.cumsum(steps)
    cuts = np.searchsorted(ends, np.cumsum(lengths) - 1, side="right")
    starts = np.concatenate(([0], cuts[:-1]))
    found = []
    for layout, start, stop in zip(layouts, starts.tolist(), cuts.tolist(), strict=True):
        counts = words[start:stop]
        origin = after[start - 1] if start else 0
        full = counts > 0
        found.append(Histogram(layout, (after[start:stop] - 1 - origin)[full], counts[full]))
    return found


def _unpack(text: str) -> tuple[Layout, bytes]:
    unit_bits, half_bits, body = unpack(text)
    return Layout(unit_bits, half_bits), body


def _words(data: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Returns the ZigZag LEB128 numbers in `data`, and the position of the last byte of each."""
    ends = np.flatnonzero(data < 0x80)
    starts = np.concatenate(([0], ends[:-1] + 1))
    # Counts beyond 2^55, whose ninth byte would have its own rule, cannot occur: a century of nanoseconds.
    place = np.arange(data.size) - np.repeat(starts, ends - starts + 1)
    parts = (data & 0x7F).astype(np.int64) << (7 * place)
    zigzag = np.add.reduceat(parts, starts)
    return (zigzag >> 1) ^ -(zigzag & 1), ends


def merge(histograms: Iterable[Histogram]) -> Histogram:
    """Returns one histogram of all values together: counts are added, percentiles are never averaged.

    Raises `ValueError` when there is none, or when their bins differ.
    """
    parts = list(histograms)
    if not parts:
        raise ValueError("no histogram to merge")
    layout = parts[0].layout
    if any(part.layout != layout for part in parts):
        raise ValueError("histograms of different precision cannot be merged")
    index, where = np.unique(np.concatenate([part.index for part in parts]), return_inverse=True)
    counts = np.zeros(index.size, dtype=np.int64)
    np.add.at(counts, where, np.concatenate([part.counts for part in parts]))
    return Histogram(layout, index, counts)
