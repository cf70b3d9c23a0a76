"""One load from several generators: their shares, their common start, and one result of them all."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.fleet.clock import ClockOffset, ClockReading
    from assay.fleet.contract import Backend, FleetHost, Generator, Share
    from assay.fleet.load import run_fleet
    from assay.fleet.local import LocalBackend
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Backend",
    "ClockOffset",
    "ClockReading",
    "FleetHost",
    "Generator",
    "LocalBackend",
    "Share",
    "run_fleet",
]
