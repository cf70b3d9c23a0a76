"""Builds the record of `assay bench --json` beyond the figures: server, time, and the series by intervals."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError
from assay.design.folder import WHOLE, Interval, RunResult, plain_times
from assay.system.engine import error_count, interval_p95_ms, interval_seconds, per_second

if TYPE_CHECKING:
    from assay.base.tally import Bins, WindowTimes
    from assay.experiments.bench.request import Bench

_NS_PER_MS = 1e6
_BARS = 24
_ASK_S = 5.0


@dataclass
class Series:
    """The series of a run: one row for each interval of the warm-up and of the window."""

    begun_wall_s: float = field(default_factory=time.time)
    rows: list[dict[str, Any]] = field(default_factory=list)

    def note(self, interval: Interval, elapsed_s: float) -> None:
        """Adds an interval that ended `elapsed_s` seconds after its phase began."""
        seconds = interval_seconds(interval)
        self.rows.append(
            {
                "phase": interval.phase,
                "t_s": round(elapsed_s, 3),
                "tps": per_second(interval.transactions, seconds),
                "qps": per_second(interval.queries, seconds),
                "p95_ms": interval_p95_ms(interval),
                "errors": error_count(interval),
                "reconnects": interval.reconnects,
                "queued": interval.queued,
            }
        )

    @property
    def started(self) -> str:
        """The time at which the command began, in local time with its offset (ISO 8601)."""
        return datetime.fromtimestamp(self.begun_wall_s).astimezone().isoformat(timespec="seconds")


def run_record(bench: Bench, result: RunResult, series: Series) -> dict[str, Any]:
    """Returns the parts of a run's record besides its figures. It asks the server for its name."""
    record: dict[str, Any] = {
        "started": series.started,
        "series": series.rows,
        "latency_distribution": distribution(result),
    }
    if bench.percentile is not None and (times := _response_times(result)) is not None:
        record["percentile"] = {
            "percent": bench.percentile,
            "response_ms": (time := times.percentile(bench.percentile / 100)).ms,
            "at_least": time.at_least,
        }
    where = bench.socket or f"{bench.host}:{bench.port}"
    version = result.server_version or _version_of(bench)
    return record | {"server": {"address": where, "user": bench.user, "version": version}}


def _response_times(result: RunResult) -> WindowTimes[Bins] | None:
    whole = result.labels.get(WHOLE)
    return None if whole is None else plain_times(result, whole, "response")


def _version_of(bench: Bench) -> str | None:
    """Returns what a server says of its version that has not shown its variables to the engine; None where it
    does not answer.
    """
    from assay.system.server import Address, Tls

    address = Address(
        user=bench.user,
        socket=Path(bench.socket) if bench.socket else None,
        host=bench.host,
        port=bench.port,
        tls=Tls(mode=bench.ssl_mode, ca=bench.ssl_ca, cert=bench.ssl_cert, key=bench.ssl_key),
        password=bench.password,
    )
    with (
        contextlib.suppress(AssayError),
        contextlib.closing(address.connect(timeout_s=_ASK_S, read_timeout_s=_ASK_S)) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT VERSION()")
        found = cursor.fetchone()
        return None if found is None else str(found[0])
    return None


def distribution(result: RunResult) -> list[dict[str, float]]:
    """Returns bins of equal ratio over the range of times: `from_ms`, `to_ms`, `count`."""
    whole = _response_times(result)
    if whole is None:
        return []
    times = whole.times
    low, high = max(times.min, 1.0), max(times.max, 2.0)
    ratio = (high / low) ** (1 / _BARS) if high > low else 2.0
    edges = [low * ratio**number for number in range(1, _BARS + 1)]
    *counts, beyond = times.counts_between(edges)
    counts[-1] += beyond
    bounds = [low, *edges]
    return [
        {"from_ms": bounds[at] / _NS_PER_MS, "to_ms": bounds[at + 1] / _NS_PER_MS, "count": count}
        for at, count in enumerate(counts)
    ]
