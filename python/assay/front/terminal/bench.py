"""Prints the summary of a single measurement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.table import Table

from assay.base.numbers import number
from assay.base.wording import counted
from assay.design.folder import ActionResult, response_times
from assay.experiments.bench import ActionOutcome, distribution
from assay.front.terminal.safe_console import AssayConsole
from assay.front.terminal.tables import figures_table
from assay.system.engine import FOR_MEASURING, per_second

_COLUMNS = ("min", "mean", "p50", "p95", "p99", "max")
_KIND_COLUMNS = ("mean", "p50", "p90", "p95", "p99", "p99_9", "max")
_KINDS_WIDTH = 120
_PARTS_WIDTH = 170


Own = Callable[[dict[str, Any], AssayConsole], None]
"""Prints a workload's own figures in place of its counters; it is called with all figures."""


def print_measured(
    measured: ActionOutcome, console: AssayConsole, *, own: Own | None = None, histogram: bool = False
) -> None:
    """Prints the outcome of an action, if it has any; with `histogram` also the distribution of times."""
    if measured.done is not None:
        console.print(_done(measured, measured.done))
    if measured.result is None or _failed_at_once(measured):
        return
    print_figures(measured.figures, console, own=own)
    if (percent := measured.bench.percentile) is not None:
        times = response_times(measured.result)
        time = None if times is None else times.percentile(percent / 100)
        value = "-" if time is None else f"{'≥ ' if time.at_least else ''}{time.ms:.3f} ms"
        console.print(f"{f'p{percent:g} of latency':<23}  {value}")
    if histogram:
        console.print()
        for line in _histogram(distribution(measured.result)):
            console.print(line, markup=False)


_SAYS_NOTHING_S = 1.0


def _failed_at_once(measured: ActionOutcome) -> bool:
    """Returns whether a job failed before there was a second to report, so that only its error is printed."""
    result = measured.result
    return measured.error is not None and result is not None and result.elapsed_s < _SAYS_NOTHING_S


def _histogram(bins: list[dict[str, float]]) -> list[str]:
    """Returns a bar of text for each bin."""
    if not bins:
        return ["no transaction was timed"]
    most = max(one["count"] for one in bins)
    lines = [f"{'latency up to ms':>18}  {'count':>12}"]
    for one in bins:
        bar = "*" * round(40 * one["count"] / most)
        lines.append(f"{one['to_ms']:>18.3f}  {int(one['count']):>12,}  {bar}".rstrip())
    return lines


def _done(measured: ActionOutcome, done: ActionResult) -> str:
    bench, checks = measured.bench, len(measured.checks)
    tables = counted(done.tables, "table")
    match bench.action:
        case "prepare" if bench.resume and not done.rows_by_table:
            were = "was" if done.tables == 1 else "were"
            return f"Nothing to load: {tables} {were} already complete, and made with these options."
        case "prepare":
            speed = done.rows / done.elapsed_s if done.elapsed_s > 0 else 0.0
            rows = counted(done.rows, "row")
            return f"Prepared {tables}, {rows}, in {done.elapsed_s:.1f} s ({speed:,.0f} rows/s)."
        case "cleanup":
            if done.tables == 0:
                return "There were no tables to drop."
            return f"Dropped {tables} in {done.elapsed_s:.1f} s."
        case _ if measured.resized:
            return (
                f"Checked {tables}, {done.rows:,} rows: not the number that these options make."
                " Either a load has changed the tables since prepare, or they were made with other options."
            )
        case _:
            hold = "holds" if checks == 1 else "hold"
            conditions = f", {counted(checks, 'condition')} {hold}" if checks else ""
            return f"Checked {tables}, {counted(done.rows, 'row')}: whole{conditions}."


def print_figures(figures: dict[str, Any], console: AssayConsole, *, own: Own | None = None) -> None:
    """Prints the summary of `figures()`."""
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
    if own is not None:
        console.print()
        own(figures, console)
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
    table = figures_table("", "count", "per second")
    seconds = figures["elapsed_s"]
    rows = [("transactions", "events"), ("queries", "queries"), ("  read", "reads"), ("  write", "writes")]
    rows += [("  other", "other"), ("errors", "errors")]
    rows += [(name, name) for name in ("retries", "failed", "reconnects", "dropped") if figures[name]]
    for title, key in rows:
        table.add_row(title, f"{figures[key]:,}", f"{per_second(figures[key], seconds):,.1f}")
    return table


