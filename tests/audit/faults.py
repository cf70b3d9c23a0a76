"""Faults planted in clean tables: one function a kind, each gives the rule, row and column that must be
named."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass

from printed import Printed, fileio, latencies, mix, oltp, samples


@dataclass(frozen=True)
class Planted:
    """Tables with one fault, and where the audit must see it."""

    tables: list[Printed]
    rule: str
    table: str
    column: str
    row: str  # part of the row's name


def _middle(chance: random.Random, table: Printed) -> tuple[int, str]:
    ladder = sorted({int(row["threads"]) for row in table.rows})
    return chance.choice(ladder[1:-1]), chance.choice([row["value"] for row in table.rows])


def _fine(chance: random.Random, make: Callable[[random.Random], Printed]) -> Printed:
    """A table on a ladder of doublings: on a coarse one a dip cannot be told from a peak."""
    while True:
        table = make(chance)
        ladder = sorted({int(row["threads"]) for row in table.rows})
        if len(ladder) >= 7:
            return table


def _scaled(text: str, factor: float) -> str:
    decimals = len(text.partition(".")[2])
    return f"{float(text) * factor:.{decimals}f}"


def slip_in_queries(chance: random.Random) -> Planted:
    table = _fine(chance, oltp)
    threads, level = _middle(chance, table)
    row = table.at("qps", threads, level)
    row["result"] = _scaled(row["result"], chance.choice((0.6, 0.8, 1.3, 1.7)))
    return Planted([table], "queries-per-transaction", "oltp", "qps", f"threads={threads},")


def slip_in_transactions(chance: random.Random) -> Planted:
    table = _fine(chance, oltp)
    threads, level = _middle(chance, table)
    row = table.at("tps", threads, level)
    row["result"] = _scaled(row["result"], chance.choice((0.5, 0.7, 1.4, 1.8)))
    return Planted([table], "queries-per-transaction", "oltp", "tps", f"threads={threads},")


def slip_in_bandwidth(chance: random.Random) -> Planted:
    table = _fine(chance, fileio)
    threads, level = _middle(chance, table)
    row = table.at("throughput", threads, level)
    row["result"] = _scaled(row["result"], chance.choice((0.5, 0.7, 1.4, 1.8)))
    return Planted([table], "block-size", "fileio", "throughput", f"threads={threads},")


def latency_that_cannot_be(chance: random.Random) -> Planted:
    table = _fine(chance, latencies)
    threads, level = _middle(chance, table)
    row = table.at("latency_avg", threads, level)
    row["result"] = _scaled(row["result"], 1.15)
    for name in ("latency_p95", "latency_max"):
        table.at(name, threads, level)["result"] = _scaled(table.at(name, threads, level)["result"], 1.2)
    return Planted([table], "littles-law", "latencies", "latency_avg", f"threads={threads},")


def rate_that_cannot_be(chance: random.Random) -> Planted:
    table = _fine(chance, latencies)
    threads, level = _middle(chance, table)
    row = table.at("qps", threads, level)
    row["result"] = _scaled(row["result"], 1.06)
    return Planted([table], "littles-law", "latencies", "qps", f"threads={threads},")


def percentile_below_the_least(chance: random.Random) -> Planted:
    table = _fine(chance, latencies)
    threads, level = _middle(chance, table)
    top, high = table.at("latency_max", threads, level), table.at("latency_p95", threads, level)
    top["result"], high["result"] = high["result"], top["result"]
    return Planted([table], "order", "latencies", "latency_", f"threads={threads},")


def dip_of_a_run(chance: random.Random) -> Planted:
    table = _fine(chance, oltp)
    threads, level = _middle(chance, table)
    for metric in ("tps", "qps"):
        row = table.at(metric, threads, level)
        row["result"] = _scaled(row["result"], 0.3)
    return Planted([table], "off-curve", "oltp", "tps", f"threads={threads},")


def table_again(chance: random.Random) -> Planted:
    table = _fine(chance, fileio)
    again = copy.deepcopy(table)
    again.name = "other"
    for row in again.rows:
        row["table"] = "other"
    return Planted([table, again], "copies", "other", "every column", "every row")


def column_again(chance: random.Random) -> Planted:
    table = _fine(chance, oltp)
    levels = list(dict.fromkeys(row["value"] for row in table.rows))
    for row in table.rows:
        if row["value"] == levels[1]:
            row["result"] = table.at(row["metric"], int(row["threads"]), levels[0])["result"]
    return Planted([table], "copies", "oltp", "", "every row")


def row_again(chance: random.Random) -> Planted:
    table = samples(chance)
    for row in list(table.rows):
        if row["value"] == "raid5" and row["threads"] == "17":
            row["result"] = table.at(row["metric"], 15, "raid5")["result"]
    return Planted([table], "repeated-rows", "samples", "read_throughput", "sample=17")


def total_that_is_none(chance: random.Random) -> Planted:
    table = samples(chance)
    row = table.at("total_throughput", 9, "raid10")
    row["result"] = _scaled(row["result"], 1.1)
    return Planted([table], "whole-and-parts", "samples", "total_throughput", "sample=9,")


def series_with_two_values(chance: random.Random) -> Planted:
    table = _fine(chance, oltp)
    level = table.rows[0]["value"]
    other = {"table": "again", "param": "cache", "value": "all"}
    again = Printed("again", rows=[row | other for row in table.rows if row["value"] == level])
    threads, _ = _middle(chance, again)
    for metric in ("tps", "qps"):
        row = again.at(metric, threads, "all")
        row["result"] = _scaled(row["result"], 0.9)
    return Planted([table, again], "two-values", "", "tps", f"threads={threads},")


def percentage_of_other_counts(chance: random.Random) -> Planted:
    table = mix(chance)
    row = table.at("mix_share", 64, "Payment")
    row["result"] = _scaled(row["result"], 1.07)
    return Planted([table], "shares", "mix", "mix_share", "Payment")


def more_than_all(chance: random.Random) -> Planted:
    table = mix(chance)
    row = table.at("in_time", 64, "Delivery")
    row["result"] = "104.20"
    return Planted([table], "shares", "mix", "in_time", "Delivery")


FAULTS: tuple[Callable[[random.Random], Planted], ...] = (
    slip_in_queries,
    slip_in_transactions,
    slip_in_bandwidth,
    latency_that_cannot_be,
    rate_that_cannot_be,
    percentile_below_the_least,
    dip_of_a_run,
    table_again,
    column_again,
    row_again,
    total_that_is_none,
    series_with_two_values,
    percentage_of_other_counts,
    more_than_all,
)
