"""Synthetic result tables: clean ones from a scalability law, and faults planted in them.

A table obeys what a real one obeys: queries are a constant x transactions, bandwidth is IOPS x block size,
rate x mean latency is the connections, counts are rate x time. Runs have noise; identities do not, but for
the rounding of the digits printed.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

COLUMNS = (
    "study",
    "table",
    "source_line",
    "workload",
    "metric",
    "unit",
    "threads",
    "param",
    "value",
    "result",
)


@dataclass
class Printed:
    """A table in long form; `at` finds the row of one figure."""

    name: str
    axis: str = "threads"
    rows: list[dict[str, str]] = field(default_factory=list)

    def add(self, metric: str, unit: str, threads: int, level: str, result: str, param: str = "pool") -> None:
        line = str(100 + len(self.rows))
        self.rows.append(
            dict(
                zip(
                    COLUMNS,
                    ("s1", self.name, line, "oltp", metric, unit, str(threads), param, level, result),
                    strict=True,
                )
            )
        )

    def at(self, metric: str, threads: int, level: str) -> dict[str, str]:
        (found,) = (
            row
            for row in self.rows
            if (row["metric"], row["threads"], row["value"]) == (metric, str(threads), level)
        )
        return found

    def write(self, folder: Path) -> Path:
        path = folder / f"{self.name}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writerow({name: self.axis if name == "threads" else name for name in COLUMNS})
            writer.writerows(self.rows)
        return path

    def wide(self, separator: str) -> str:
        """The same table as people paste it: a load point a row, a series a column."""
        names = list(dict.fromkeys((row["metric"], row["value"]) for row in self.rows))
        ladder = list(dict.fromkeys(row["threads"] for row in self.rows))
        lines = [["threads", *(f"{metric} {level}" for metric, level in names)]]
        lines += [[n, *(self.at(metric, int(n), level)["result"] for metric, level in names)] for n in ladder]
        return "\n".join(separator.join(line) for line in lines) + "\n"


LADDERS = (
    (8, 16, 32, 64, 128, 256, 512),
    (1, 2, 4, 8, 16, 32, 64, 128),
    (16, 32, 64, 128, 256, 512, 1024, 2048),
    (1, 8, 64, 256, 1024),
)


def law(chance: random.Random) -> Callable[[int], float]:
    """A curve of the universal scalability law with a peak somewhere on usual ladders."""
    each, contention, crosstalk = (
        chance.uniform(80, 900),
        chance.uniform(0.005, 0.12),
        10 ** chance.uniform(-7, -4.3),
    )
    return lambda n: each * n / (1 + contention * (n - 1) + crosstalk * n * (n - 1))


def levels_of(chance: random.Random) -> list[tuple[str, float]]:
    names = chance.choice(
        (["off", "on"], ["1", "4", "16"], ["none", "15%"], ["512M", "1024M", "2048M", "4096M"])
    )
    return [(name, chance.uniform(0.85, 1.2)) for name in names]


def oltp(chance: random.Random, name: str = "oltp") -> Printed:
    """Transactions and queries by threads and level; sometimes with the load average."""
    table, curve, ladder = Printed(name), law(chance), chance.choice(LADDERS)
    each, digits, noise = (
        chance.choice((10, 16, 18, 20)),
        chance.choice((0, 1, 2)),
        chance.uniform(0.002, 0.03),
    )
    with_load = chance.random() < 0.5
    for level, factor in levels_of(chance):
        for n in ladder:
            tps = curve(n) * factor * chance.lognormvariate(0, noise)
            table.add("tps", "1/s", n, level, f"{tps:.{digits}f}")
            table.add("qps", "1/s", n, level, f"{tps * each:.{digits}f}")
            if with_load:
                table.add(
                    "load", "tasks", n, level, f"{4 + 0.4 * n**0.7 * chance.lognormvariate(0, 0.08):.2f}"
                )
    return table


def fileio(chance: random.Random, name: str = "fileio") -> Printed:
    """IOPS and bandwidth of blocks of one size, with reads, writes and their total."""
    table, curve, ladder = Printed(name), law(chance), chance.choice(LADDERS)
    block, noise = chance.choice((4, 8, 16)), chance.uniform(0.002, 0.03)
    for level, factor in levels_of(chance):
        for n in ladder:
            iops = curve(n) * factor * 3 * chance.lognormvariate(0, noise)
            table.add("iops", "1/s", n, level, f"{iops:.2f}")
            table.add("throughput", "MB/s", n, level, f"{iops * block / 1024:.2f}")
    return table


def latencies(chance: random.Random, name: str = "latencies") -> Printed:
    """Requests, rate and latencies of closed loops that measured a minute, averaged over three runs."""
    table, curve, ladder = Printed(name), law(chance), chance.choice(LADDERS)
    noise, seconds = chance.uniform(0.002, 0.02), chance.choice((30, 60, 300))
    for level, factor in levels_of(chance):
        for n in ladder:
            runs = [curve(n) * factor * chance.lognormvariate(0, noise) for _ in range(3)]
            qps, mean = sum(runs) / 3, sum(1000 * n / run for run in runs) / 3
            p95 = mean * chance.uniform(1.2, 2.5)
            worst = p95 * chance.uniform(2, 8)
            table.add("requests", "1", n, level, f"{qps * seconds:.0f}")
            table.add("qps", "1/s", n, level, f"{qps:.0f}")
            table.add("latency_min", "ms", n, level, f"{mean * chance.uniform(0.05, 0.4):.3f}")
            table.add("latency_avg", "ms", n, level, f"{mean:.{chance.choice((2, 3))}f}")
            table.add("latency_p95", "ms", n, level, f"{p95:.2f}")
            table.add("latency_max", "ms", n, level, f"{worst:.1f}")
    return table


def samples(chance: random.Random, name: str = "samples") -> Printed:
    """Reads, writes and their total, sample after sample."""
    table = Printed(name, "sample")
    for level in ("raid5", "raid10"):
        for n in range(1, 21):
            read, write = chance.uniform(250, 340), chance.uniform(200, 260)
            table.add("read_throughput", "MB/s", n, level, f"{read:.2f}")
            table.add("write_throughput", "MB/s", n, level, f"{write:.2f}")
            table.add("total_throughput", "MB/s", n, level, f"{round(read, 2) + round(write, 2):.2f}")
    return table


def mix(chance: random.Random, name: str = "mix") -> Printed:
    """Counts of transactions and their shares, as TPC-C tools print them; `value` is the transaction."""
    table = Printed(name)
    total = chance.randint(50_000, 2_000_000)
    kinds = {
        "New-Order": 0.4348,
        "Payment": 0.4348,
        "Order-Status": 0.0435,
        "Delivery": 0.0434,
        "Stock-Level": 0.0435,
    }
    done = {kind: round(total * share * chance.uniform(0.99, 1.01)) for kind, share in kinds.items()}
    late = {kind: round(count * chance.uniform(0.001, 0.02)) for kind, count in done.items()}
    whole = sum(done.values()) + sum(late.values())
    for kind in kinds:
        table.add("success", "transactions", 64, kind, str(done[kind]), "transaction")
        table.add("late", "transactions", 64, kind, str(late[kind]), "transaction")
        table.add("mix_share", "%", 64, kind, f"{100 * (done[kind] + late[kind]) / whole:.2f}", "transaction")
        table.add(
            "in_time", "%", 64, kind, f"{100 * done[kind] / (done[kind] + late[kind]):.2f}", "transaction"
        )
    return table


MAKERS: Sequence[Callable[[random.Random, str], Printed]] = (oltp, fileio, latencies, samples, mix)
