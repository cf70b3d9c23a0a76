"""What a sampler is."""

from __future__ import annotations

from typing import Protocol


class Source(Protocol):
    """Read once a second by a thread of its own.

    Naming rule of the values: a name that ends in `_total` is a counter since some start, stored as it is
    read; every other is a gauge. Units stand before it: `_us`, `_bytes`. A thing that there are several of
    comes first, with a point: `vda.reads_total`, `server.rss_bytes`.
    """

    @property
    def name(self) -> str:
        """Name of the source's file in samples/."""
        ...

    def read(self) -> dict[str, float]:
        """Values now. An exception is a missed reading; `ServerLost` ends the source."""
        ...
