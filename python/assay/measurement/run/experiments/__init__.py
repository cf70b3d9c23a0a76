"""The list of experiments beyond a steady load: a file each, a line here, an entry in
`assay.design.study.experiments`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assay.measurement.run.experiments import (
    buffer_pool_warmup,
    bulk_load,
    connection_storm,
    crash_recovery,
    open_transactions,
    replication,
    schema_change,
)
from assay.measurement.run.experiments.stage import Stage

EXPERIMENTS: dict[str, Callable[[Stage], Mapping[str, float]]] = {
    "bulk-load": bulk_load.carry_out,
    "crash-recovery": crash_recovery.carry_out,
    "schema-change": schema_change.carry_out,
    "buffer-pool-warmth": buffer_pool_warmup.carry_out,
    "connection-storm": connection_storm.carry_out,
    "replication": replication.carry_out,
    "open-transactions": open_transactions.carry_out,
}
"""The functions that carry out each experiment on its stage and return its measures, by name."""

__all__ = ["EXPERIMENTS", "Stage"]
