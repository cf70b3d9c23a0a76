"""Finds the files that a finished run has lost: those that are missing, cut short or changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from assay.base.inner_path import InnerPath
from assay.design.folder.checksums import WrittenFile, difference
from assay.design.folder.manifest import Manifest, RungEntry
from assay.design.folder.paths import PROFILE, RunFolder

_CLOSING = frozenset({"result", "done"})


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


def losses(run: RunFolder, manifest: Manifest) -> list[Loss]:
    """Returns the lost files, at most one a rung in their order, then those of the whole run.

    The events of each rung of a complete run must also be whole, with the closing event among them.
    """
    changed = dict(_changed(run, manifest))
    found = []
    for entry in manifest.rungs:
        inside = [Loss(file, what, entry.dir) for file, what in changed.items() if _is_in(file, entry.dir)]
        if not inside and manifest.status == "complete" and manifest.imported is None:
            inside = list(_without_end(run, entry, may_lose_server=bool(manifest.server)))
        found += inside[:1]
    found += [
        Loss(file, what)
        for file, what in changed.items()
        if not any(_is_in(file, entry.dir) for entry in manifest.rungs)
    ]
    return found


def _is_in(file: str, rung: str) -> bool:
    """Returns whether the figures of a rung rest on a file: what was watched after its window is beside
    them.
    """
    return file.startswith(f"{rung}/") and not file.startswith(f"{rung}/{PROFILE}/")


def _changed(run: RunFolder, manifest: Manifest) -> Iterator[tuple[str, str]]:
    listed: Mapping[str, WrittenFile | int | None] = manifest.files
    if not listed and manifest.status == "complete":  # of the earliest versions: what every run has
        listed = dict.fromkeys(_always(run, manifest))
    for file, written in listed.items():
        what = difference(run.inner(file), written)
        if what is not None:
            yield file, what


def _always(run: RunFolder, manifest: Manifest) -> Iterator[str]:
    """Yields the files of the whole run that every run has."""
    yield from (run.inside(run.facts("host", moment)) for moment in ("before", "after"))
    sampled = (source for source, entry in manifest.samplers.items() if entry.readings)
    yield from (run.inside(run.samples(source)) for source in sampled)


def _without_end(run: RunFolder, entry: RungEntry, *, may_lose_server: bool) -> Iterator[Loss]:
    """Yields the file of a rung whose events are not whole.

    Where an experiment ended the server and left a record, the load may end without a result. A record beside
    a load on storage does not excuse a missing result: that load ends like any other.
    """
    rung = run.rung_at(entry.dir)
    excused = may_lose_server and (rung.found.is_file() or rung.experiment.is_file())
    what = _fault(rung.events, must_end=not excused)
    if what is not None:
        yield Loss(run.inside(rung.events), what, entry.dir)


class _Named(msgspec.Struct):
    event: str


_event = msgspec.json.Decoder(_Named)


def _fault(events: InnerPath, *, must_end: bool) -> str | None:
    """Returns why events cannot be those of a load that ended; a file without an end may be absent."""
    has_end = False
    try:
        for number, line in enumerate(events.lines(), start=1):
            try:
                has_end |= _event.decode(line).event in _CLOSING
            except (msgspec.DecodeError, UnicodeDecodeError):
                if must_end or line.endswith(b"\n"):
                    return f"has no event in line {number}"
            if must_end and not line.endswith(b"\n"):
                return "is cut short in its last line"
    except FileNotFoundError:
        return "is missing" if must_end else None
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return "has no closing event" if must_end and not has_end else None
