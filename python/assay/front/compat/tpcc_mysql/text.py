"""Prints the figures of TPC-C for people."""

from __future__ import annotations

from typing import Any

from assay.front.compat.tpcc_mysql.audit import SPEC
from assay.front.terminal import AssayConsole, figures_table


def print_tpcc(found: dict[str, Any], facts: dict[str, str], console: AssayConsole) -> None:
    """Prints tpmC, then the audit; `found` comes from `tpcc_figures`."""
    warehouses = facts.get("warehouses", "?")
    houses = "warehouse" if warehouses == "1" else "warehouses"
    per = found["tpmc_per_warehouse"]
    console.print(
        f"[bold]tpmC {found['tpmc']:,}[/bold]  dialect {found['dialect']}, {warehouses} {houses}"
        + (f", {per:,.1f} for each" if per is not None else "")
        + (
            f", {found['efficiency_pct']:,.1f} % of what paced terminals can give"
            if found["efficiency_pct"] is not None and facts.get("pacing") == "spec"
            else ""
        )
    )
    if facts.get("pacing") != "spec":
        console.print("No keying and think times: this is the machine's rate, not a publishable tpmC.")
    if found["dialect"] != SPEC:
        console.print("Statements and counting are those of tpcc-mysql: do not compare with dialect spec.")
    _audit(found, console)
    for name, limit in found["limits"].items():
        if limit["ok"] is False:
            console.print(
                f"! {name}: 90 % took up to {limit['p90_ms']:,.0f} ms, the specification allows"
                f" {limit['limit_ms']:,.0f} ms",
                markup=False,
            )
        if limit["mean_ok"] is False:
            console.print(
                f"! {name}: the mean of {limit['mean_ms']:,.0f} ms is above the 90th percentile of"
                f" {limit['p90_ms']:,.0f} ms: a few took very long",
                markup=False,
            )


_BAR = 50
"""Characters of the longest bar."""


def print_histograms(found: dict[str, Any], console: AssayConsole) -> None:
    """Prints the distributions of clause 5.6: response times and think times by type, throughput over
    time.
    """
    for title, key in (("response times", "response_histograms"), ("think times", "think_histograms")):
        for name, histogram in found[key].items():
            console.print(f"[bold]{name}[/bold]  {title}")
            _bars(histogram, console)
    if found.get("over_time"):
        console.print("[bold]New-Orders a minute[/bold]  by seconds from the start of the measured time")
        _line(found["over_time"], console)


def _bars(histogram: dict[str, Any], console: AssayConsole) -> None:
    table = figures_table("ms", "count", "", left=0)
    width, counts = histogram["bin_ms"], histogram["counts"]
    for number, count in enumerate(counts):
        table.add_row(f"{number * width:,.3f}", f"{count:,}", _bar(count, max(counts)))
    table.add_row(f"from {len(counts) * width:,.3f}", f"{histogram['beyond']:,}", "")
    console.print(table)


def _line(bins: list[dict[str, Any]], console: AssayConsole) -> None:
    table = figures_table("s", "a minute", "", left=0)
    most = max(one["orders_per_minute"] for one in bins)
    for one in bins:
        value = one["orders_per_minute"]
        where = " (warm-up)" if one["phase"] == "warmup" else ""
        table.add_row(f"{one['start_s']:,.1f}{where}", f"{value:,.1f}", _bar(value, most))
    console.print(table)


def _bar(value: float, most: float) -> str:
    return "#" * round(_BAR * value / most) if most else ""


_WORDS = {"ok": "ok", "outside": "outside", "few": "too few to say"}


def _audit(found: dict[str, Any], console: AssayConsole) -> None:
    table = figures_table("inputs", "found", "bounds", "")
    for line in found["audit"]:
        value = "-" if line["value"] is None else f"{line['value']:.2f} {line['unit']}".strip()
        table.add_row(line["name"], value, _bounds(line), _WORDS[line["verdict"]])
    console.print(table)


def _bounds(line: dict[str, Any]) -> str:
    low, high = line["low"], line["high"]
    if low is None:
        return f"at most {high:g}"
    return f"at least {low:g}" if high is None else f"{low:g} to {high:g}"
