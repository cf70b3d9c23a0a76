"""Calculates innodb_io_capacity from the random operations a second that a disk sustains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.results.advice.calculators.calculator import Answer, Calculator, Input, Value, in_words, number
from assay.results.advice.capacity import io_capacity

_SOURCE = "MySQL reference manual, Configuring InnoDB I/O Capacity: a rule of thumb; a study decides"


def _answers(given: Mapping[str, Value]) -> Sequence[Answer]:
    iops, block, page = (number(given, name) for name in ("iops", "block", "page_size"))
    share = min(1.0, block / page)
    half, most = io_capacity(iops * share)
    carried = f"{in_words(iops, '1/s')} x min(1, {in_words(block, 'bytes')} / {in_words(page, 'bytes')})"
    return [
        Answer("innodb_io_capacity", half, "1/s", f"half of {carried}, at least 100", _SOURCE),
        Answer("innodb_io_capacity_max", most, "1/s", carried, _SOURCE),
    ]


CALCULATOR = Calculator(
    name="io-capacity",
    summary="innodb_io_capacity from the random writes a second of a disk.",
    inputs=(
        Input("iops", "1/s", "Random writes, or a mix, a second past the page cache.", least=1),
        Input("block", "bytes", "Size of one of them.", default=16384.0, least=512),
        Input("page_size", "bytes", "innodb_page_size.", default=16384.0, least=4096, most=65536),
    ),
    answers=_answers,
    example="assay calc io-capacity --iops 12000 --block 4k",
)
