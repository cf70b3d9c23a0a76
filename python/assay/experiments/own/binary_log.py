"""Knows the text that mysqlbinlog makes of a binary log: statements that wrote, and changes of rows."""

from __future__ import annotations

import re

from assay.base.packed import unpacked
from assay.experiments.own.whole_file import WholeFile

FORM = "binary log"
ROWS = "changes of rows, which have no statement (binlog_format = ROW)"
_EVENT = re.compile(r"^(?:# at \d+\r?$|#\d{6} +\d\d?:\d\d:\d\d server id \d+ +end_log_pos \d+)", re.M)
_ROW = (b"### INSERT INTO ", b"### UPDATE ", b"### DELETE FROM ")


def is_binary_log(file: WholeFile) -> bool:
    return _EVENT.search(file.head) is not None


def rows_changed(file: WholeFile) -> int:
    """Returns how many rows of the text stand in the place of statements, as `mysqlbinlog -v` shows them."""
    with unpacked(file.source) as lines:
        return sum(line.startswith(_ROW) for line in lines)
