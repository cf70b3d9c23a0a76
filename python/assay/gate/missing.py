"""Finds what is missing for a check: runs that failed or were not made, doubts, server files that changed."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assay.lab import Judged
from assay.plan import make_treatments
from assay.printable import line
from assay.study import GateRule, Selector, level_text
from assay.study.claims import nodes
from assay.verdict import Part, Treatment
from assay.wording import plural_of


class Shortfall:
    """What is missing in results, by treatment. A gate passes only by data that were measured, so each
    reason makes a check unjudged.
    """

    def __init__(self, found: Judged, *, is_current: bool) -> None:
        self._screens = found.study.design.screens
        self._doubts = [note for note in found.results.doubts if note.severity == "invalid"]
        self._failed: dict[str, list[str]] = defaultdict(list)
        self._done: dict[str, set[int]] = defaultdict(set)
        self._treatment_of: dict[str, str] = {}
        last = 0
        for run, treatment, block, status, message in found.store.execute(
            "SELECT run_id, treatment, block, status, failure_message FROM runs ORDER BY block, position"
        ).fetchall():
            self._treatment_of[run] = treatment
            last = max(last, block)
            if status == "complete":
                self._done[treatment].add(block)
            else:
                self._failed[treatment].append(f"{run} failed: {line(message or 'no reason recorded')}")
        looks = found.results.looks
        is_planned = not found.study.is_imported and not (looks and looks.schedule)
        self._blocks = found.study.design.blocks if is_planned else last
        self._absent = tuple(_absent(found, self._treatment_of.values()))
        self._rebuilt = dict(_rebuilt(found)) if is_current else {}

    def reasons(self, rule: GateRule, parts: Sequence[Part], load: float | None) -> tuple[str, ...]:
        """Returns why parts of a gate's claim cannot be judged at a load point, one sentence a reason."""
        treatments = tuple(dict.fromkeys(place.treatment for part in parts for place in part.where))
        if self._screens and treatments:  # a level of a screen's factor rests on all of its treatments
            treatments = tuple(dict.fromkeys(self._treatment_of.values()))
        return tuple(dict.fromkeys(self._reasons(rule, treatments, load)))

    def everything(self) -> tuple[str, ...]:
        """Returns all that is missing, whatever a claim is about."""
        treatments = tuple(dict.fromkeys(self._treatment_of.values()))
        return tuple(dict.fromkeys((*self._never_ran(()), *self._reasons_in(treatments, None))))

    def _reasons(self, rule: GateRule, treatments: Sequence[str], load: float | None) -> Iterator[str]:
        selectors = [one for part in rule.claim.parts for one in nodes(part) if isinstance(one, Selector)]
        yield from self._never_ran(selectors)
        yield from self._reasons_in(treatments, load)

    def _never_ran(self, selectors: Sequence[Selector]) -> Iterator[str]:
        for absent in self._absent:
            if not selectors or any(absent.matches(one) for one in selectors):
                yield f"{line(absent.name)} has no run."

    def _reasons_in(self, treatments: Sequence[str], load: float | None) -> Iterator[str]:
        for treatment in treatments:
            yield from self._failed[treatment]
            missing = [block for block in range(1, self._blocks + 1) if block not in self._done[treatment]]
            if missing and not self._failed[treatment]:
                which = ", ".join(map(str, missing[:5])) + (", …" if len(missing) > 5 else "")
                yield f"{line(treatment)} has no run in {plural_of(len(missing), 'block')} {which}."
            if treatment in self._rebuilt:
                yield self._rebuilt[treatment]
        for note in self._doubts:
            is_here = note.run_id is None or self._treatment_of.get(note.run_id) in treatments
            if is_here and (load is None or note.load is None or note.load == load):
                yield f"{f'{note.run_id}: ' if note.run_id else ''}{line(note.message)}"


def _absent(found: Judged, measured: Iterable[str]) -> Iterator[Treatment]:
    """Yields the treatments that the study plans and of which there is no run."""
    if found.study.is_imported:
        return
    there = set(measured)
    for one in make_treatments(found.study):
        if one.name not in there:
            yield Treatment(one.name, {name: level_text(level) for name, level in one.levels.items()})


def _rebuilt(found: Judged) -> Iterator[tuple[str, str]]:
    """Yields the treatments whose server file is another one by now, each with a sentence.

    A build is often made anew under the same path, and results of its predecessor say nothing of it.
    """
    present: dict[str, str | None] = {}
    for treatment, binary, sha256 in found.store.execute(
        "SELECT DISTINCT treatment, server_binary, server_sha256 FROM runs"
        " WHERE status = 'complete' AND server_binary IS NOT NULL AND server_sha256 IS NOT NULL"
    ).fetchall():
        if binary not in present:
            present[binary] = _sha256(Path(binary))
        if present[binary] not in (None, sha256):
            yield treatment, f"{line(binary)} is another file than the one that {line(treatment)} measured."


def _sha256(file: Path) -> str | None:
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        return None
