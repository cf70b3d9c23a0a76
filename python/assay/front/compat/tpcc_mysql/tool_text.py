"""Prints the text of tpcc-mysql's `tpcc_start`, for parsers that know it.

The format is that tool's; its arithmetic is corrected: counts and times are those of the window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assay.base.tally import count_beyond, decode, times_ms
from assay.design.folder import Event, Hello, Interval, KindTally, RunResult, succeeded

KINDS = ("new_order", "payment", "order_status", "delivery", "stock_level")
_LIMITS = (5, 5, 5, 80, 20)
_TITLES = ("New-Order", "Payment", "Order-Status", "Delivery", "Stock-Level")
_LEAST_PCT = (None, 43.0, 4.0, 4.0, 4.0)
_STARS = "***************************************"


@dataclass(frozen=True)
class ToolSettings:
    """Settings that tpcc-mysql's header repeats.

    `rt_unit`: `s` reads the limits as they are meant, `ms` as the tool does.
    """

    server: str
    port: int
    socket: str | None
    database: str
    user: str
    warehouses: int
    connections: int
    rampup_s: int
    measure_s: int
    interval_s: int
    rt_unit: str


@dataclass(frozen=True)
class _Raw:
    """The counts of one kind of transaction (in time, late, tried again, failed) and its mean response
    time.
    """

    success: int
    late: int
    retries: int
    failures: int
    mean_ms: float

    @property
    def done(self) -> int:
        return self.success + self.late


class ToolText:
    """Passes lines to `write`, event by event: `begin`, `interval` for each of the measured ones, `end`."""

    def __init__(self, settings: ToolSettings, write: Callable[[str], object]) -> None:
        self._settings = settings
        self._write = write
        self._measuring = False

    def __call__(self, event: Event) -> None:
        match event:
            case Hello():
                self.begin()
            case Interval():
                self.interval(event)
            case RunResult():
                self.end(event)
            case _:
                pass

    def begin(self) -> None:
        """Writes banner, options and parameters. A password is never shown."""
        s = self._settings
        self._say(_STARS, "*** ###easy### TPC-C Load Generator ***", _STARS)
        if s.socket is None:
            self._say(f"option h with value '{s.server}'")
        self._say(f"option d with value '{s.database}'", f"option u with value '{s.user}'")
        self._say(f"option w with value '{s.warehouses}'", f"option c with value '{s.connections}'")
        self._say(f"option r with value '{s.rampup_s}'", f"option l with value '{s.measure_s}'")
        self._say(f"option i with value '{s.interval_s}'")
        self._say(
            f"option P with value '{s.port}'"
            if s.socket is None
            else f"option S (socket) with value '{s.socket}'"
        )
        self._say("<Parameters>", f"     [server]: {s.server}", f"     [port]: {s.port}")
        self._say(f"     [DBname]: {s.database}", f"       [user]: {s.user}", "       [pass]: ***")
        self._say(f"  [warehouse]: {s.warehouses}", f" [connection]: {s.connections}")
        self._say(f"     [rampup]: {s.rampup_s} (sec.)", f"    [measure]: {s.measure_s} (sec.)", "")
        self._say(f"RAMP-UP TIME.({s.rampup_s} sec.)")

    def interval(self, interval: Interval) -> None:
        """Writes one line for a whole interval of the measured window; like the tool, it leaves out an
        incomplete last one.
        """
        whole = interval.end_ns - interval.start_ns >= self._settings.interval_s * 10**9
        if interval.phase != "measure" or not whole:
            return
        self._measure()
        elapsed = (interval.index + 1) * self._settings.interval_s
        order = interval.kinds.get(KINDS[0], KindTally())
        p95, p99, longest = _tail_ms(order)
        others = ", ".join(
            f"{succeeded(kind)}|{_tail_ms(kind)[2]:.3f}"
            for kind in (interval.kinds.get(name, KindTally()) for name in KINDS[1:])
        )
        tail = f"95%: {p95:.3f}, 99%: {p99:.3f}, max_rt: {longest:.3f}"
        self._say(f"{elapsed:4d}, trx: {succeeded(order)}, {tail}, {others}")

    def end(self, result: RunResult) -> None:
        """Writes totals, constraints, TpmC."""
        self._measure()
        raw = [self._raw(number, result.kinds.get(name, KindTally())) for number, name in enumerate(KINDS)]
        self._say("", "STOPPING THREADS" + "." * self._settings.connections, "", "<Raw Results>")
        for number, (one, limit) in enumerate(zip(raw, _LIMITS, strict=True)):
            self._say(
                f"  [{number}] sc:{one.success} lt:{one.late}  rt:{one.retries}  fl:{one.failures}"
                f" avg_rt: {one.mean_ms:.1f} ({limit})"
            )
        self._say(f" in {round(result.elapsed_s)} sec.", "", "<Raw Results2(sum ver.)>")
        for number, one in enumerate(raw):
            self._say(f"  [{number}] sc:{one.success}  lt:{one.late}  rt:{one.retries}  fl:{one.failures} ")
        self._constraints(raw)
        self._say("", "<TpmC>", f"                 {raw[0].done * 60 / result.elapsed_s:.3f} TpmC")

    def _measure(self) -> None:
        """Writes once that the window has begun."""
        if not self._measuring:
            self._measuring = True
            self._say("", "MEASURING START.", "")

    def _constraints(self, raw: list[_Raw]) -> None:
        total = sum(one.done for one in raw)
        self._say("", "<Constraint Check> (all must be [OK])", " [transaction percentage]")
        for title, one, least in zip(_TITLES, raw, _LEAST_PCT, strict=True):
            if least is not None:
                share = 100.0 * one.done / total if total else 0.0
                self._say(f"{title:>15}: {share:3.2f}% (>={least:4.1f}%){_verdict(share >= least)}")
        self._say(" [response time (at least 90% passed)]")
        for title, one in zip(_TITLES, raw, strict=True):
            passed = 100.0 * one.success / one.done if one.done else 0.0
            self._say(f"{title:>15}: {passed:3.2f}% {_verdict(passed >= 90.0)}")

    def _raw(self, number: int, kind: KindTally) -> _Raw:
        if kind.times is None:
            return _Raw(0, 0, kind.retries, kind.failed, 0.0)
        encoded = kind.times.response or kind.times.service
        scale = 1000.0 if self._settings.rt_unit == "s" else 1.0
        late, timed = count_beyond(encoded, _LIMITS[number] * scale)
        mean = times_ms(encoded)["mean"] or 0.0
        return _Raw(timed - late, late, kind.retries, kind.failed, mean)

    def _say(self, *lines: str) -> None:
        self._write("".join(f"{line}\n" for line in lines))


def _tail_ms(kind: KindTally) -> tuple[float, float, float]:
    """Returns the 95th and 99th percentile and the longest time, in ms; zeros when nothing was timed."""
    if kind.times is None:
        return 0.0, 0.0, 0.0
    histogram = decode(kind.times.response or kind.times.service)
    if not histogram.total:
        return 0.0, 0.0, 0.0
    p95, p99 = histogram.percentiles([0.95, 0.99]).tolist()
    return p95 / 1e6, p99 / 1e6, histogram.max / 1e6


def _verdict(ok: bool) -> str:
    return " [OK]" if ok else " [NG] *"
