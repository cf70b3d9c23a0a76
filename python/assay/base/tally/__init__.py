"""Decodes, merges and ranks the engine's histograms of times; no other room does."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.base.tally.cells import (
        CELLS,
        EDGES_MS,
        LOWEST_MS,
        ROWS_A_DECADE,
        cells_of_times,
        percentile_of_cells,
    )
    from assay.base.tally.corrected import Gap, corrected_percentiles
    from assay.base.tally.encoding import encode, merge_texts
    from assay.base.tally.histogram import Floats, Histogram, Ints, Layout, decode, decode_many, merge, ranked
    from assay.base.tally.times import (
        SHARES,
        count_beyond,
        fewest_operations,
        percentile_ms,
        share_of,
        times_ms,
    )
    from assay.base.tally.unended import Bag, Time, WindowTimes, merge_windows
    from assay.base.tally.unpacking import Bins, bins_of
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "CELLS",
    "EDGES_MS",
    "LOWEST_MS",
    "ROWS_A_DECADE",
    "SHARES",
    "Bag",
    "Bins",
    "Floats",
    "Gap",
    "Histogram",
    "Ints",
    "Layout",
    "Time",
    "WindowTimes",
    "bins_of",
    "cells_of_times",
    "corrected_percentiles",
    "count_beyond",
    "decode",
    "decode_many",
    "encode",
    "fewest_operations",
    "merge",
    "merge_texts",
    "merge_windows",
    "percentile_ms",
    "percentile_of_cells",
    "ranked",
    "share_of",
    "times_ms",
]
