"""A single measurement in words: the live line of each interval and the summary at the end."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from assay.compat.tpcc_mysql import print_histograms, print_tpcc
from assay.engine.rates import error_count, interval_p95_ms, interval_seconds, per_second
from assay.folder import Interval
from assay.terminal.safe_console import AssayConsole
from assay.wording import counted

_COLUMNS = ("min", "mean", "p50", "p95", "p99", "max")
_KIND_COLUMNS = ("mean", "p50", "p90", "p95", "p99", "p99_9", "max")
_KINDS_WIDTH = 120
_PARTS_WIDTH = 170


def live_line(interval: Interval, *, elapsed_s: float, connections: int) -> str:
    """`[ 3s ] threads 64  tps 1234.5  qps 24690  p95 12.3 ms  err/s 0.0`"""
    seconds = interval_seconds(interval)
    p95 = interval_p95_ms(interval)
    digits = 0 if abs(elapsed_s - round(elapsed_s)) < 0.05 else 1
    where = "warm-up " if interval.phase == "warmup" else ""
    line = (
        f"[ {where}{elapsed_s:.{digits}f}s ] threads {connections}"
        f"  tps {per_second(interval.transactions, seconds):.1f}"
        f"  qps {per_second(interval.queries, seconds):.0f}"
        f"  p95 {'-' if p95 is None else f'{milliseconds(p95)} ms'}"
        f"  err/s {per_second(error_count(interval), seconds):.1f}"
    )
    if interval.reconnects:
        line += f"  reconnects {interval.reconnects}"
    if interval.queued:
        line += f"  queued {interval.queued}"
    return line


def milliseconds(value: float | None) -> str:
    """Three figures that matter: `0.123`, `1.23`, `12.3`, `123`, `1,234`."""
    if value is None:
        return "-"
    for limit, digits in ((1, 3), (10, 2), (100, 1)):
        if value < limit:
            return f"{value:.{digits}f}"
    return f"{value:,.0f}"


def print_figures(figures: dict[str, Any], console: Console, *, histograms: bool = False) -> None:
    """The summary of `figures()`; `histograms` of TPC-C too."""
    settings = figures["settings"]
    console.print()
    load = _load(figures, settings)
    console.print(f"[bold]{figures['workload']}[/bold]  {load}, {figures['elapsed_s']:.1f} s measured")
    if not figures["complete"]:
        console.print("[yellow]The window ended early: the figures cover the time until then.[/yellow]")
    console.print(_totals(figures))
    console.print(_latencies(figures))
    if "kinds" in figures:
        # Of those without a share in the mix there is nothing to say.
        kinds = {name: kind for name, kind in figures["kinds"].items() if _came(kind)}
        console.print()
        _wide(console, _KINDS_WIDTH).print(_kinds(kinds, open_loop="wait_ms" in figures))
        console.print()
        _wide(console, _PARTS_WIDTH).print(_parts(kinds))
    if "tpcc" in figures:
        console.print()
        print_tpcc(figures["tpcc"], figures["facts"], console)
        if histograms:
            console.print()
            print_histograms(figures["tpcc"], console)
        console.print()
    elif "counters" in figures:
        console.print()
        console.print(_counters(figures["counters"], figures["elapsed_s"]))
    for line in _remarks(figures):
        console.print(line)


def _load(figures: dict[str, Any], settings: dict[str, Any]) -> str:
    connections = counted(settings["threads"], "connection")
    if "terminals" in figures:
        return f"{counted(figures['terminals']['count'], 'terminal')} over {connections}"
    if settings["rate"]:
        return f"{settings['rate']:g} {settings['arrivals']} arrivals/s over {connections}"
    return f"{connections}, closed loop"


def _totals(figures: dict[str, Any]) -> Table:
    table = _table("", "count", "per second")
    seconds = figures["elapsed_s"]
    rows = [("transactions", "events"), ("queries", "queries"), ("  read", "reads"), ("  write", "writes")]
    rows += [("  other", "other"), ("errors", "errors")]
    rows += [(name, name) for name in ("retries", "failed", "reconnects", "dropped") if figures[name]]
    for title, key in rows:
        table.add_row(title, f"{figures[key]:,}", f"{per_second(figures[key], seconds):,.1f}")
    return table


def _latencies(figures: dict[str, Any]) -> Table:
    open_loop = "wait_ms" in figures
    table = _table("response ms" if open_loop else "service ms", "count", *_COLUMNS)
    key = "response_ms" if open_loop else "service_ms"
    if key in figures:
        _latency_row(table, "transaction", figures["events"], figures[key])
    if open_loop:
        _latency_row(table, "  wait for a connection", figures["events"], figures["wait_ms"])
        _latency_row(table, "  service", figures["events"], figures["service_ms"])
    # Kinds have a table of their own; their statements are many, and in --json.
    labels = {} if "kinds" in figures else figures["labels"]
    for label, times in labels.items():
        _latency_row(table, label, times["count"], times["service_ms"])
    return table


def _wide(console: Console, least: int) -> Console:
    """The same place, for a table that a narrow terminal would cut: figures without last digits are none."""
    width = max(console.width, least)
    return AssayConsole(file=console.file, width=width, force_terminal=console.is_terminal)


def _came(kind: dict[str, Any]) -> bool:
    return bool(kind["count"] or kind["failed"] or kind["errors_by_code"])


def _kinds(kinds: dict[str, Any], *, open_loop: bool) -> Table:
    shown = [column.replace("_", ".") for column in _KIND_COLUMNS]
    table = _table(
        "response ms" if open_loop else "service ms", "count", "/s", *shown, "retries", "failed", "errors"
    )
    for name, kind in kinds.items():
        times = kind.get("response_ms", {})
        table.add_row(
            name,
            f"{kind['count']:,}",
            f"{kind['per_second']:,.1f}",
            *(milliseconds(times.get(column)) for column in _KIND_COLUMNS),
            f"{kind['retries']:,}",
            f"{kind['failed']:,}",
            f"{sum(kind['errors_by_code'].values()):,}",
        )
    return table


def _counters(counters: dict[str, int], seconds: float) -> Table:
    table = _table("counters", "count", "per second")
    for name, count in counters.items():
        table.add_row(name, f"{count:,}", f"{per_second(count, seconds):,.1f}")
    return table


_PART_COLUMNS = ("mean", "p90", "p99", "max")


def _parts(kinds: dict[str, Any]) -> Table:
    """What response times are made of: the queue for a connection, service, in it tries that failed."""
    queues = any("wait_ms" in kind for kind in kinds.values())
    columns = [f"{part} {column}" for part in ("queue", "service")[not queues :] for column in _PART_COLUMNS]
    table = _table("parts of it, ms", *columns, "last try", "failed tries", "each")
    for column in table.columns:
        column.no_wrap = True
    for name, kind in kinds.items():
        parts = [kind.get(part, {}) for part in ("wait_ms", "service_ms")[not queues :]]
        retry = kind["retry"]
        table.add_row(
            name,
            *(milliseconds(part.get(column)) for part in parts for column in _PART_COLUMNS),
            milliseconds(retry["last_try_mean_ms"]),
            f"{retry['tries']:,}",
            milliseconds(retry["mean_ms"]),
        )
    return table


def _latency_row(table: Table, title: str, count: int, times: dict[str, float | None]) -> None:
    table.add_row(title, f"{count:,}", *(milliseconds(times[column]) for column in _COLUMNS))


def _remarks(figures: dict[str, Any]) -> list[str]:
    engine, connections = figures["engine"], figures["connections"]
    lines = []
    if figures["errors_by_code"]:
        codes = ", ".join(f"{code}: {count:,}" for code, count in figures["errors_by_code"].items())
        lines.append(f"Errors by server code    {codes}  (0 is a lost connection)")
    who = "terminal" if "terminals" in figures else "connection"
    served = figures.get("terminals", connections)
    lines.append(
        f"{f'Transactions/{who}':<23}  min {served['min']:,}, mean {served['mean']:,.1f},"
        f" max {served['max']:,}"
    )
    if "deferred" in figures:
        lines.append(_deferred(figures["deferred"]))
    cost = engine["cpu_us_per_query"]
    lines.append(
        f"Engine                   {engine['cpu_s']:.2f} CPU s"
        + (f", {cost:.1f} µs per query" if cost is not None else "")
        + f", {engine['max_rss_bytes'] / 2**20:.0f} MiB at most"
    )
    if "wait_ms" not in figures:
        lines.append(
            "Closed loop: a stalled server also stops the load, so these latencies understate what users"
            " would see."
        )
    return lines


def _deferred(deferred: dict[str, int]) -> str:
    """Counts from the start of the load to its end, warm-up and drain included."""
    line = (
        f"Left for later           {deferred['queued']:,} queued, {deferred['completed']:,} completed,"
        f" {deferred['longest_queue']:,} waited at most"
    )
    parts = [(deferred["unfinished"], "not completed"), (deferred["failed"], "given up")]
    return line + "".join(f", {count:,} {word}" for count, word in parts if count)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column(columns[0])
    for column in columns[1:]:
        table.add_column(column, justify="right")
    return table
