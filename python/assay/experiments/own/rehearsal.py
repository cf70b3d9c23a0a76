"""Has the engine try the statements of a file on a server, and counts what came of each."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import msgspec

from assay.base.errors import ConnectError, HostError, InputError, Interrupted, ServerError, ServerLost
from assay.base.format.job import Job
from assay.system.engine import find_engine

_KINDS = {one.exit_code: one for one in (InputError, ConnectError, ServerError, ServerLost)}


class _Line(msgspec.Struct, frozen=True):
    """A line of what the engine says: a statement of the file, what was drawn for one, or an execution."""

    statement: int | None = None
    label: str = ""
    sql: str = ""
    place: str | None = None
    reads: bool = False
    refused: str | None = None
    drawn_for: int | None = None
    times: int = 0
    different: int = 0
    of: int | None = None
    ns: int = 0
    rows: int = 0
    bytes: int = 0
    affected: int = 0
    result: bool = False
    warnings: int = 0
    after_unsent: bool = False
    unsent: bool = False
    error: int | None = None
    message: str | None = None
    text: str | None = None


@dataclass
class Tried:
    """A statement of a file, and what came of its executions on a server.

    `hits` counts those of `lookups` that found, or removed, a row. `drawn` and `different`: how often its
    values were drawn without being sent, and how many different ones there were.
    """

    label: str
    sql: str
    place: str | None
    reads: bool
    refused: str | None
    drawn: int = 0
    different: int = 0
    times_ns: list[int] = field(default_factory=list)
    rows: int = 0
    bytes: int = 0
    lookups: int = 0
    hits: int = 0
    changes: int = 0
    unsent: int = 0
    warnings: int = 0
    errors: Counter[tuple[int, str]] = field(default_factory=Counter)
    texts: list[str] = field(default_factory=list)

    @property
    def executions(self) -> int:
        return len(self.times_ns)

    @property
    def median_ms(self) -> float | None:
        return median(self.times_ns) / 1e6 if self.times_ns else None

    @property
    def hit_rate(self) -> float | None:
        return self.hits / self.lookups if self.lookups else None


def rehearsed(
    job: Job, *, writes: bool, env: dict[str, str], tell: Callable[[str], None] = lambda text: None
) -> list[Tried]:
    """Returns the statements of a job's file after they were tried; `writes`: those that write, too. Raises
    the engine's errors.
    """
    found: list[Tried] = []
    decoder = msgspec.json.Decoder(_Line)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as errors:
        path = Path(folder) / "job.json"
        path.write_bytes(msgspec.json.encode(job))
        command = [str(find_engine()), "rehearse", str(path), *(["--writes"] if writes else [])]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=os.environ | env)
        assert process.stdout is not None
        with process:
            try:
                for number, raw in enumerate(process.stdout):
                    _hear(decoder.decode(raw), found)
                    if number % 1000 == 999:
                        tell(f"{sum(one.executions for one in found):,} executions")
            except BaseException:
                process.terminate()
                raise
        if process.returncode == Interrupted.exit_code:
            raise Interrupted("Interrupted.")
        if process.returncode != 0:
            errors.seek(0)
            message, _, hint = errors.read().decode(errors="replace").strip().partition("\nhint: ")
            kind = _KINDS.get(process.returncode, HostError)
            raise kind(message or "the engine could not try the statements", hint=hint or None)
    return found


def _hear(one: _Line, found: list[Tried]) -> None:
    if one.statement is not None:
        tried = Tried(one.label, one.sql, one.place, one.reads, one.refused)
        if one.statement < len(found):
            tried.drawn, tried.different = found[one.statement].drawn, found[one.statement].different
            found[one.statement] = tried
        else:
            found.append(tried)
    elif one.drawn_for is not None:
        found.append(Tried("", "", None, False, None, drawn=one.times, different=one.different))
    elif one.of is not None:
        _count(one, found[one.of])


def _count(one: _Line, tried: Tried) -> None:
    if one.text is not None:
        tried.texts.append(one.text)
    if one.unsent:
        tried.unsent += 1
        return
    tried.times_ns.append(one.ns)
    if one.message is not None:
        tried.errors[one.error or 0, one.message] += 1
        return
    tried.rows += one.rows
    tried.bytes += one.bytes
    tried.warnings += one.warnings > 0
    tried.changes += one.affected > 0
    deletes = tried.sql.lstrip("( ")[:6].upper() == "DELETE"
    if (one.result or deletes) and not one.after_unsent:
        tried.lookups += 1
        tried.hits += one.rows > 0 or (deletes and one.affected > 0)
