"""The list of calculators; a new one is its file and one line here."""

from __future__ import annotations

from collections.abc import Sequence

from assay.results.advice.calculators import buffer_pool, data_size, io_capacity, raid, redo, statements
from assay.results.advice.calculators.calculator import Calculator

CALCULATORS: Sequence[Calculator] = (
    raid.CALCULATOR,
    io_capacity.CALCULATOR,
    redo.CALCULATOR,
    buffer_pool.CALCULATOR,
    data_size.CALCULATOR,
    statements.CALCULATOR,
)
