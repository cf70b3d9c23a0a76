"""Reads the text of one histogram without numpy, which a lab does not load before it has measured.

See `assay.base.tally.histogram` for the format, and for the rule of ranks, which is `rank`.
"""

from __future__ import annotations

import base64
import math
import struct
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

_COMPRESSED_V2 = 0x1C849304
_PLAIN_V2 = 0x1C849303
_OUTER = struct.Struct(">II")
_INNER = struct.Struct(">IIIIQQd")
_MOST_DIGITS = 5
_MOST_BYTES = 16 << 20
"""The most bytes of a histogram, unpacked; the engine's have at most a few hundred thousand."""
_MOST_VALUES = 1 << 53
"""Beyond it, not every number of values has a float."""


def rank(share: float, total: int) -> int:
    """Returns the rank of a share among `total` values, from 1: the rank rule of every percentile.

    Raises OverflowError for a number of values that no load reaches, as a damaged file may have it.
    """
    if total > _MOST_VALUES:
        raise OverflowError(f"{total} values are too many")
    # Rounding guards against 0.999 * 1000 = 998.9999: the rank is then 999, not 1000 or 998.
    return min(max(math.ceil(round(float(share) * total, 6)), 1), max(total, 1))


@dataclass(frozen=True)
class Bins:
    """What `Histogram` is, without numpy: for the figures of one window, of few histograms. `filled` has the
    count of each bin that is not empty, by its number, in ascending order.
    """

    unit_bits: int
    half_bits: int
    filled: Mapping[int, int]

    @cached_property
    def total(self) -> int:
        """Number of recorded values."""
        return sum(self.filled.values())

    @property
    def mean(self) -> float:
        """Mean of the values; nan when empty."""
        if not self.total:
            return math.nan
        middles = map(self._middle, self.filled)
        return sum(map(int.__mul__, middles, self.filled.values())) / self.total

    @property
    def max(self) -> float:
        """The largest recorded value, to the precision of its bin; nan when empty."""
        return float(self._highest(next(reversed(self.filled)))) if self.filled else math.nan

    @property
    def min(self) -> float:
        """The smallest recorded value, to the precision of its bin; nan when empty."""
        return float(self._lowest(next(iter(self.filled)))) if self.filled else math.nan

    def percentiles(self, shares: Sequence[float]) -> list[float]:
        """Returns the values at `shares`, in the recorded unit; nan when empty."""
        return self.percentiles_among(shares, self.total) if self.total else [math.nan] * len(shares)

    def percentiles_among(self, shares: Sequence[float], total: int) -> list[float]:
        """Returns the values at `shares` of `total` values, of which those that are not here are larger than
        all; infinite where one of them has the rank.
        """
        indices, upto = list(self.filled), list(accumulate(self.filled.values()))
        places = (bisect_left(upto, rank(share, total)) for share in shares)
        return [float(self._highest(indices[at])) if at < len(indices) else math.inf for at in places]

    def without(self, other: Bins) -> Bins:
        """Returns the values that remain when those of `other` are taken away."""
        left = {index: count - other.filled.get(index, 0) for index, count in self.filled.items()}
        return Bins(
            self.unit_bits, self.half_bits, {index: count for index, count in left.items() if count > 0}
        )

    def beyond(self, limit: float) -> int:
        """Returns how many values are in bins that lie beyond a limit, whole."""
        return sum(count for index, count in self.filled.items() if self._lowest(index) > limit)

    def counts_between(self, edges: Sequence[float]) -> list[int]:
        """Returns the number of values between consecutive edges: below the first, from each edge to the
        next, and from the last on. All values of a bin count where its middle lies.
        """
        counts = [0] * (len(edges) + 1)
        for index, count in self.filled.items():
            counts[bisect_right(edges, self._middle(index))] += count
        return counts

    def _middle(self, index: int) -> int:
        return self._lowest(index) + (1 << self._shift(index) >> 1)

    def _lowest(self, index: int) -> int:
        half = 1 << self.half_bits
        return (index if index < 2 * half else index % half + half) << self._shift(index)

    def _highest(self, index: int) -> int:
        return self._lowest(index) + (1 << self._shift(index)) - 1

    def _shift(self, index: int) -> int:
        return max((index >> self.half_bits) - 1, 0) + self.unit_bits


def bins_of(text: str) -> Bins:
    """Reads one histogram. Raises ValueError when the text is not one."""
    unit_bits, half_bits, body = unpack(text)
    return Bins(unit_bits, half_bits, dict(_filled(body)))


def unpack(text: str) -> tuple[int, int, bytes]:
    """Returns `unit_bits` and `half_bits` of a histogram's layout, and its counts as they are written.

    Raises ValueError when the text is no histogram.
    """
    try:
        raw = base64.b64decode(text, validate=True)
        cookie, length = _OUTER.unpack_from(raw)
        if cookie & ~0xF0 != _COMPRESSED_V2 or length != len(raw) - _OUTER.size:
            raise ValueError("not a compressed HDR histogram, version 2")
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(raw[_OUTER.size :], _MOST_BYTES)
        if not unpacking.eof:
            raise ValueError(f"not a histogram: it has more than {_MOST_BYTES:,} bytes, or an end is missing")
        cookie, size, _, digits, lowest, _, _ = _INNER.unpack_from(plain)
    except (struct.error, zlib.error) as error:
        raise ValueError(f"an HDR histogram is damaged: {error}") from error
    if cookie & ~0xF0 != _PLAIN_V2:
        raise ValueError("not an HDR histogram, version 2")
    if digits > _MOST_DIGITS:
        raise ValueError(f"not a histogram: it has {digits:,} digits")
    # The smallest power of two that tells 2 * 10^digits values apart, halved: 1024 bins for three digits.
    half_bits = (2 * 10**digits - 1).bit_length() - 1
    return max(int(lowest), 1).bit_length() - 1, half_bits, plain[_INNER.size : _INNER.size + size]


def _filled(body: bytes) -> Iterator[tuple[int, int]]:
    """Yields the index and the count of each bin that is not empty, in order. A ZigZag LEB128 number is a
    count, or minus the length of a run of empty bins.
    """
    index = zigzag = place = 0
    for byte in body:
        zigzag |= (byte & 0x7F) << place
        if byte >= 0x80:
            place += 7
            continue
        word = (zigzag >> 1) ^ -(zigzag & 1)
        if word > 0:
            yield index, word
        index += -word if word < 0 else 1
        zigzag = place = 0
    if place:
        raise ValueError("an HDR histogram is damaged: its last count has no end")
