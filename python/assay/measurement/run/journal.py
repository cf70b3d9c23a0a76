"""Reads a results folder as a journal: whose it is, which runs are finished, and which remain. Resuming is
reading it.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal

import msgspec

from assay.base.durable import sync_directory
from assay.base.errors import ConflictError, InputError
from assay.base.locks import take
from assay.base.version import VERSION
from assay.base.wording import counted, duration
from assay.design.folder import (
    Damaged,
    Manifest,
    Naming,
    ResultsFolder,
    RunFolder,
    StudyEntry,
    losses,
    read_entry,
    read_manifest,
    with_checksum,
    write_study_files,
    written_files,
)
from assay.design.plan import Plan, longest_pause_s
from assay.design.study import (
    Study,
    difference_text,
    load_measured,
    named_claims,
    study_hash,
    verdict_terms,
    workload_file,
)

Redo = Literal["block", "run"]
MOST_ATTEMPTS = 3
"""How often a run may fail before its block is left as it is."""

_LOCK = ".lock"
_BEGUN = {_LOCK, "runs", ".study.json.part", "looks.json", ".looks.json.part", ".looks.lock", "viewers"}
"""Entries that a results folder may hold when its study was killed before it wrote its manifest."""


def entry_of(folder: ResultsFolder) -> StudyEntry | None:
    """Returns the `study.json` of a results folder; None when the folder is new. Raises `Damaged` when the
    file cannot be read.
    """
    return read_entry(folder) if folder.entry.is_file() else None


def _holds_runs(folder: ResultsFolder) -> bool:
    """Returns whether any run of a folder ever began: what ended before that, at a dump that a server
    refused for example, has measured nothing, and another form of the study may take its place.
    """
    return folder.runs.is_dir() and any(folder.runs.iterdir())


def check_same_study(folder: ResultsFolder, study: Study, *, seed: int | None = None) -> None:
    """Raises ConflictError, which says what differs, for a folder that holds another study's results."""
    if folder.path.exists() and not folder.path.is_dir():
        raise InputError(f"{folder.path} is not a folder", hint="give a folder with --results")
    entry = entry_of(folder)
    if entry is None:
        if folder.path.is_dir() and not {path.name for path in folder.path.iterdir()} <= _BEGUN:
            raise ConflictError(
                f"{folder.path} is not empty and contains no results of a study",
                hint="give another folder with --results",
            )
        return
    elsewhere = f"give another folder, such as --results {folder.path}-2, or move this one away"
    if entry.hash != study_hash(study):
        if not _holds_runs(folder):
            return
        what = f"the study {entry.name!r}"
        if entry.name == study.name:
            what = _other_scale(folder, study) or f"an earlier form of this study{_changed(folder, study)}"
        raise ConflictError(f"{folder.path} holds the results of {what}; nothing was changed", hint=elsewhere)
    if seed is not None and entry.seed != seed:
        raise ConflictError(f"{folder.path} was begun with seed {entry.seed}, not {seed}", hint=elsewhere)
    begun, wanted = entry.data_loads, study.design.loads
    if begun is not None and wanted not in (None, begun):
        raise ConflictError(
            f"{folder.path} was begun with {counted(begun, 'load')} of each dataset, not {wanted}",
            hint=elsewhere,
        )


def _other_scale(folder: ResultsFolder, study: Study) -> str:
    """Returns the name of the folder's scale; empty where it is the study's own, or the folder's copy
    cannot be read.
    """
    try:
        there = load_measured(folder.study_file).scale
    except InputError:
        return ""
    old, new = (scale.name if scale else None for scale in (there, study.scale))
    if old == new:
        return ""
    here = "and none was asked for" if new is None else f"not {new!r}"
    return (
        f"this study with its own values, {here}" if old is None else f"this study with scale {old!r}, {here}"
    )


def _changed(folder: ResultsFolder, study: Study) -> str:
    """Returns the keys that differ; empty where the folder's own copy cannot be read."""
    try:
        changed = difference_text(load_measured(folder.study_file), study)
    except InputError:
        return ""
    return f" ({changed})" if changed else ""


