"""Measures one disk in a few minutes: what it does for a durable server, and what the machine says of it."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.bench.disk.loads import BLOCKS
    from assay.experiments.bench.disk.measure import SIZE, DiskProgress, measure_disk
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = ["BLOCKS", "SIZE", "DiskProgress", "measure_disk"]
