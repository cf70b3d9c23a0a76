"""Type and reader of samples: readings taken beside the load, one JSON line each."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from assay.base.decoding import decoded
from assay.base.inner_path import InnerPath


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One reading of one source. A missed reading leaves no line.

    Counters are stored as they are read (cumulative); the store computes rates from them.
    """

    wall_ns: int  # when the values were read, in nanoseconds since 1970
    values: dict[str, float]
    cost_us: float  # what the reading itself took
    late_us: float  # how late it was against its phase in the second


_decoder = msgspec.json.Decoder(Sample)


def read_samples(path: InnerPath) -> Iterator[Sample]:
    """Yields the samples of a file, without a last line that a kill cut short."""
    for line in path.lines():
        if line.endswith(b"\n"):
            yield decoded(_decoder, line)