@contextmanager
def opened(
    folder: ResultsFolder, study: Study, plan: Plan, text: bytes, copies_margin: float | None = None
) -> Iterator[None]:
    """Prepares the folder and locks it against a second `assay run` for the length of the block.

    `text` is the study file, byte for byte: the copy follows changes that leave the hash unchanged.
    `copies_margin` is recorded where there is none yet.
    """
    check_same_study(folder, study, seed=plan.seed)
    folder.runs.mkdir(parents=True, exist_ok=True)
    with folder.inner(_LOCK).open("a") as lock:
        if not take(lock):
            raise ConflictError(
                f"cannot use {folder.path}: another assay is running a study in it",
                hint="wait for it, or give another --results folder",
            )
        known = entry_of(folder)
        if known is not None and known.hash != plan.study_hash:
            known = None
        entry = known or StudyEntry(
            name=study.name,
            hash=plan.study_hash,
            seed=plan.seed,
            ordering=plan.ordering,
            data_loads=plan.data_loads,
            created_wall_ns=time.time_ns(),
            assay=VERSION,
        )
        if entry.copies_margin is None:
            entry = msgspec.structs.replace(entry, copies_margin=copies_margin)
        entry = msgspec.structs.replace(entry, named=_named_so_far(folder, study, known))
        beside = {  # where the study file looks for them
            folder.study_file.parent / (workload_file(use) or use): content.encode()
            for use, content in study.workload.files.items()
        }
        made_plan = msgspec.json.format(msgspec.json.encode(plan))
        write_study_files(folder.entry, entry, {folder.study_file: text, **beside, folder.plan: made_plan})
        sync_directory(folder.path.parent)
        yield


def _named_so_far(folder: ResultsFolder, study: Study, known: StudyEntry | None) -> list[Naming]:
    """Returns what the study has named, and when. Of a folder that was begun without such a record nobody
    knows.
    """
    blocks = {manifest.block for run in folder.finished_runs() if (manifest := _readable(run))}
    named = [] if known is None else known.named
    if not named and (known is not None or blocks):
        return []
    now = Naming(blocks=len(blocks), claims=named_claims(study), terms=verdict_terms(study))
    is_known = bool(named) and (named[-1].claims, named[-1].terms) == (now.claims, now.terms)
    return named if is_known else [*named, now]


def _next_rank(folder: ResultsFolder) -> int:
    """Returns the rank of a run that ends now: a run that is removed later leaves a gap."""
    ended = [*folder.finished_runs(), *(run for _, run in folder.attempts())]
    found = [manifest for run in ended if (manifest := _readable(run)) and manifest.fleet_host is None]
    highest = max((one.rank for one in found if one.rank is not None), default=-1)
    return max(highest + 1, len(found))


def completed(folder: ResultsFolder) -> list[Manifest]:
    """Returns the runs that need not be done again: complete ones with all files on which their figures
    rest.
    """
    return [
        manifest
        for run in folder.finished_runs()
        if (manifest := _readable(run)) is not None
        and manifest.status == "complete"
        and not _lost_figures(run, manifest)
    ]


Hosts = Mapping[str | None, Sequence[str]]
"""The hosts that carry blocks out, None for the lab's own machine, each with the hosts that load it over the
network.
"""

HERE: Hosts = {None: ()}
"""The hosts of a study that the lab carries out, and loads, on its own machine."""


def clear_away(
    folder: ResultsFolder,
    plan: Plan,
    redo: Redo,
    now_ns: int,
    hosts: Hosts = HERE,
) -> list[str]:
    """Removes unfinished runs and sets aside those to be done again: failed and damaged runs, and torn
    blocks.

    Runs of a block are compared with each other, so they must have seen the machine in the same hour. Unless
    `redo` is "run", complete ones are set aside too where another of their block failed, or is missing and
    would come after a long pause (`now_ns`). A block that was begun on a host other than
    `hosts`, or loaded from others, is done again in any case. Those set aside are named `.b01-….failed-1`,
    `.b01-….damaged-1`, `.b01-….superseded-1`. Returns a line for each damaged run, and for each torn block.
    """
    for path in sorted(folder.runs.iterdir()):
        if path.name.startswith(".") and path.name.endswith(".unfinished"):
            shutil.rmtree(path)
    left = given_up(folder, redo)
    said = []
    for torn in _torn(folder, plan, redo, now_ns, left, hosts):
        for run in [folder.run(one.run_id) for one in torn.whole]:
            run.path.rename(_aside(run, "superseded"))
        said.append(f"block {torn.block} is done again, all of it: {torn.why}")
    for run in list(folder.finished_runs()):
        manifest = _readable(run)
        lost = "run.json cannot be read" if manifest is None else _lost_figures(run, manifest)
        if lost:
            run.path.rename(_aside(run, "damaged"))
            said.append(f"{run.path.name} is done again: {lost}")
        elif manifest is not None and manifest.status == "failed" and manifest.run_id not in left:
            run.path.rename(_aside(run, "failed"))
    return said


@dataclass(frozen=True)
class _Torn:
    """A block with complete runs that later ones cannot be compared with."""

    block: int
    whole: list[Manifest]
    why: str


