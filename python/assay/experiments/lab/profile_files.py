"""Writes the profiles of a results folder in the forms of other programs, a file a treatment and load."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.design.folder import Damaged, RungFolder, StackProfile, damaged, read_packed, read_window
from assay.experiments.lab.judging import Judged
from assay.reporting.report import Material, flame_page, load_words
from assay.results.ledger.export import FORMS, HTML, RunProfile, mean_profile

_QUERY = """
    SELECT rungs.run_id, rungs.treatment, rungs.kind, rungs.load, rungs.events, measures.value
    FROM rungs JOIN runs USING (run_id) JOIN measures USING (run_id, rung)
    WHERE runs.status = 'complete' AND measures.measure = 'server_cpu_us_per_query'
    ORDER BY rungs.treatment, rungs.load, rungs.run_id"""
_UNFIT = re.compile(r"[^A-Za-z0-9_.=,@-]+")


@dataclass(frozen=True)
class WrittenProfiles:
    """The files that were written, and what they lack: runs whose stacks cannot be read, each a sentence."""

    files: list[Path]
    unread: list[str]


def write_profiles(
    found: Judged, form: str, output: Path | None = None, language: str = "en"
) -> WrittenProfiles:
    """Writes the profiles in a form of `FORMS`, or as the page `HTML`, and returns the files.

    A profile is the mean over the runs of a treatment at a load point, without those under an *invalid*
    doubt. Raises InputError where no run has stacks.
    """
    unread: list[str] = []
    contents = dict(_pages(found, language) if form == HTML else _profiles(found, form, unread))
    if not contents:
        raise InputError(
            f"{found.folder.path}: no run has call stacks of its server"
            + (f" that can be read: {unread[0]}" if unread else ""),
            hint="run the study with assay run --why, as root or with the privilege perf of assay doctor",
        )
    place = output or found.folder.inner("profiles").path
    place.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        write_whole(place / name, content)
    return WrittenProfiles([place / name for name in contents], unread)


def _profiles(found: Judged, form: str, unread: list[str]) -> Iterator[tuple[str, bytes]]:
    runs: dict[str, list[RunProfile]] = defaultdict(list)
    material = Material(found.study, found.results, found.store, load_words("en"))
    for run, treatment, kind, load, events, cpu_us in found.store.execute(_QUERY).fetchall():
        if not material.is_used(run, load):
            continue
        rung = RungFolder(found.folder.inner(events).parent.path, found.folder.path)
        try:
            runs[f"{treatment} {kind} {load:g}"] += list(_profile_of(rung, cpu_us))
        except Damaged as error:
            unread.append(error.message)
    for name, of_runs in runs.items():
        profile = mean_profile(name, of_runs)
        if profile is not None:
            yield f"{_UNFIT.sub('-', name)}.{FORMS[form].ending}", FORMS[form].write(profile)


def _pages(found: Judged, language: str) -> Iterator[tuple[str, bytes]]:
    words = load_words(language, found.results.gate)
    for part in Material(found.study, found.results, found.store, words).parts():
        page = flame_page(part)
        if page is not None:
            yield f"{part.name('flame')}{'' if language == 'en' else f'.{language}'}.html", page.encode()


def _profile_of(rung: RungFolder, cpu_us: float) -> Iterator[RunProfile]:
    window = read_window(rung.profile)
    stacks = None if window is None else read_packed(rung.profile, "stacks", StackProfile)
    if stacks is not None and not stacks.is_sound:
        raise damaged(rung.profile.packed("stacks"), rung.profile.run.path, "a place in it is out of range")
    if window is not None and stacks is not None:
        yield RunProfile(stacks, window, cpu_us)
