"""Writes LinkBench's two CSV files: `csvstats` at the end, `csvstream` while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Literal

from assay.base.errors import InputError
from assay.base.tally import Histogram, merge
from assay.design.folder import Event, Interval, KindTally, RunResult, succeeded
from assay.front.compat.linkbench.latencies import KINDS, PERCENTILES, decimal, histogram_of, latencies_of

_STREAM_COLUMNS = (
    "threadID,timestamp,op,totalops,totalerrors,ops,sampleDuration_us,sampleOps,"
    "mean_us,min_us,p25_us,p50_us,p75_us,p90_us,p95_us,p99_us,max_us"
)
_STREAM_SHARES = (0.25, 0.50, 0.75, 0.90, 0.95, 0.99)
_NO_TIMES = "," * 9
_STATS, _STREAM = "--csvstats", "--csvstream"


class CsvStats:
    """Writes one row for each operation of which some succeeded, in milliseconds."""

    def __init__(self, path: Path) -> None:
        self._path = path
        _require_writable(path, _STATS)

    def __call__(self, event: Event) -> None:
        """Writes the file when the result comes."""
        if not isinstance(event, RunResult):
            return
        columns = [f"p{percentile}_{end}" for percentile in PERCENTILES for end in ("low", "high")]
        rows = [["op", "count", *columns, "max", "mean"]]
        for name in KINDS:
            found = latencies_of(event.kinds.get(name, KindTally()))
            if found is not None:
                bounds = [decimal(bound, 2) for pair in found.bounds for bound in pair]
                tail = [decimal(found.max_ms, 2), decimal(found.mean_ms, 2)]
                rows.append([name.upper(), str(found.count), *bounds, *tail])
        with _opened(self._path, _STATS) as file:
            file.writelines(",".join(row) + "\n" for row in rows)


class CsvStream:
    """Writes a row for each operation every `every_s` seconds of the measured time, and for the rest at its
    end.

    Connections are not told apart: `threadID` is 0 in all rows, and each counts them all. `sampleDuration_us`
    holds milliseconds, as the original's does.
    """

    def __init__(self, path: Path, every_s: float, now: Callable[[], float] = time.time) -> None:
        _require_writable(path, _STREAM)
        self._path = path
        self._file: IO[str] | None = None
        self._every_ns = every_s * 1e9
        self._now = now
        self._done = dict.fromkeys(KINDS, 0)
        self._errors = dict.fromkeys(KINDS, 0)
        self._sample: dict[str, Histogram] = {}
        self._begun_ns: int | None = None
        self._ended_ns = 0

    def __call__(self, event: Event) -> None:
        """Adds up intervals of the measured window; the result closes the file."""
        match event:
            case Interval(phase="measure"):
                self._take(event)
                assert self._begun_ns is not None
                # What an interval lacks of a whole second must not put off the row by another one.
                if event.end_ns - self._begun_ns >= self._every_ns * 0.99:
                    self._write()
            case RunResult():
                if self._begun_ns is not None:
                    self._write()
                if self._file is not None:
                    self._file.close()
            case _:
                pass

    def _take(self, interval: Interval) -> None:
        if self._file is None:
            self._file = _opened(self._path, _STREAM)
            self._file.write(_STREAM_COLUMNS + "\n")
        if self._begun_ns is None:
            self._begun_ns = interval.start_ns
        self._ended_ns = interval.end_ns
        for name in KINDS:
            kind = interval.kinds.get(name, KindTally())
            self._done[name] += succeeded(kind)
            self._errors[name] += sum(kind.errors.values())
            histogram = histogram_of(kind)
            if histogram is None:
                continue
            before = self._sample.get(name)
            self._sample[name] = histogram if before is None else merge([before, histogram])

    def _write(self) -> None:
        assert self._begun_ns is not None
        assert self._file is not None
        sample_ms = round((self._ended_ns - self._begun_ns) / 1e6)
        for name in KINDS:
            histogram = self._sample.get(name)
            ops = 0 if histogram is None else histogram.total
            counts = f"{self._done[name]},{self._errors[name]},{ops},{sample_ms},{ops}"
            times = _NO_TIMES if histogram is None else _times_us(histogram)
            self._file.write(f"0,{int(self._now())},{name.upper()},{counts}{times}\n")
        self._file.flush()
        self._sample, self._begun_ns = {}, None


def _times_us(histogram: Histogram) -> str:
    ranked = histogram.percentiles(_STREAM_SHARES).tolist()
    values = [
        histogram.mean / 1e3,
        *(int(value) // 1000 for value in (histogram.min, *ranked, histogram.max)),
    ]
    return "".join(f",{value}" for value in values)


def _require_writable(path: Path, option: str) -> None:
    """Raises InputError before the run when the file cannot be written. Its content stays until a row is
    written.
    """
    _opened(path, option, "a").close()


def _opened(path: Path, option: str, mode: Literal["w", "a"] = "w") -> IO[str]:
    try:
        return path.open(mode)
    except OSError as error:
        raise InputError(f"{option}: cannot write {path}: {error.strerror or error}") from None
