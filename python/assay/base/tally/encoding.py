"""Encodes histograms as the engine does, so that several merged into one can be written where one stood.

Format: HdrHistogram V2, DEFLATE, base64; see `assay.base.tally.histogram`, which reads it.
"""

from __future__ import annotations

import base64
import struct
import zlib

from assay.base.tally.histogram import Histogram, decode_many, merge

_COMPRESSED = 0x1C849314
_PLAIN = 0x1C849313
_OUTER = struct.Struct(">II")
_INNER = struct.Struct(">IIIIQQd")
_LARGEST = (1 << 42) - 1
"""The largest value of the engine's histograms, in nanoseconds."""
_DIGITS = {(2 * 10**digits - 1).bit_length() - 1: digits for digits in range(1, 6)}
"""Significant digits by the bits of half of a power of two's bins."""


def encode(histogram: Histogram) -> str:
    """Returns the text of a histogram; decoding it gives the same bins and counts."""
    counts = bytearray()
    next_index = 0
    for index, count in zip(histogram.index.tolist(), histogram.counts.tolist(), strict=True):
        empty = index - next_index
        if empty == 1:  # one empty bin is a count, several are a run
            counts += _number(0)
        elif empty:
            counts += _number(-empty)
        counts += _number(count)
        next_index = index + 1
    layout = histogram.layout
    plain = counts or _number(0)
    head = _INNER.pack(_PLAIN, len(plain), 0, _DIGITS[layout.half_bits], 1 << layout.unit_bits, _LARGEST, 1.0)
    packed = zlib.compress(head + plain)
    return base64.b64encode(_OUTER.pack(_COMPRESSED, len(packed)) + packed).decode()


def merge_texts(texts: list[str]) -> str:
    """Returns the text of one histogram with all values of these, bin by bin; a single one is left as it is.

    Raises `ValueError` when there is none, or when their bins differ.
    """
    return texts[0] if len(texts) == 1 else encode(merge(decode_many(texts)))


def _number(value: int) -> bytes:
    """Returns a ZigZag LEB128 number."""
    rest = (value << 1) ^ (value >> 63)
    out = bytearray()
    while rest >= 0x80:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)
    return bytes(out)
