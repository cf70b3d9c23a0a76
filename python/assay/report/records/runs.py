"""The runs as they were carried out, with the files their numbers come from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assay.folder import Manifest, ResultsFolder, read_manifest
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


def manifests(material: Material) -> list[Manifest]:
    """`run.json` of every finished run, in the order in which they ran."""
    found = [read_manifest(run) for run in material.folder.finished_runs()]
    return sorted(found, key=lambda m: (m.started_wall_ns, m.block, m.position))


def run_records(material: Material) -> list[RunRecord]:
    """Every finished run, whole or failed, in the order in which they ran."""
    records = []
    for manifest in manifests(material):
        run = material.folder.run(manifest.run_id)
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
                folder=_inside(material.folder, run.path),
                events=tuple(
                    (rung.load, _inside(material.folder, run.rung_at(rung.dir).events))
                    for rung in manifest.rungs
                ),
            )
        )
    return records


def _inside(folder: ResultsFolder, path: Path) -> str:
    return path.relative_to(folder.path).as_posix()
