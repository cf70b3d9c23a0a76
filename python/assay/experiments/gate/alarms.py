"""Keeps the alarms of gates, and what people found of each, so that a gate shows how often it was right."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from assay.base.decoding import json_as, why_unreadable
from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.base.inner_path import named_bytes
from assay.base.locks import locked
from assay.reporting.report import Words, figure_of
from assay.results.verdict import Check, Closing, Gated, closing_of

FORMAT = 1


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """One check that failed. `closing`: what a person found, and `why`; None: nobody has looked."""

    id: str
    at: str  # "2026-11-24T06:30:00Z"
    study: str
    claim: str
    load: float | None
    figure: str  # with its interval
    closing: Closing | None = None
    why: str = ""

    @property
    def is_right(self) -> bool | None:
        """Whether something had really become worse; None while nobody has looked."""
        return None if self.closing is None else self.closing != "false-alarm"


class Ledger(msgspec.Struct, frozen=True, kw_only=True):
    """The file of all alarms, the newest last."""

    format: int = FORMAT
    alarms: tuple[Alarm, ...] = ()

    @property
    def records(self) -> tuple[Record, ...]:
        """The record of each claim of each study that has raised an alarm, in the order of the first."""
        keys = dict.fromkeys((one.study, one.claim) for one in self.alarms)
        return tuple(self.record(study, claim) for study, claim in keys)

    def record(self, study: str, claim: str) -> Record:
        """Returns how often a claim of a study has raised an alarm, and how often it was right."""
        of_it = [one for one in self.alarms if (one.study, one.claim) == (study, claim)]
        found = [one.is_right for one in of_it]
        return Record(study, claim, len(of_it), found.count(True), found.count(False))


@dataclass(frozen=True)
class Record:
    """The alarms of one gate: how many, and how many of those that people judged were right and wrong."""

    study: str
    claim: str
    alarms: int
    true: int
    false: int

    @property
    def precision(self) -> float | None:
        """The share of right alarms among those that were judged; None where none was."""
        judged = self.true + self.false
        return self.true / judged if judged else None


def alarm_sentence(record: Record, words: Words) -> str:
    """Returns how many alarms a gate has raised, and how many of those that people judged were right."""
    found = record.precision
    return words(
        "gate.alarms" if found is not None else "gate.alarms-unjudged",
        claim=record.claim,
        count=record.alarms,
        **({} if found is None else {"true": record.true, "judged": record.true + record.false}),
    )


def note_alarms(file: Path, gated: Gated) -> Ledger:
    """Adds the checks that failed to the file, each once, and returns all alarms; the file may be missing.

    An alarm belongs to its results: the same results raise it once, however often they are judged.
    """

    def with_these(known: Ledger) -> Ledger:
        there = {one.id for one in known.alarms}
        new = [_alarm(one, gated) for one in gated.checks if one.outcome == "failed"]
        fresh = tuple(one for one in new if one.id not in there)
        return Ledger(alarms=(*known.alarms, *fresh)) if fresh else known

    return _change(file, with_these)


def close_alarm(file: Path, wanted: str, how: str, why: str) -> Alarm:
    """Records what became of an alarm, one of the verdict's `CLOSINGS`, and why.

    Raises InputError for another one, for one without a reason, and where no alarm, or several, have an id
    that begins so.
    """
    closing = closing_of(how, why, "an alarm")
    _read(file)  # a file that is missing is not made

    def closed(known: Ledger) -> Ledger:
        alarm = _found(file, known, wanted)
        found = msgspec.structs.replace(alarm, closing=closing, why=why.strip())
        return Ledger(alarms=tuple(found if one.id == alarm.id else one for one in known.alarms))

    return _found(file, _change(file, closed), wanted)


def read_alarms(file: Path) -> Ledger:
    """Returns all alarms. Raises InputError for a file that cannot be read, or holds none."""
    return _read(file)


def _found(file: Path, known: Ledger, wanted: str) -> Alarm:
    found = [one for one in known.alarms if wanted and one.id.startswith(wanted)]
    if len(found) != 1:
        there = ", ".join(one.id for one in known.alarms[-12:])
        raise InputError(
            f"{wanted!r} is not an alarm in {file}", hint=f"the newest are {there}" if there else None
        )
    return found[0]


def _alarm(check: Check, gated: Gated) -> Alarm:
    identity = f"{gated.study}\n{check.rule.text}\n{check.load}\n{gated.began_ns}"
    return Alarm(
        id=hashlib.sha256(identity.encode()).hexdigest()[:8],
        at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        study=gated.study,
        claim=check.rule.text,
        load=check.load,
        figure=figure_of(check, gated),
    )


def _change(file: Path, change: Callable[[Ledger], Ledger]) -> Ledger:
    with locked(file.with_name(f".{file.name}.lock")):
        known = _read(file) if file.exists() else Ledger()
        made = change(known)
        if made != known or not file.exists():
            write_whole(file, msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
    return made


def _read(file: Path) -> Ledger:
    try:
        found = json_as(named_bytes(file), Ledger)
    except OSError as error:
        raise InputError(
            f"{file}: cannot be read: {error.strerror}", hint=f"assay gate STUDY --alarms {file} makes it"
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: is not a file of alarms: {why_unreadable(error)}") from error
    if found.format != FORMAT:
        raise InputError(f"{file} has format {found.format}, this assay reads {FORMAT}", hint="update assay")
    return found
