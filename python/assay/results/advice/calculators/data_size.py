"""Calculates how large a table becomes, and whether it fits into the buffer pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from assay.results.advice.calculators.calculator import Answer, Calculator, Input, Value, in_words, number

_SOURCE = "MySQL reference manual, InnoDB row formats and The Physical Structure of an InnoDB Index"
_ROW = 18
"""Bytes that InnoDB adds to a row of a clustered index: header 5, transaction number 6, roll pointer 7."""
_ENTRY = 5
"""Bytes that InnoDB adds to an entry of a secondary index: its header."""
_FRAME = 128
"""Bytes of a page that hold no rows: headers, directory, trailer."""


def _answers(given: Mapping[str, Value]) -> Sequence[Answer]:
    rows, row, indexed, indexes, fill, page = (
        number(given, name) for name in ("rows", "row", "index_entry", "indexes", "fill", "page_size")
    )
    room = (page - _FRAME) * fill
    if row + _ROW > room:
        raise ValueError(f"a row of {row:g} bytes does not fit into a page of {in_words(page, 'bytes')}")
    table = ceil(rows / (room // (row + _ROW))) * page
    index = indexes * ceil(rows / (room // (indexed + _ENTRY))) * page
    total = table + index
    answers = [
        Answer(
            "clustered index",
            table,
            "bytes",
            f"{rows:,.0f} rows, {room // (row + _ROW):g} of {row:g} + {_ROW} bytes in a page that is"
            f" {fill:g} full",
            _SOURCE,
        ),
        Answer(
            "secondary indexes",
            index,
            "bytes",
            f"{indexes:g} x {rows:,.0f} entries of {indexed:g} + {_ENTRY} bytes",
            _SOURCE,
        ),
        Answer("together", total, "bytes", "without the few inner pages", _SOURCE),
    ]
    if "pool" in given:
        pool = number(given, "pool")
        answers.append(
            Answer(
                "share of the data that the buffer pool holds",
                min(pool / total, 1.0),
                "share",
                f"{in_words(pool, 'bytes')} / {in_words(total, 'bytes')}:"
                f" the data {'fits' if pool >= total else 'does not fit'} into memory",
                _SOURCE,
            )
        )
    return answers


CALCULATOR = Calculator(
    name="data-size",
    summary="Size of tables on disk, and whether they fit into the buffer pool.",
    inputs=(
        Input("rows", "count", "Rows of all tables together.", least=1, most=1e15),
        Input("row", "bytes", "Bytes of one row's columns; sysbench's has 188.", default=188.0, least=1),
        Input("indexes", "count", "Secondary indexes.", default=1.0, most=64),
        Input(
            "index_entry",
            "bytes",
            "Bytes of an entry: its columns and the primary key.",
            default=8.0,
            least=1,
        ),
        Input(
            "fill",
            "share",
            "Share of a page in use: 15/16 in key order, 0.69 at random.",
            default=0.9375,
            least=0.1,
            most=1,
        ),
        Input("page_size", "bytes", "innodb_page_size.", default=16384.0, least=4096, most=65536),
        Input("pool", "bytes", "innodb_buffer_pool_size, to compare with.", optional=True, least=1),
    ),
    answers=_answers,
    example="assay calc data-size --rows 100000000 --pool 24G",
)
