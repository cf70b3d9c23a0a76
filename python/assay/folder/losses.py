"""Finds the files that a finished run has lost: those that are missing, cut short or changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.folder.manifest import Manifest, RungEntry
from assay.folder.paths import RunFolder
from assay.inner_path import InnerPath

_CLOSING = re.compile(rb'^\{"event":\s*"(?:result|done)".*\}\n', re.MULTILINE)


@dataclass(frozen=True)
class Loss:
    """A lost file; `rung` is the load point (`RungEntry.dir`) whose figures rest on it, or None for files of
    the whole run.
    """

    file: str
    what: str
    rung: str | None = None

    def __str__(self) -> str:
        return f"{self.file} {self.what}"


def written_files(run: Path) -> dict[str, int]:
    """Returns every file of a run folder with its size in bytes, as the manifest lists them."""
    return {path.relative_to(run).as_posix(): path.stat().st_size for path in InnerPath(run, run).files()}


def losses(run: RunFolder, manifest: Manifest) -> list[Loss]:
    """Returns the lost files, at most one a rung in their order, then those of the whole run; a failed run
    has none.

    For a run of an earlier assay, whose manifest lists no files, the files that every run has are checked.
    """
    if manifest.status != "complete":
        return []
    changed = dict(_changed(run, manifest))
    found = []
    for entry in manifest.rungs:
        inside = [Loss(file, what, entry.dir) for file, what in changed.items() if _is_in(file, entry.dir)]
        if not inside and not manifest.files:  # else every file is as long as when the run was over
            inside = list(_without_end(run, entry, may_lose_server=bool(manifest.server)))
        found += inside[:1]
    found += [
        Loss(file, what)
        for file, what in changed.items()
        if not any(_is_in(file, entry.dir) for entry in manifest.rungs)
    ]
    return found


def _is_in(file: str, folder: str) -> bool:
    return file.startswith(f"{folder}/")


def _changed(run: RunFolder, manifest: Manifest) -> Iterator[tuple[str, str]]:
    for file, size in (manifest.files or dict.fromkeys(_always(run, manifest))).items():
        path = run.inner(file)
        if not path.is_file():
            yield file, "is missing"
        elif size is not None and (now := path.stat().st_size) != size:
            yield file, f"has {now:,} bytes, and had {size:,} when the run was over"


def _always(run: RunFolder, manifest: Manifest) -> Iterator[str]:
    """Yields the files of the whole run that every run has."""
    yield from (run.inside(run.facts("host", moment)) for moment in ("before", "after"))
    sampled = (source for source, entry in manifest.samplers.items() if entry.readings)
    yield from (run.inside(run.samples(source)) for source in sampled)


def _without_end(run: RunFolder, entry: RungEntry, *, may_lose_server: bool) -> Iterator[Loss]:
    """Yields the file of a rung whose events lack a result, unless an experiment ended the server and left a
    record.

    A record beside a load on storage does not excuse a missing result: that load ends like any other.
    """
    rung = run.rung_at(entry.dir)
    if may_lose_server and (rung.found.is_file() or rung.experiment.is_file()):
        return
    file = run.inside(rung.events)
    try:
        content = rung.events.read_bytes()
    except OSError:
        yield Loss(file, "is missing", entry.dir)
        return
    if not _CLOSING.search(content):
        yield Loss(file, "has no closing event", entry.dir)