def given_up(folder: ResultsFolder, redo: Redo) -> dict[str, str]:
    """Returns the failed runs that will not be repeated, with the reason, by run id.

    A run that has failed `MOST_ATTEMPTS` times would most likely fail once more, and have its whole block
    repeated for it. The other runs of the block keep what they measured.
    """
    earlier = Counter(
        run.path.name[1:].rpartition(".")[0] for why, run in folder.attempts() if why == "failed"
    )
    failed = {
        manifest.run_id: manifest
        for run in folder.finished_runs()
        if (manifest := _readable(run)) is not None and manifest.status == "failed"
    }
    spent = {run: earlier[run] + 1 for run in failed if earlier[run] + 1 >= MOST_ATTEMPTS}
    found = {}
    for run, times in spent.items():
        last = failed[run].failure
        found[run] = (
            f"failed {times} times and is not done again (the last: {last.message if last else 'no reason'});"
            f" remove its cause, move {folder.runs}/.{run}.failed-* away, and run the same command"
        )
        if redo == "block":
            for other in failed.values():
                if other.block == failed[run].block and other.run_id not in spent:
                    found[other.run_id] = f"is not done again: {run} of its block has failed {times} times"
    return found


def _torn(
    folder: ResultsFolder,
    plan: Plan,
    redo: Redo,
    now_ns: int,
    left: Collection[str],
    hosts: Hosts,
) -> Iterator[_Torn]:
    over = {manifest.run_id: manifest for manifest in completed(folder)}
    found = [manifest for run in folder.finished_runs() if (manifest := _readable(run))]
    failed = {manifest.block for manifest in found if manifest.status == "failed"}
    for block, runs in groupby(plan.runs, lambda run: run.block):
        ids = [run.run_id for run in runs]
        whole = [over[one] for one in ids if one in over]
        if not 0 < len(whole) < len(ids) or any(one in left for one in ids):
            continue
        begun_on = {one.fleet_host for one in whole}
        if len(begun_on) > 1 or not begun_on <= set(hosts):
            yield _Torn(block, whole, f"it was begun on {_named(begun_on)}")
            continue
        (begun,) = begun_on
        if any(one.load_hosts != list(hosts[begun]) for one in whole):
            loaded_from: set[str | None] = {name for one in whole for name in one.load_hosts}
            yield _Torn(block, whole, f"it was begun with its load from {_named(loaded_from or {begun})}")
            continue
        if redo != "block":
            continue
        lengths_s = [(one.ended_wall_ns - one.started_wall_ns) / 1e9 for one in whole]
        pause_s = (now_ns - max(one.ended_wall_ns for one in whole)) / 1e9
        if block in failed:
            yield _Torn(block, whole, "a run of it failed")
        elif pause_s > longest_pause_s(lengths_s):
            yield _Torn(block, whole, f"its other runs were done {duration(pause_s)} ago")


def _named(hosts: Iterable[str | None]) -> str:
    return " and ".join(sorted({name or "the lab's own machine" for name in hosts}))


def _readable(run: RunFolder) -> Manifest | None:
    try:
        return read_manifest(run)
    except Damaged:
        return None


def _lost_figures(run: RunFolder, manifest: Manifest) -> str:
    """Returns what a rung of the run has lost; empty when nothing is."""
    return "; ".join(str(loss) for loss in losses(run, manifest) if loss.rung is not None)


def _aside(run: RunFolder, why: str) -> Path:
    number = 1
    while (path := run.path.with_name(f".{run.path.name}.{why}-{number}")).exists():
        number += 1
    return path


def finish(folder: ResultsFolder, manifest: Manifest) -> RunFolder:
    """Writes the manifest, when all other files of the run lie on the disk, and gives the run its final name,
    from which on it counts.
    """
    work, over = folder.unfinished(manifest.run_id), folder.run(manifest.run_id)
    manifest = msgspec.structs.replace(manifest, files=written_files(work.path), rank=_next_rank(folder))
    work.manifest.write_whole(with_checksum(manifest))
    work.path.rename(over.path)
    sync_directory(folder.runs.path)
    return over


def set_aside_runs_on(folder: ResultsFolder, host: str, blocks: Collection[int]) -> set[int]:
    """Sets the complete runs of these blocks aside that a host has carried out, which is lost: what is left
    of a block must not be carried out elsewhere. Returns the blocks that had such runs.
    """
    found = [one for one in completed(folder) if one.fleet_host == host and one.block in blocks]
    for manifest in found:
        run = folder.run(manifest.run_id)
        run.path.rename(_aside(run, "superseded"))
    return {manifest.block for manifest in found}


def accept(folder: ResultsFolder, work: Path, run_id: str) -> Manifest:
    """Gives a run that another host has finished its name here, from which on it counts."""
    over = folder.run(run_id)
    written_files(work)
    if over.path.exists():  # a failed one that was begun again
        over.path.rename(_aside(over, "failed"))
    work.rename(over.path)
    sync_directory(folder.runs.path)
    return read_manifest(over)


def accept_attempt(folder: ResultsFolder, work: Path, run_id: str, why: str) -> None:
    """Keeps a run that another host has set aside, under the next free name for that."""
    work.rename(_aside(folder.run(run_id), why))
