"""Records of the runs as they were carried out, with the files their numbers come from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from assay.reporting.report.material import MAIN, Material

_ORDER = "ORDER BY started_ns, block, position"
_COLUMNS = (
    "run_id, block, position, treatment, started_ns, (ended_ns - started_ns) / 1e9 AS seconds,"
    " failure_message AS failure, manifest"
)


@dataclass(frozen=True)
class RunRecord:
    """One run. Paths are relative to the results folder; `events` has one (load, path) a rung."""

    run_id: str
    block: int
    position: int
    treatment: str
    status: str
    started_ns: int | None  # None: imported, and no file says it
    seconds: float | None
    failure: str | None
    manifest: str
    events: tuple[tuple[float, str], ...]


def run_records(material: Material) -> list[RunRecord]:
    """Returns every finished run, complete or failed, in the order in which they ran, and those set aside
    since.
    """
    events = defaultdict(list)
    for row in material.rows(f"SELECT run_id, load, events FROM {MAIN}.rungs ORDER BY run_id, rung"):
        events[row["run_id"]].append((row["load"], row["events"]))
    query = (
        f"SELECT {_COLUMNS}, status, false AS aside FROM {MAIN}.runs UNION ALL"
        f" SELECT {_COLUMNS}, if(status = 'failed', status, why), true FROM {MAIN}.attempts {_ORDER}"
    )
    return [
        RunRecord(events=() if row.pop("aside") else tuple(events[row["run_id"]]), **row)
        for row in material.rows(query)
    ]


def servers(material: Material) -> list[str]:
    """Returns flavour and version of every server that a run was carried out on, each once."""
    rows = material.rows(f"SELECT server_flavour, server_version FROM {MAIN}.runs {_ORDER}")
    return _each(" ".join(part for part in row.values() if part) for row in rows)


def tools(material: Material) -> list[str]:
    """Returns name and version of the programs that carried the runs out, each once."""
    rows = material.rows(f"SELECT assay, engine, python FROM {MAIN}.runs {_ORDER}")
    return _each(f"{name} {version}" for row in rows for name, version in row.items() if version)


def _each(texts: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text]
