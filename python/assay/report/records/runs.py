"""The runs as they were carried out, with the files their numbers come from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.folder import Manifest
from assay.report.material import Material


@dataclass(frozen=True)
class RunRecord:
    """One run. Paths are relative to the results folder; `events` has one (load, path) a rung."""

    run_id: str
    block: int
    position: int
    treatment: str
    status: str
    started_ns: int
    seconds: float
    failure: str | None
    folder: str
    events: tuple[tuple[float, str], ...]


def run_records(material: Material) -> list[RunRecord]:
    """Every finished run, whole or failed, in the order in which they ran."""
    records = []
    for folder in material.folder.finished_runs():
        manifest = msgspec.json.decode(folder.manifest.read_bytes(), type=Manifest)
        base = Path("runs") / folder.path.name
        records.append(
            RunRecord(
                run_id=manifest.run_id,
                block=manifest.block,
                position=manifest.position,
                treatment=manifest.treatment,
                status=manifest.status,
                started_ns=manifest.started_wall_ns,
                seconds=(manifest.ended_wall_ns - manifest.started_wall_ns) / 1e9,
                failure=manifest.failure.message if manifest.failure else None,
                folder=base.as_posix(),
                events=tuple(
                    (rung.load, (base / rung.dir / "events.jsonl").as_posix()) for rung in manifest.rungs
                ),
            )
        )
    return sorted(records, key=lambda record: (record.started_ns, record.block, record.position))
