"""Calculates the redo log size from the rate at which a server writes redo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from assay.results.advice.calculators.calculator import Answer, Calculator, Input, Value, in_words, number

_SOURCE = (
    "MySQL reference manual, Optimizing InnoDB Redo Logging: large enough that checkpoints are smooth;"
    " the time that it holds is a rule of thumb"
)
_MIB = 1 << 20
_USED = 0.875
"""Share of the redo log's capacity at which InnoDB flushes whatever it costs: 7/8."""


def _answers(given: Mapping[str, Value]) -> Sequence[Answer]:
    rate, holds, files = (number(given, name) for name in ("rate", "holds", "files"))
    needed = rate * holds / _USED
    capacity = ceil(needed / _MIB) * _MIB
    each = ceil(capacity / files / _MIB) * _MIB
    return [
        Answer(
            "innodb_redo_log_capacity",
            capacity,
            "bytes",
            f"{in_words(rate, 'bytes/s')} x {in_words(holds, 's')} / {_USED:g}, in whole MiB;"
            " at 7/8 of it InnoDB flushes at any price",
            _SOURCE,
        ),
        Answer(
            f"innodb_log_file_size, of {files:g} files",
            each,
            "bytes",
            f"{in_words(capacity, 'bytes')} / {files:g}: where a server has no innodb_redo_log_capacity",
            _SOURCE,
        ),
    ]


CALCULATOR = Calculator(
    name="redo",
    summary="Redo log size for a rate of redo writes.",
    inputs=(
        Input("rate", "bytes/s", "Redo written a second (Innodb_os_log_written), such as 4M.", least=1),
        Input("holds", "s", "How long the log lasts at that rate: 30min, 1h.", default=3600.0, least=1),
        Input("files", "count", "innodb_log_files_in_group.", default=2.0, least=1, most=100),
    ),
    answers=_answers,
    example="assay calc redo --rate 4M --holds 30min",
)
