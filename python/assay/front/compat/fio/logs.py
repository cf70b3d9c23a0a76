"""Writes fio's `write_bw_log` and `write_iops_log`, one line for each interval."""

from __future__ import annotations

from pathlib import Path

from assay.design.folder import Direction, JobResult
from assay.design.storage import ReportLine


def write_logs(line: ReportLine, raw: JobResult, number: int) -> list[Path]:
    """Writes the logs that the job asked for; returns their paths.

    The fields of a line are time in ms, KiB/s or IOPS, 0 for reads and 1 for writes, block size (0: several),
    0.
    """
    written = []
    for option, suffix, scale in (("write_bw_log", "bw", 1024.0), ("write_iops_log", "iops", 1.0)):
        if option not in line.options:
            continue
        name = line.options[option] or raw.name
        path = Path(f"{name}_{suffix}.{number}.log")
        rows = []
        for direction, side in enumerate((raw.read, raw.write)):
            for at, value in enumerate(_series(side, suffix)):
                per_second = value / (raw.interval_ms / 1000) / scale
                rows.append(((at + 1) * raw.interval_ms, round(per_second), direction))
        path.write_text("".join(f"{ms}, {value}, {way}, 0, 0\n" for ms, value, way in sorted(rows) if value))
        written.append(path)
    return written


def _series(side: Direction, suffix: str) -> list[int]:
    return side.series_bytes if suffix == "bw" else side.series_operations
