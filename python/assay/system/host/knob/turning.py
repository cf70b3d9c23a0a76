"""Turns knobs for the length of a block, and restores them on every exit from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from assay.base.errors import ConflictError, HostError
from assay.design.study import Scalar, level_text
from assay.system.host.knob.journal import Journal, Note
from assay.system.host.knob.registry import KNOBS
from assay.system.host.knob.undisturbed import undisturbed
from assay.system.host.machine import Machine


@dataclass(frozen=True)
class Turned:
    """One knob turned at one target, with the old value and the new one as it was read back."""

    knob: str
    target: str
    was: str
    now: str


class Knobs:
    """The right to change this machine's settings, which one process at a time has while it is entered.

    On entering, settings that a killed process left changed are restored. Raises ConflictError while another
    process has the right.
    """

    def __init__(self, machine: Machine | None = None, place: Path | None = None) -> None:
        self.machine = machine or Machine()
        self.journal = Journal(place)
        self.swept: list[str] = []
        """What was restored on entering, a line each."""
        self.left: list[str] = []
        """What could not be restored later, a line each: someone else has changed it, or it is gone."""

    @staticmethod
    def check(settings: Mapping[str, Scalar], data: Path, machine: Machine | None = None) -> None:
        """Raises HostError, with every knob that cannot be turned for data at `data` and the reason. Changes
        nothing.
        """
        if found := unavailable(settings, data, machine):
            raise HostError(
                found[0],
                hint="`assay host knobs` lists the settings of this machine; remove the others from"
                " the study",
                detail="\n".join(found[1:]) or None,
            )

    @contextmanager
    def turned(self, settings: Mapping[str, Scalar], data: Path) -> Iterator[list[Turned]]:
        """Turns knobs for data at `data`, verifies each, and restores them when the block is left. Names are
        those of a study after `host.`.

        Raises HostError when a knob cannot be turned or has another value afterwards; the knobs turned so far
        are restored.
        """
        self.check(settings, data, self.machine)
        done: list[Turned] = []
        try:
            for name in sorted(settings, key=list(KNOBS).index):
                done += self._turn(name, level_text(settings[name]), data)
            self._note_as_written(done)
            # What is turned later may have moved what was turned before.
            for one in done:
                KNOBS[one.knob].verify(self.machine, one.target, one.now)
            yield done
        finally:
            self.put_back()

    def _turn(self, name: str, value: str, data: Path) -> Iterator[Turned]:
        knob = KNOBS[name]
        targets = knob.targets(self.machine, data)
        before = {target: knob.show(self.machine, target) for target in targets}
        notes = []
        for moved in knob.moves:  # noted first: put back after the one that moves it
            notes += self._notes(moved, data, targets)
        notes += [self._note(name, target, was) for target, was in before.items()]
        self.journal.add(notes)
        for target, was in before.items():
            if not knob.same(was, value):
                knob.write(self.machine, target, value)
            yield Turned(name, target, was, knob.verify(self.machine, target, value))

    def _notes(self, name: str, data: Path, of_mover: list[str]) -> list[Note]:
        """Returns notes of a knob that another knob moves, at the targets of both."""
        knob = KNOBS[name]
        try:
            targets = [*knob.targets(self.machine, data), *of_mover]
        except HostError:
            targets = of_mover
        there = [one for one in dict.fromkeys(targets) if knob.exists(self.machine, one)]
        return [self._note(name, target, knob.show(self.machine, target)) for target in there]

    def _note(self, name: str, target: str, was: str) -> Note:
        knob = KNOBS[name]
        boot = "" if knob.survives_boot else _boot_id(self.machine)
        return Note(name, target, was, boot, knob.identity(self.machine, target))

    def _note_as_written(self, done: Iterable[Turned]) -> None:
        """Records the values now in force as written by this process, so that a different value found later
        is known to be someone else's.

        This is done once all knobs are written, because one setting may move another. Of the notes for a
        target the last is the knob's own; those before it are for knobs that are moved, whose value the
        kernel chooses.
        """
        notes = self.journal.notes()
        own = {(note.knob, note.target): number for number, note in enumerate(notes)}
        for one in done:
            number = own[one.knob, one.target]
            notes[number] = replace(notes[number], wrote=KNOBS[one.knob].show(self.machine, one.target))
        self.journal.keep(notes)

    def put_back(self) -> list[str]:
        """Restores every setting in the journal, the last first; returns a line for each one restored, or not
        restored because its target is gone or someone else has changed it since.

        Raises HostError for settings that cannot be restored: they stay in the journal, and all others are
        restored.
        """
        lines, failures = [], []
        with undisturbed():
            kept: list[Note] = []
            notes = self.journal.notes()
            for number, note in reversed(list(enumerate(notes))):
                try:
                    lines += self._put_back(note)
                except HostError as error:
                    # An older note of the same is still to come, and it is the one that counts: a queue's
                    # length under another scheduler need not be possible any more.
                    if not any((one.knob, one.target) == (note.knob, note.target) for one in notes[:number]):
                        failures.append(error)
                        kept.insert(0, note)
            self.journal.keep(kept)
        if failures:
            first = failures[0]
            detail = "\n".join(f"{error.message}\n  {error.hint}" for error in failures[1:])
            raise HostError(first.message, hint=first.hint, detail=detail or None)
        return lines

    def _put_back(self, note: Note) -> list[str]:
        knob = KNOBS.get(note.knob)
        if knob is None:
            raise HostError(f"{self.journal.path} has host.{note.knob}, which this version does not know")
        if note.boot not in ("", _boot_id(self.machine)):
            return []  # the machine was started since, and has its own value again
        name = f"host.{note.knob} of {note.target}"
        if not knob.exists(self.machine, note.target):
            return self._leave(f"{name} is not restored: the device is gone")
        if note.identity not in ("", knob.identity(self.machine, note.target)):
            return self._leave(f"{name} is not restored: the device is gone, and another has its place")
        kept = knob.kept(self.machine, note.target)
        if kept == note.was or (kept is None and note.wrote == note.was):
            return []
        if None not in (kept, note.wrote) and kept != note.wrote:
            return self._leave(
                f"{name} is left at {kept}: it was changed since the lab set it to {note.wrote}"
                f" (and {note.was} was there before)"
            )
        knob.restore(self.machine, note.target, note.was)
        return [f"put host.{note.knob} of {note.target} back to {note.was}"]

    def _leave(self, line: str) -> list[str]:
        self.left.append(line)
        return [line]

    def __enter__(self) -> Self:
        self.journal.take()
        try:
            self.swept = self.put_back()
            self.left.clear()  # said with the swept
        except BaseException:
            self.journal.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        try:
            self.put_back()
        finally:
            self.journal.release()


def unavailable(settings: Mapping[str, Scalar], data: Path, machine: Machine | None = None) -> list[str]:
    """Returns a sentence for every knob that cannot be turned as asked for data at `data`. Changes
    nothing.
    """
    machine = machine or Machine()
    found = []
    for name, value in settings.items():
        reason = KNOBS[name].available(machine, data, level_text(value))
        if reason is not None:
            found.append(f"host.{name} = {level_text(value)} cannot be set on this machine: {reason}")
    return found


def sweep_knobs(machine: Machine | None = None, place: Path | None = None) -> list[str]:
    """Restores settings that a killed process left changed; returns a line for each. Settings of a living
    process are left alone.
    """
    knobs = Knobs(machine, place)
    if not knobs.journal.path.exists():
        return []
    try:
        knobs.journal.take()
    except (ConflictError, HostError):
        return []  # its process lives, or we may not
    try:
        return knobs.put_back()
    except HostError as error:
        return [f"{error.message} ({error.hint})" if error.hint else error.message]
    finally:
        knobs.journal.release()


def _boot_id(machine: Machine) -> str:
    """Returns the kernel's boot id, which changes with every boot (random(4))."""
    return machine.text("/proc/sys/kernel/random/boot_id") or ""
