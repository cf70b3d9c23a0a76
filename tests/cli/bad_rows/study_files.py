"""Studies that say what a study may not say, through `assay plan`: every message of `bad_studies`."""

from __future__ import annotations

from bad_studies import MESSAGES

from bad_rows.row import Row, row
from studies import changed

ROWS: list[Row] = [
    row(f"study-{number:02d}", "plan a.toml", 2, "a.toml", message, files={"a.toml": changed(old, new)})
    for number, (old, new, message) in enumerate(MESSAGES)
]
