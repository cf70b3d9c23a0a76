"""Signals of server, host and generator for a live page: readings become rates and levels, a few numbers each
second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.design.folder import Sample

_CORES = 1e-6
_MIB = 1 / (1 << 20)


@dataclass(frozen=True)
class Line:
    """One line of a live chart: a rate of counters, or a level of a gauge, times `scale`.

    Of `names` the first that was sampled is taken, since flavours call one thing differently; `plus` are
    added. `ending` takes all names with it instead: their sum.
    """

    key: str  # phrase: signal.<key> of the report, or web.live.signal.<key>
    source: str
    names: tuple[str, ...] = ()
    plus: tuple[str, ...] = ()
    ending: str = ""
    scale: float = 1.0


@dataclass(frozen=True)
class Chart:
    """Lines of one unit in one small chart."""

    key: str
    unit: str
    lines: tuple[Line, ...]


CHARTS: tuple[Chart, ...] = (
    Chart(
        "cpu",
        "cores",
        (
            Line("server", "processes", ("server.user_us",), ("server.system_us",), scale=_CORES),
            Line("generator", "processes", ("engine.user_us",), ("engine.system_us",), scale=_CORES),
            Line("iowait", "cpu", ("iowait_us",), scale=_CORES),
            Line("steal", "cpu", ("steal_us",), scale=_CORES),
        ),
    ),
    Chart(
        "disk",
        "MiB/s",
        (
            Line("read", "disks", ending=".read_bytes", scale=_MIB),
            Line("written", "disks", ending=".write_bytes", scale=_MIB),
        ),
    ),
    Chart(
        "fsyncs",
        "1/s",
        (
            Line("fsyncs", "status", ("Innodb_data_fsyncs",)),
            Line("reads", "status", ("Innodb_buffer_pool_reads",)),
        ),
    ),
    Chart("dirty", "pages", (Line("dirty", "status", ("Innodb_buffer_pool_pages_dirty",)),)),
    Chart(
        "checkpoint",
        "MiB",
        (Line("checkpoint", "status", ("Innodb_checkpoint_age", "log_lsn_checkpoint_age"), scale=_MIB),),
    ),
)
"""The small charts beneath throughput and latency; a new one is a row here and its phrases."""

_SOURCES = frozenset(line.source for chart in CHARTS for line in chart.lines)
_TOTAL = "_total"


@dataclass(frozen=True)
class Reading:
    """Values of one source at one moment, by `<chart>.<line>`."""

    at_ms: int
    values: dict[str, float]


class Signals:
    """Takes in samples, and gives for each the values of its lines; a counter needs the reading before it."""

    def __init__(self) -> None:
        self._last: dict[str, Sample] = {}

    def take(self, source: str, sample: Sample) -> Reading | None:
        """Returns the values of a reading; None where no line shows its source."""
        if source not in _SOURCES:
            return None
        before = self._last.get(source)
        self._last[source] = sample
        values = {}
        for chart in CHARTS:
            for line in chart.lines:
                if line.source == source:
                    value = _value(line, before, sample)
                    if value is not None:
                        values[f"{chart.key}.{line.key}"] = float(f"{value * line.scale:.4g}")
        return Reading(sample.wall_ns // 1_000_000, values) if values else None

    def forget(self) -> None:
        """Forgets the last readings: those of a new run are of another server."""
        self._last.clear()


def _value(line: Line, before: Sample | None, sample: Sample) -> float | None:
    now = sample.values
    if line.ending:
        names = [name for name in now if name.endswith(line.ending + _TOTAL)]
    else:
        first = next((name for name in line.names if name in now or name + _TOTAL in now), None)
        if first is None:
            return None
        if first in now:
            return now[first]
        names = [first + _TOTAL, *(name + _TOTAL for name in line.plus if name + _TOTAL in now)]
    if not names or before is None or sample.wall_ns <= before.wall_ns:
        return None
    return _grown(names, before.values, now) / ((sample.wall_ns - before.wall_ns) / 1e9)


def _grown(names: list[str], before: Mapping[str, float], now: Mapping[str, float]) -> float:
    """Returns by how much counters grew together; one that restarted counts nothing."""
    return sum(max(now[name] - before[name], 0.0) for name in names if name in before)
