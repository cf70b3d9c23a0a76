"""Takes the text of a server's log out of what services and collectors wrap it in: the events of CloudWatch
and Cloud Logging, a portion that RDS has downloaded, lines that a container has logged, one object or row
each.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.experiments.own.exports import Export
from assay.experiments.own.whole_file import WholeFile

_TEXTS = ("MESSAGE", "TEXTPAYLOAD", "LOGFILEDATA", "LOG")
_TIMES = ("TIMESTAMP", "TIME")


@contextmanager
def enclosed_log(export: Export) -> Iterator[WholeFile | None]:
    """Yields a file with the texts that an export's rows wrap; None where they wrap none."""
    name = next((one for one in _TEXTS if export.has(one)), None)
    if name is None:
        yield None
        return
    rows = [row for row in export.rows if isinstance(row.get(name), str)]
    times = next(([row.get(one) for row in rows] for one in _TIMES if export.has(one)), [])
    # Web pages show the last event first, and export what they show.
    if times and str(times[0]) > str(times[-1]):
        rows.reverse()
    with tempfile.NamedTemporaryFile("w", suffix=".log", encoding="utf-8") as whole:
        for row in rows:
            text = str(row[name])
            whole.write(text if text.endswith("\n") else f"{text}\n")
        whole.flush()
        yield WholeFile(Path(whole.name), shown=export.file.path)