def _latencies(figures: dict[str, Any]) -> Table:
    open_loop = "wait_ms" in figures
    table = figures_table("response ms" if open_loop else "service ms", "count", *_COLUMNS)
    key = "response_ms" if open_loop else "service_ms"
    if key in figures:
        _latency_row(table, "transaction", figures["events"], figures, key)
    if open_loop:
        _latency_row(table, "  wait for a connection", figures["events"], figures, "wait_ms")
        _latency_row(table, "  service", figures["events"], figures, "service_ms")
    # Kinds have a table of their own; their statements are many, and in --json.
    labels = {} if "kinds" in figures else figures["labels"]
    for label, times in labels.items():
        _latency_row(table, label, times["count"], times, "service_ms")
    return table


def _wide(console: AssayConsole, least: int) -> AssayConsole:
    """Returns a console of at least `least` columns on the same stream.

    A narrow terminal would cut digits off figures.
    """
    width = max(console.width, least)
    return AssayConsole(file=console.file, width=width, force_terminal=console.is_terminal)


def _came(kind: dict[str, Any]) -> bool:
    return bool(kind["count"] or kind["failed"] or kind["errors_by_code"])


def _kinds(kinds: dict[str, Any], *, open_loop: bool) -> Table:
    shown = [column.replace("_", ".") for column in _KIND_COLUMNS]
    table = figures_table(
        "response ms" if open_loop else "service ms", "count", "/s", *shown, "retries", "failed", "errors"
    )
    for name, kind in kinds.items():
        table.add_row(
            name,
            f"{kind['count']:,}",
            f"{kind['per_second']:,.1f}",
            *_shown(kind, "response_ms", _KIND_COLUMNS),
            f"{kind['retries']:,}",
            f"{kind['failed']:,}",
            f"{sum(kind['errors_by_code'].values()):,}",
        )
    return table


def _counters(counters: dict[str, int], seconds: float) -> Table:
    table = figures_table("counters", "count", "per second")
    for name, count in counters.items():
        table.add_row(name, f"{count:,}", f"{per_second(count, seconds):,.1f}")
    return table


_PART_COLUMNS = ("mean", "p90", "p99", "max")


def _parts(kinds: dict[str, Any]) -> Table:
    """Returns a table of the parts of response times: waiting for a connection, service, and failed tries
    within it.
    """
    queues = any("wait_ms" in kind for kind in kinds.values())
    columns = [f"{part} {column}" for part in ("queue", "service")[not queues :] for column in _PART_COLUMNS]
    table = figures_table("components, ms", *columns, "last try", "failed tries", "each")
    for column in table.columns:
        column.no_wrap = True
    for name, kind in kinds.items():
        parts = ("wait_ms", "service_ms")[not queues :]
        retry = kind["retry"]
        table.add_row(
            name,
            *(shown for part in parts for shown in _shown(kind, part, _PART_COLUMNS)),
            number(retry["last_try_mean_ms"]),
            f"{retry['tries']:,}",
            number(retry["mean_ms"]),
        )
    return table


def _latency_row(table: Table, title: str, count: int, of: dict[str, Any], key: str) -> None:
    table.add_row(title, f"{count:,}", *_shown(of, key, _COLUMNS))


def _shown(of: dict[str, Any], key: str, columns: Sequence[str]) -> list[str]:
    """Returns times in milliseconds, lower bounds with their sign."""
    times, bounds = of.get(key, {}), of.get("at_least", {}).get(key, ())
    return [f"{'≥ ' if one in bounds else ''}{number(times.get(one))}" for one in columns]


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
        + ("" if engine.get("build") in FOR_MEASURING else ", by a build not for measuring")
    )
    if "at_least" in figures:
        lost = figures["abandoned"] + figures["dropped"] + figures["failed"]
        lines.append(f"≥ marks lower bounds: {counted(lost, 'transaction')} never ended, or failed.")
    if "wait_ms" not in figures:
        lines.append(
            "Closed loop: a stalled server also stops the load, so these latencies understate what users"
            " would see."
        )
    return lines


def _deferred(deferred: dict[str, int]) -> str:
    """Returns the counts of deferred work from the start of the load to its end, warm-up and drain
    included.
    """
    line = (
        f"Deferred work            {deferred['queued']:,} queued, {deferred['completed']:,} completed,"
        f" {deferred['longest_queue']:,} waited at most"
    )
    parts = [(deferred["unfinished"], "not completed"), (deferred["failed"], "given up")]
    return line + "".join(f", {count:,} {word}" for count, word in parts if count)
