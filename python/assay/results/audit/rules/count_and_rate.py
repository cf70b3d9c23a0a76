"""The rule that a rate is a count divided by the measured time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from statistics import median

from assay.base.numbers import plain
from assay.results.audit.identity import TOLERANCE, Sum, broken
from assay.results.audit.metrics import BYTES_PER_S, role_of, seconds
from assay.results.audit.model import Cell, Finding, Levels, Material, at
from assay.results.audit.rules.ratios import blamed
from assay.results.audit.rules.rule import Rule


def _check(material: Material) -> Iterator[Finding]:
    yield from _by_runtime(material)
    yield from _by_window(material)


def _by_runtime(material: Material) -> Iterator[Finding]:
    """Yields findings for prints that state the measured time: fio's reports."""
    counts, volumes = [], []
    for table in material.tables:
        for row in table.rows.values():
            runtime = row.get("runtime")
            if runtime is None or not runtime.value:
                continue
            time_s = seconds(runtime.value, runtime.unit)
            if "issued" in row and "iops" in row:
                counts.append(_over(row["issued"], row["iops"], 1 / time_s))
            if "io_total" in row and "bandwidth" in row:
                unit = 1048576.0 / BYTES_PER_S.get(row["bandwidth"].unit, 1048576.0)
                volumes.append(_over(row["io_total"], row["bandwidth"], unit / time_s))
    for sums in (counts, volumes):
        for miss in broken(sums, is_arithmetic=True):
            yield blamed(
                material,
                RULE.name,
                miss,
                f"count / time measured = rate elsewhere; here {100 * miss.off:+.1f} %",
            )


def _over(count: Cell, rate: Cell, each: float) -> Sum[tuple[Cell, Cell]]:
    figure = count.figure
    return Sum((count, rate), rate.figure, figure.value * each, figure.low * each, figure.high * each)


def _by_window(material: Material) -> Iterator[Finding]:
    """Yields findings where requests / rate is not the same time in every row, or longer by the longest
    operation.
    """
    for table in material.tables:
        rows = [found for row in table.rows.values() if (found := _timed(row))]
        quick = [time for *_, time, worst in rows if worst < 0.1 * time]
        if len(quick) < 3:
            continue
        window = median(quick)
        misses = [
            (count, rate, time) for count, rate, time, worst in rows if not _fits(count, rate, window, worst)
        ]
        if not misses or 2 * len(misses) >= len(rows):
            continue
        for count, rate, time in misses:
            expected = count.value / window
            slack = count.figure.step / window
            took = f"{plain(time, 3)} s, elsewhere {plain(window, 3)} s"
            sign = f"{count.figure.text} operations at this rate take {took}"
            miss = Sum((count, rate), rate.figure, expected, expected - slack / 2, expected + slack)
            yield blamed(material, RULE.name, miss, sign)


def _timed(row: Mapping[str, Cell]) -> tuple[Cell, Cell, float, float] | None:
    roles = {
        (role.kind, role.stat): cell for cell in row.values() if (role := role_of(cell.metric, cell.unit))
    }
    count, rate = roles.get(("count", "mean")), roles.get(("qps", "mean")) or roles.get(("tps", "mean"))
    if count is None or rate is None or not rate.value or not count.value:
        return None
    longest = roles.get(("latency", "max"))
    return count, rate, count.value / rate.value, seconds(longest.value, longest.unit) if longest else 0.0


def _fits(count: Cell, rate: Cell, window: float, worst_s: float) -> bool:
    shortest, longest = count.figure.low / rate.figure.high, count.figure.high / max(rate.figure.low, 1e-12)
    return longest >= window * (1 - TOLERANCE) and shortest <= (window + worst_s) * (1 + TOLERANCE)


def _per_minute(material: Material) -> Iterator[Finding]:
    """Yields findings where tpmC is not the answered new orders, in time or late, over the measured
    minutes.
    """
    sums: list[Sum[tuple[Cell, Cell]]] = []
    for table in material.tables:
        groups: dict[Levels, dict[str, list[Cell]]] = {}
        for (levels, _), row in table.rows.items():
            whose = tuple(one for one in levels if one[0] != "transaction")
            for cell in row.values():
                groups.setdefault(whose, {}).setdefault(cell.metric, []).append(cell)
        for cells in groups.values():
            orders = [
                cell
                for name in ("raw_success", "raw_late")
                for cell in cells.get(name, [])
                if re.fullmatch(r"new[-_ ]order", cell.level("transaction"), re.IGNORECASE)
            ]
            if len(orders) == 2 and "tpmc" in cells and "measure" in cells:
                minutes = seconds(cells["measure"][0].value, cells["measure"][0].unit) / 60
                done = sum(cell.value for cell in orders) / minutes
                sums.append(Sum((orders[0], cells["tpmc"][0]), cells["tpmc"][0].figure, done, done, done))
    kept = sum(one.kept for one in sums)
    for miss in sums:
        if not miss.kept:
            known = f"{kept} other prints come out" if kept else ""
            yield at(
                miss.where[1],
                RULE.name,
                "error",
                "high",
                expected=plain(miss.expected, 6),
                sign=f"new orders over the minutes measured: {100 * miss.off:+.1f} %",
                second_sign=known,
            )


def _all(material: Material) -> Iterator[Finding]:
    yield from _check(material)
    yield from _per_minute(material)


RULE = Rule(
    "count-and-rate",
    "count / time = rate; requests / rate = the time measured",
    _all,
    kind="arithmetic",
    must="count / time = rate; requests / rate is the same time in every row; tpmC = new orders a minute",
)
