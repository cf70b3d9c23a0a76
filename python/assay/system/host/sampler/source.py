"""The interface of a sampler."""

from __future__ import annotations

from typing import Protocol


class Source(Protocol):
    """A source of samples, read once a second by a thread of its own.

    Names of values: a name that ends in `_total` is a counter since some start, stored as it is read; every
    other name is a gauge. Units stand before it: `_us`, `_bytes`. The name of one of several things comes
    first, with a point: `vda.reads_total`, `server.rss_bytes`.
    """

    @property
    def name(self) -> str:
        """The name of the source, and of its file in samples/."""
        ...

    def read(self) -> dict[str, float]:
        """Returns the values at this moment. An exception is a missed reading; `ServerLost` ends the
        source.
        """
        ...
