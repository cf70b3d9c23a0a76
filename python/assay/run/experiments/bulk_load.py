"""Bulk load: tables are made and filled on an empty server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.run.experiments.stage import Stage

_SYSTEM = ("mysql", "performance_schema", "sys", "test")


def carry_out(stage: Stage) -> Mapping[str, float]:
    """Seconds, CPU and bytes of one load."""
    stage.step(f"loading over {stage.sessions} sessions")
    engine = {
        "loaders": stage.sessions,
        "index_first": stage.options["index"] == "before",
        "load_as": stage.options["way"],
    }
    before = _used(stage.server.pid)
    done = stage.run(stage.job("prepare", engine=engine), keep=True).require().done
    assert done is not None
    after = _used(stage.server.pid)
    stage.moment("loaded")
    rows = max(done.rows, 1)
    files = _files(stage.server.paths[0])
    return {
        "load_s": done.elapsed_s,
        "load_rows_per_s": done.rows / done.elapsed_s,
        "load_cpu_us_per_row": (after.cpu_us - before.cpu_us) / rows,
        "load_write_bytes_per_row": (after.written_bytes - before.written_bytes) / rows,
        "file_bytes_per_row": sum(path.stat().st_size for path in files) / rows,
        "disk_bytes_per_row": sum(path.stat().st_blocks * 512 for path in files) / rows,
    }


@dataclass(frozen=True)
class _Used:
    """By a process since its start (proc(5): stat, io)."""

    cpu_us: float
    written_bytes: int


def _used(pid: int | None) -> _Used:
    assert pid is not None, "an experiment has a server of its own"
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(stat[11]) + int(stat[12])
    written = Path(f"/proc/{pid}/io").read_text().partition("\nwrite_bytes:")[2].split("\n", 1)[0]
    return _Used(ticks * 1e6 / 100, int(written))


def _files(data_dir: Path) -> list[Path]:
    """Of the tables: one folder a database, the server's own left out."""
    return [
        path
        for folder in data_dir.iterdir()
        if folder.is_dir() and folder.name not in _SYSTEM and not folder.name.startswith(("#", "."))
        for path in folder.iterdir()
        if path.is_file()
    ]
