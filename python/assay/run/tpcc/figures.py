"""tpmC, efficiency, limits of response times: what a result of TPC-C is read for."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from assay.folder import Kind, RunResult
from assay.run.times import percentile_ms
from assay.run.tpcc.audit import audit

NEW_ORDER = "new_order"

MOST_PER_WAREHOUSE = 12.86
"""tpmC of a warehouse whose ten terminals never wait (clause 4.2, comment)."""

LIMITS_S = {"new_order": 5.0, "payment": 5.0, "order_status": 5.0, "delivery": 5.0, "stock_level": 20.0}
"""90 % of the response times stay below (clause 5.2.5.3). Delivery is meant queued, as it is not here."""


def tpcc_figures(result: RunResult) -> dict[str, Any]:
    """tpmC as clause 5.1.1 counts it: New-Orders that began and ended inside the window, per minute,
    cut to a whole number; the rolled back ones count. `efficiency_pct`: of 12.86 for each warehouse.
    """
    warehouses = int(result.facts.get("warehouses", 0))
    orders = result.kinds[NEW_ORDER].inside if NEW_ORDER in result.kinds else 0
    tpmc = int(orders * 60 / result.elapsed_s) if result.elapsed_s > 0 else 0
    counts = {name: kind.count for name, kind in result.kinds.items()}
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
    }


def _limit(kind: Kind, limit_s: float) -> dict[str, Any]:
    p90 = None if kind.times is None else percentile_ms(kind.times.response or kind.times.service, 90.0)
    return {"limit_ms": limit_s * 1e3, "p90_ms": p90, "ok": None if p90 is None else p90 <= limit_s * 1e3}
