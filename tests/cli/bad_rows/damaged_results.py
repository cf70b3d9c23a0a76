from __future__ import annotations

from bad_rows.row import Row

ROWS: list[Row] = []
