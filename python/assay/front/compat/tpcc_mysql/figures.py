"""Computes the main figures of a TPC-C result: tpmC, efficiency, limits of response times."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from assay.base.tally import times_ms
from assay.design.folder import KindTally, RunResult, succeeded
from assay.front.compat.tpcc_mysql.audit import audit
from assay.front.compat.tpcc_mysql.histograms import NEW_ORDER, response_times, think_times

MOST_PER_WAREHOUSE = 12.86
"""tpmC of a warehouse whose ten terminals never wait (clause 4.2, comment)."""

LIMITS_S = {
    "new_order": 5.0,
    "payment": 5.0,
    "order_status": 5.0,
    "delivery": 5.0,
    "stock_level": 20.0,
    "delivery_deferred": 80.0,
}
"""Seconds below which 90 % of the response times must stay (clauses 5.2.5.3, 2.7.2). Delivery's limit is that
of the queue: where it is carried out at once, it is the stricter of two.
"""

DEFERRED = "delivery_deferred"
"""The kind of the work that queued Deliveries left, which is no card of the mix."""

TOLERANCE_MS = 100.0
"""Milliseconds by which a mean may be above the 90th percentile (clause 5.2.5.4)."""


def tpcc_figures(result: RunResult) -> dict[str, Any]:
    """Returns tpmC as clause 5.1.1 counts it: New-Orders that were wanted and ended inside the window, per
    minute, cut to a whole number; rolled back ones count. `efficiency_pct` is the percentage of 12.86 for
    each warehouse.
    """
    warehouses = int(result.facts.get("warehouses", 0))
    orders = result.kinds[NEW_ORDER].inside if NEW_ORDER in result.kinds else 0
    tpmc = int(orders * 60 / result.elapsed_s) if result.elapsed_s > 0 else 0
    counts = {name: succeeded(kind) for name, kind in result.kinds.items() if name != DEFERRED}
    lines = audit(result.counters, counts, warehouses=warehouses)
    return {
        "dialect": result.facts.get("dialect"),
        "tpmc": tpmc,
        "tpmc_per_warehouse": tpmc / warehouses if warehouses else None,
        "efficiency_pct": 100.0 * tpmc / (MOST_PER_WAREHOUSE * warehouses) if warehouses else None,
        "audit": [{**asdict(line), "verdict": line.verdict} for line in lines],
        "limits": {
            name: _limit(kind, LIMITS_S[name]) for name, kind in result.kinds.items() if name in LIMITS_S
        },
        "response_histograms": response_times(result),
        "think_histograms": think_times(result),
    }


def _limit(kind: KindTally, limit_s: float) -> dict[str, Any]:
    """Returns `ok` when the 90th percentile is within the limit, and `mean_ok` when the mean, to 0.1 s, is
    not above it.
    """
    times = times_ms(kind.times.response or kind.times.service) if kind.times is not None else {}
    p90, mean = times.get("p90"), times.get("mean")
    return {
        "limit_ms": limit_s * 1e3,
        "p90_ms": p90,
        "ok": None if p90 is None else p90 <= limit_s * 1e3,
        "mean_ms": mean,
        "mean_ok": None if p90 is None or mean is None else p90 + TOLERANCE_MS >= mean,
    }
